//! Any bytes as a page, sketched with all columns: buffers that were used for another page change
//! nothing.

#![no_main]

use std::sync::LazyLock;

use _core::sketches::chunks::{ChunkText, Chunking, Unit};
use _core::sketches::features::Picker;
use _core::sketches::page::Page;
use _core::sketches::recipe::Recipe;
use _core::sketches::shingles::Shingler;
use _core::sketches::sketch::{Columns, Scratch};
use _core::text::html::TextOptions;
use _core::text::tokens::{Fingerprint, TokenRules};
use libfuzzer_sys::fuzz_target;

const UNITS: [Unit; 5] = [Unit::Page, Unit::Lines, Unit::Sentence, Unit::Paragraph, Unit::Words];

static RECIPES: LazyLock<[Recipe; 2]> = LazyLock::new(|| {
    [false, true].map(|paper| Recipe {
        text: TextOptions { join_formatting: !paper, images: paper, links: false, paragraphs: false },
        rules: TokenRules {
            fold_case: !paper,
            split_unspaced: !paper,
            symbols: paper,
            fingerprint: if paper { Fingerprint::Rabin } else { Fingerprint::Fast },
        },
        shingler: if paper { Shingler::rabin(8, false) } else { Shingler::fast(5, true) },
        picker: if paper { Picker::rabin(84) } else { Picker::rounds(84) },
        m: 84,
        width: 14,
        bits: 384,
        frequency: paper,
        project_shingles: paper,
        chunk_text: if paper { ChunkText::Characters } else { ChunkText::Tokens },
        boilerplate: None,
    })
});

fuzz_target!(|data: (u8, u8, &[u8], &[u8])| {
    let (bits, size, before, body) = data;
    let recipe = &RECIPES[usize::from(bits & 1)];
    let chunkings = UNITS.map(|unit| Chunking {
        unit,
        size: match unit {
            Unit::Lines | Unit::Words => usize::from(size % 8) + 1,
            _ => 1,
        },
        sliding: bits & 2 != 0 && matches!(unit, Unit::Lines | Unit::Words),
    });
    let columns = Columns {
        features: true,
        supershingles: true,
        projection: true,
        shingles: true,
        paragraphs: true,
        sentences: true,
        links: true,
        chunks: &chunkings,
        shelved: false,
    };
    let page = |body| Page {
        body,
        markup: bits & 4 != 0,
        opaque: false,
        decoded: bits & 8 != 0,
        charset: None,
        url: Some("http://a.example/b/"),
        site: None,
        stored: None,
    };
    let mut used = Scratch::default();
    recipe.sketch(&page(before), columns, &mut used);
    let found = recipe.sketch(&page(body), columns, &mut used);
    let alone = recipe.sketch(&page(body), columns, &mut Scratch::default());
    assert_eq!(format!("{found:?}"), format!("{alone:?}"));
    assert_eq!(recipe.tokens_of(&page(body)).len() as u64, found.tokens);
    for chunking in chunkings {
        recipe.passages_of(&page(body), chunking);
    }
});
