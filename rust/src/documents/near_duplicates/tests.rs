use super::*;
use crate::fingerprints::mixing::mix;

/// Documents of made-up lengths from a pool in which some paragraphs are much more frequent.
fn made(seed: u64, count: u64, pool: u64, longest: u64) -> Vec<Vec<u64>> {
    (0..count)
        .map(|document| {
            let draw = |place: u64| mix(mix(seed * 10_000 + document) ^ mix(place));
            let length = 1 + draw(1 << 40) % longest;
            (0..length)
                .map(|place| {
                    let high = draw(place);
                    // The lowest numbers are drawn most often.
                    let bound = 1 + high % pool;
                    draw(place + (1 << 20)) % bound
                })
                .collect()
        })
        .collect()
}

fn flat(documents: &[Vec<u64>]) -> (Vec<u64>, Vec<i64>, Vec<i64>) {
    let (mut values, mut starts, mut ends) = (vec![], vec![], vec![]);
    for document in documents {
        starts.push(values.len() as i64);
        values.extend(document);
        ends.push(values.len() as i64);
    }
    (values, starts, ends)
}

/// Clusters by all pairs, counted one by one.
fn brute_force(documents: &[Vec<u64>], p: f64) -> Vec<u32> {
    let forest = Forest::new(documents.len() as u32);
    for (i, left) in documents.iter().enumerate() {
        for (j, right) in documents.iter().enumerate().skip(i + 1) {
            let mut rest = right.clone();
            let mut common = 0;
            for value in left {
                if let Some(at) = rest.iter().position(|other| other == value) {
                    rest.swap_remove(at);
                    common += 1;
                }
            }
            let most = left.len().max(right.len());
            if most > 0 && f64::from(common) / most as f64 >= p {
                forest.unite(i as u32, j as u32);
            }
        }
    }
    forest.clusters().0
}

fn near(documents: &[Vec<u64>], p: f64, hot: u32) -> Vec<u32> {
    let (values, starts, ends) = flat(documents);
    let all = Documents::new(&values, &starts, &ends).unwrap();
    let forest = Forest::new(documents.len() as u32);
    all.unite_equal(&forest);
    let wanted: Vec<u32> =
        forest.lowest().enumerate().filter(|(_, low)| *low).map(|(at, _)| at as u32).collect();
    unite_near_hot(&all, &wanted, p, &forest, hot);
    forest.clusters().0
}

#[test]
fn clusters_are_those_of_all_pairs_however_hot_paragraphs_are() {
    for seed in 0..40 {
        for (count, pool, longest) in [(60, 30, 6), (80, 300, 12), (50, 8, 4), (70, 1000, 20)] {
            let documents = made(seed, count, pool, longest);
            for p in [1.0, 0.9, 0.7, 0.5, 0.2] {
                let expected = brute_force(&documents, p);
                for hot in [1, 2, 5, HOT] {
                    assert_eq!(near(&documents, p, hot), expected, "{seed} {count} {p} {hot}");
                }
            }
        }
    }
}

#[test]
fn a_share_is_counted_as_the_definition_has_it() {
    // 7 of 10 are 0.7, although 0.7 · 10 may be rounded up; 9 of 10 are 0.9.
    for (p, n, fewest) in [(0.7, 10, 7), (0.9, 10, 9), (0.5, 3, 2), (0.5, 1, 1), (1.0, 7, 7)] {
        assert_eq!(least(p, n), fewest);
    }
    for n in 1..2000 {
        for percent in 1..=100 {
            let p = f64::from(percent) / 100.0;
            let fewest = least(p, n);
            assert!(f64::from(fewest) / f64::from(n) >= p);
            assert!(fewest == 1 || f64::from(fewest - 1) / f64::from(n) < p);
        }
    }
}

#[test]
fn a_paragraph_that_all_have_is_not_compared_by_all() {
    // Half of each document is the same on 200,000 documents: all pairs are 2 · 10¹⁰.
    let documents: Vec<Vec<u64>> =
        (0..200_000u64).map(|each| vec![1, 2, 10 + 2 * each, 11 + 2 * each]).collect();
    assert!(near(&documents, 0.5, HOT).iter().all(|&cluster| cluster == 0));
    let apart = near(&documents, 0.7, HOT);
    assert!(apart.iter().enumerate().all(|(at, &cluster)| cluster == at as u32));
}
