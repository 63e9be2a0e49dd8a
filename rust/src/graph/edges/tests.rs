use super::*;
use crate::fingerprints::mixing::mix;

/// Edges at random, some of them twice; about two for each node.
fn random(nodes: u32, seed: u64) -> Vec<(u32, u32)> {
    let number = |n: u64| (mix(seed << 32 | n) % u64::from(nodes)) as u32;
    (0..u64::from(nodes) * 2).map(|n| (number(2 * n), number(2 * n + 1))).collect()
}

fn graph(nodes: u32, edges: &[(u32, u32)]) -> Graph {
    let mut all = Edges::with_capacity(edges.len());
    all.add(edges.iter().copied());
    all.add(edges[..edges.len() / 3].iter().copied());
    all.close(nodes as usize)
}

/// Which nodes are reached from which, by trying all ways through each node (Warshall 1962).
fn closure(nodes: u32, edges: &[(u32, u32)]) -> Vec<Vec<bool>> {
    let count = nodes as usize;
    let mut reached = vec![vec![false; count]; count];
    (0..count).for_each(|node| reached[node][node] = true);
    edges.iter().for_each(|&(from, to)| reached[from as usize][to as usize] = true);
    for via in 0..count {
        let onward = reached[via].clone();
        for row in &mut reached {
            if row[via] {
                row.iter_mut().zip(&onward).for_each(|(here, there)| *here |= there);
            }
        }
    }
    reached
}

#[test]
fn reaching_and_components_are_those_of_trying_all_ways() {
    for seed in 0..60 {
        let nodes = 1 + (mix(seed) % 40) as u32;
        let edges = random(nodes, seed);
        let (found, ways) = (graph(nodes, &edges), closure(nodes, &edges));
        let reverse = found.reversed();
        let components = found.components();
        for node in 0..nodes {
            assert_eq!(found.reached([node].into_iter()), ways[node as usize]);
            let back: Vec<bool> = ways.iter().map(|row| row[node as usize]).collect();
            assert_eq!(reverse.reached([node].into_iter()), back);
            for other in 0..nodes {
                let (here, there) = (node as usize, other as usize);
                let together = ways[here][there] && ways[there][here];
                assert_eq!(components[here] == components[there], together, "{node} {other}");
            }
        }
    }
}

#[test]
fn edges_are_held_once_and_in_order() {
    let found = graph(4, &[(2, 1), (0, 3), (2, 0), (0, 3), (1, 1)]);
    assert_eq!(found.edges(), 3);
    let lists: Vec<&[u32]> = (0..4).map(|node| found.from(node)).collect();
    assert_eq!(lists, [&[3][..], &[], &[0, 1], &[]]);
    let reverse = found.reversed();
    let lists: Vec<&[u32]> = (0..4).map(|node| reverse.from(node)).collect();
    assert_eq!(lists, [&[2][..], &[2], &[], &[0]]);
}

#[test]
fn long_chains_and_rings() {
    let nodes = 500_000;
    let chain: Vec<(u32, u32)> = (1..nodes).map(|node| (node - 1, node)).collect();
    let found = graph(nodes, &chain);
    let mut components = found.components();
    components.sort_unstable();
    components.dedup();
    assert_eq!(components.len(), nodes as usize);
    assert!(found.reached([0].into_iter()).into_iter().all(|reached| reached));
    let ring = [&chain[..], &[(nodes - 1, 0)]].concat();
    assert!(graph(nodes, &ring).components().into_iter().all(|component| component == 0));
}
