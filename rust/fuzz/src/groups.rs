//! Any small numbers as sketches of pages: groups, clusters, pairs and stars are those that comparing
//! each page with each other one gives.

use _core::groups::agreement::SupershingleRows;
use _core::groups::candidates::Bands;
use _core::groups::clusters::{Forest, Keyed};
use _core::groups::evidence::{Evidence, Held, Resembling};
use _core::groups::repeated_values::Repeats;
use _core::sketches::shingle_sets::Sets;

use super::input::{Input, flat, joined};

const WIDTH: usize = 6;

/// The byte that asks for so many rows that groups are hot: each is compared with each other one, which takes
/// a hundred times as long, so that few inputs are to have it.
const MANY: u8 = 39;

/// Rows of so many numbers each, of few different ones. Where many are asked for, each is there more than
/// once but for a number.
fn rows(input: &mut Input<'_>, width: usize) -> Vec<Vec<u64>> {
    let (different, many) = (u64::from(input.byte() % 16) + 1, input.byte() == MANY);
    let mut rows = Vec::new();
    while !input.0.is_empty() && rows.len() < 32 {
        let mut row: Vec<u64> =
            input.take(width).iter().map(|&each| u64::from(each) % different).collect();
        row.resize(width, 0);
        rows.push(row);
    }
    if many {
        let all = rows.iter().cycle().take(if rows.is_empty() { 0 } else { 300 });
        rows = all.cloned().collect();
        for (at, row) in rows.iter_mut().enumerate() {
            row[at % width] = at as u64 % 7;
        }
    }
    rows
}

/// Clusters by supershingles that agree.
pub fn agreement(data: &[u8]) {
    let mut input = Input(data);
    let least = input.below(WIDTH) + 1;
    let rows = rows(&mut input, WIDTH);
    let forest = Forest::new(rows.len() as u32);
    let mut held = SupershingleRows::new(WIDTH);
    let flat: Vec<u64> = rows.concat();
    let mut repeats = Repeats::new(WIDTH, 1 << 12).expect("little memory");
    repeats.add(&flat);
    let counts = repeats.count(&flat);
    for (page, row) in rows.iter().enumerate() {
        let repeated = (0..WIDTH)
            .filter(|&at| rows.iter().filter(|other| other[at] == row[at]).count() > 1)
            .count();
        assert!(usize::from(counts[page]) >= repeated);
        held.push(page as u32, row);
    }
    held.unite(least, 0..WIDTH - least + 1, &forest);
    let agree = |left: usize, right: usize| {
        rows[left].iter().zip(&rows[right]).filter(|(one, other)| one == other).count() >= least
    };
    let expected = joined(rows.len(), agree);
    assert_eq!(forest.clusters().0, expected);
    let equal = Forest::new(rows.len() as u32);
    let key = |row: &Vec<u64>| [row[0], row[1]];
    equal.unite_equal((0..).zip(&rows).map(|(page, row)| Keyed { key: key(row), page }).collect());
    assert_eq!(
        equal.clusters().0,
        joined(rows.len(), |left, right| key(&rows[left]) == key(&rows[right]))
    );
}

/// Pairs, clusters and stars of candidates by bands, with sets or without.
pub fn candidates(data: &[u8]) {
    const M: usize = 8;
    const BAND: usize = 2;
    let mut input = Input(data);
    let (share, bits) = (f64::from(input.byte() % 101) / 100.0, input.byte());
    let fixed = u32::from(input.byte());
    let rows = rows(&mut input, M);
    let features = rows.concat();
    let pages: Vec<u32> = (0..rows.len() as u32).collect();
    let mut bands = Bands::new(BAND);
    bands.begin(M / BAND, 0).expect("memory");
    bands.add(&pages, &features, M, None);
    let candidates = bands.close().expect("memory");
    let agree = |left: usize, right: usize| {
        let of = |row: usize| rows[row].chunks(BAND);
        of(left).zip(of(right)).any(|(one, other)| one == other)
    };
    let others = |row: usize| (0..rows.len()).filter(move |&other| other != row);
    let members: Vec<usize> =
        (0..rows.len()).filter(|&row| others(row).any(|other| agree(row, other))).collect();
    assert!(candidates.members().iter().map(|&each| each as usize).eq(members.iter().copied()));
    // The sets of members are those of their features' values, here and there one is missing.
    let sets: Vec<Vec<u64>> = members
        .iter()
        .map(|&row| {
            let mut set = rows[row].clone();
            set.sort_unstable();
            set.dedup();
            set
        })
        .collect();
    let (values, mut starts, ends) = flat(&sets);
    if bits & 1 != 0 {
        starts.iter_mut().step_by(3).for_each(|start| *start = -1);
    }
    let known = Sets { values: &values, starts: &starts, ends: &ends };
    let own: Vec<u64> = members.iter().flat_map(|&row| rows[row].clone()).collect();
    let evidence = Evidence {
        held: Held::Shingles,
        sets: (bits & 2 == 0).then_some(known),
        features: &own,
        m: M,
    };
    let holds = |left: usize, right: usize| {
        let place = |row: usize| members.binary_search(&row).ok();
        let (Some(one), Some(other)) = (place(left), place(right)) else { return false };
        agree(left, right) && evidence.compare(one as u32, other as u32, share).is_some()
    };
    let mut expected: Vec<(u32, u32)> = Vec::new();
    for right in 0..rows.len() {
        expected.extend(
            (0..right).filter(|&left| holds(left, right)).map(|left| (left as u32, right as u32)),
        );
    }
    let mut found: Vec<(u32, u32)> = (0..candidates.bands())
        .flat_map(|band| candidates.pairs(band, evidence, share))
        .chain(candidates.hot_pairs(evidence, share).expect("memory"))
        .map(|pair| (pair.left, pair.right))
        .collect();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
    let forest = Forest::new(rows.len() as u32);
    candidates.unite(evidence, share, &forest).expect("memory");
    let is_pair =
        |left: usize, right: usize| expected.binary_search(&(left as u32, right as u32)).is_ok();
    assert_eq!(forest.clusters().0, joined(rows.len(), is_pair));
    // Stars: the first come stay, unless one that stays holds them.
    let ranks: Vec<u32> = (0..members.len() as u32).map(|at| at.wrapping_mul(7) % 5).collect();
    let prefixes = candidates.prefixes(&Resembling::new(evidence, share)).expect("memory");
    let compare = |one, other| evidence.compare(one, other, share).is_some();
    let mut stars = candidates.stars(compare, prefixes.as_ref(), &ranks, fixed).expect("memory");
    stars.sort_unstable();
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_by_key(|&at| (ranks[at], at));
    let (mut stay, mut gone): (Vec<usize>, Vec<(u32, u32)>) = (Vec::new(), Vec::new());
    for at in order {
        let row = members[at];
        let pair = |&&other: &&usize| holds(other.min(row), other.max(row));
        match stay.iter().find(pair).filter(|_| row as u32 >= fixed) {
            Some(&with) => gone.push((row as u32, with as u32)),
            None => stay.push(row),
        }
    }
    gone.sort_unstable();
    assert_eq!(stars, gone);
}
