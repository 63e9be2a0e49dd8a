//! Any bytes as a page, sketched with all columns: buffers that were used for another page change
//! nothing, what is asked for by itself is what the sketch has, and passages are where they are told.

use std::sync::LazyLock;

use _core::sketches::chunks::{ChunkText, Chunking, Unit};
use _core::sketches::features::Picker;
use _core::sketches::page::Page;
use _core::sketches::recipe::Recipe;
use _core::sketches::shingles::Shingler;
use _core::sketches::sketch::{Columns, Scratch};
use _core::text::html::TextOptions;
use _core::text::tokens::{Fingerprint, TokenRules};

use super::input::Input;

const UNITS: [Unit; 5] = [Unit::Page, Unit::Lines, Unit::Sentence, Unit::Paragraph, Unit::Words];

static RECIPES: LazyLock<[Recipe; 2]> = LazyLock::new(|| {
    [false, true].map(|paper| Recipe {
        text: TextOptions {
            join_formatting: !paper,
            images: paper,
            links: false,
            paragraphs: false,
        },
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

fn page(body: &[u8], bits: u8) -> Page<'_> {
    Page {
        body,
        markup: bits & 4 != 0,
        opaque: false,
        decoded: bits & 8 != 0,
        charset: None,
        url: Some("http://a.example/b/"),
        site: None,
        stored: None,
    }
}

fn chunkings(bits: u8, size: u8) -> [Chunking; 5] {
    UNITS.map(|unit| {
        let many = matches!(unit, Unit::Lines | Unit::Words);
        Chunking {
            unit,
            size: if many { usize::from(size % 8) + 1 } else { 1 },
            sliding: bits & 2 != 0 && many,
        }
    })
}

pub fn run(data: &[u8]) {
    let mut input = Input(data);
    let (bits, size) = (input.byte(), input.byte());
    let (before, body) = input.two();
    let recipe = &RECIPES[usize::from(bits & 1)];
    let chunkings = chunkings(bits, size);
    let columns = Columns {
        features: true,
        supershingles: true,
        projection: true,
        shingles: true,
        paragraphs: true,
        sentences: true,
        links: true,
        chunks: &chunkings,
    };
    let mut used = Scratch::default();
    recipe.sketch(&page(before, bits), columns, &mut used);
    let body = &page(body, bits);
    let found = recipe.sketch(body, columns, &mut used);
    let alone = recipe.sketch(body, columns, &mut Scratch::default());
    assert_eq!(format!("{found:?}"), format!("{alone:?}"));
    assert_eq!(recipe.tokens_of(body).len() as u64, found.tokens);
    assert_eq!(recipe.terms_of(body).len() as u64, found.tokens);
    let (text, words) = recipe.layout_of(body);
    assert_eq!(words.len() as u64, found.tokens);
    let length = text.chars().count();
    assert!(words.iter().all(|word| word.start <= word.end && word.end <= length));
    assert_eq!(recipe.links_of(body, &mut used).0, found.links);
}

/// The chunks of a page, and where they stand.
pub fn passages(data: &[u8]) {
    let mut input = Input(data);
    let (bits, size) = (input.byte(), input.byte());
    let body = &page(input.0, bits);
    let recipe = &RECIPES[usize::from(bits & 1)];
    let chunkings = chunkings(bits, size);
    let together = recipe.chunks_of(body, &chunkings, &mut Scratch::default());
    for (chunking, chunks) in chunkings.into_iter().zip(together) {
        let found = recipe.passages_of(body, chunking);
        let told: Vec<u64> = found.all.iter().map(|passage| passage.chunk).collect();
        assert_eq!(told, chunks, "{chunking:?}");
        let mut last = 0;
        for passage in &found.all {
            assert!(passage.start >= last && passage.first_line <= passage.last_line);
            assert!(found.text.get(passage.start..passage.end).is_some());
            last = passage.start;
        }
    }
}
