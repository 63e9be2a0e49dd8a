//! Any small numbers as pages and links: components and the bow tie are what following all links gives.

use _core::graph::bow_tie::{Part, bow_tie};
use _core::graph::edges::Edges;
use _core::graph::nodes::Nodes;

use super::input::Input;

pub fn run(data: &[u8]) {
    let mut input = Input(data);
    let (pages, different) = (input.below(40) + 1, u64::from(input.byte() % 50) + 1);
    let keys: Vec<Option<u64>> =
        input.take(pages).iter().map(|&each| Some(u64::from(each)).filter(|k| *k > 0)).collect();
    let keys: Vec<Option<u64>> = keys.into_iter().map(|key| key.map(|k| k % different)).collect();
    let mut nodes = Nodes::new(keys.iter().copied());
    let extra = input.byte();
    let (folders, redirects) =
        (input.take(usize::from(extra & 7)), input.take(usize::from(extra >> 4) * 2));
    nodes.answer(
        folders.iter().map(|&each| (100 + u64::from(each), u32::from(each))),
        redirects.chunks_exact(2).map(|two| (u64::from(two[0]), u64::from(two[1]))),
    );
    assert_eq!(nodes.of_page().len(), keys.len());
    assert_eq!(nodes.pages().iter().sum::<u32>() as usize, keys.len());
    for (page, key) in keys.iter().enumerate() {
        assert!(key.is_none_or(|key| nodes.find(key) == Some(nodes.of_page()[page])));
    }
    let count = nodes.len();
    let mut edges = Edges::default();
    let links: Vec<(u32, u32)> = input
        .0
        .chunks_exact(2)
        .filter(|_| count > 0)
        .map(|two| (u32::from(two[0]) % count as u32, u32::from(two[1]) % count as u32))
        .collect();
    edges.add(links.iter().copied());
    let graph = edges.close(count);
    let mut reaches = vec![vec![false; count]; count];
    for (node, row) in reaches.iter_mut().enumerate() {
        row[node] = true;
    }
    for &(from, to) in &links {
        reaches[from as usize][to as usize] = true;
        assert!(from == to || graph.from(from).binary_search(&to).is_ok());
    }
    for by in 0..count {
        for from in 0..count {
            if reaches[from][by] {
                let onward = reaches[by].clone();
                reaches[from].iter_mut().zip(onward).for_each(|(here, there)| *here |= there);
            }
        }
    }
    let components = graph.components();
    for one in 0..count {
        for other in 0..count {
            let both = reaches[one][other] && reaches[other][one];
            assert_eq!(components[one] == components[other], both);
        }
    }
    assert_eq!(graph.reversed().reversed().edges(), graph.edges());
    let Some(parts) = bow_tie(&graph, &nodes) else { return assert_eq!(count, 0) };
    let core = parts.iter().position(|part| *part == Part::Core).expect("there is a node");
    for (node, part) in parts.iter().enumerate() {
        let (to, from) = (reaches[node][core], reaches[core][node]);
        assert_eq!(*part == Part::Core, to && from);
        assert_eq!(*part == Part::In, to && !from);
        assert_eq!(*part == Part::Out, from && !to);
    }
}
