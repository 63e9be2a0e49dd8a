use super::*;

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

#[test]
fn pages_with_one_address_are_one_node() {
    let nodes = Nodes::new([Some(7), None, Some(9), Some(7), None].into_iter());
    assert_eq!(nodes.of_page(), [0, 1, 2, 0, 3]);
    assert_eq!(nodes.pages(), [2, 1, 1, 1]);
    assert_eq!((nodes.find(7), nodes.find(9), nodes.find(8)), (Some(0), Some(2), None));
}

#[test]
fn an_address_comes_before_a_redirect_and_that_before_a_folder() {
    // Pages 10, 20 and 30; 30 is the first page of folder 31, 20 of 21 and of 10.
    let mut nodes = Nodes::new([Some(10), Some(20), Some(30)].into_iter());
    let folders = [(31, 2), (21, 1), (10, 1)];
    // 40 → 41 → 31; 21 → 10; 20 has a page; 50 and 51 lead to each other, 60 out of the collection.
    let mut redirects =
        vec![(40, 41), (41, 31), (21, 10), (20, 30), (50, 51), (51, 50), (60, 99), (40, 10)];
    // http to https is one address: 70 → 70 → 71 → 20, and 31 → 31, whose folder has a page.
    redirects.extend([(70, 70), (70, 71), (71, 71), (71, 20), (31, 31)]);
    nodes.answer(folders.into_iter(), redirects.into_iter());
    let found = [10, 20, 30, 31, 21, 40, 41, 50, 51, 60, 70].map(|key| nodes.find(key));
    let expected =
        [Some(0), Some(1), Some(2), Some(2), Some(0), Some(2), Some(2), None, None, None, Some(1)];
    assert_eq!(found, expected);
}
