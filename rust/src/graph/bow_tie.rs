//! *Bow tie* (Broder and others 2000, which Pereira 2006 and Baeza-Yates 2007 go by): how the nodes of
//! a graph lie about its core.
//!
//! - *core*: the strongly connected component that holds most pages; of several, that with the first
//! - *in*: what reaches the core and is not reached by it; *out*: what the core reaches
//! - *tubes*: what `in` reaches and what reaches `out`, not by way of the core
//! - *tendrils*: whatever else hangs together with these, whichever way its links run: what `in`
//!   reaches, what reaches `out`, and what is connected with the core by such nodes alone
//! - *disconnected*: all the rest

use super::edges::{Graph, spread};
use super::nodes::Nodes;

/// Where a node lies; a number that the border hands on as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Core = 0,
    In = 1,
    Out = 2,
    Tube = 3,
    Tendril = 4,
    Disconnected = 5,
}

/// The part of each node, and which component the core is; none where there are no nodes.
pub fn bow_tie(graph: &Graph, nodes: &Nodes) -> Option<Vec<Part>> {
    let components = graph.components();
    let core = largest(&components, nodes.pages())?;
    let reverse = graph.reversed();
    let all = || 0..graph.len() as u32;
    let in_core = |node: &u32| components[*node as usize] == core;
    let forward = graph.reached(all().filter(in_core));
    let backward = reverse.reached(all().filter(in_core));
    let (before, after) = (
        |node: &u32| backward[*node as usize] && !in_core(node),
        |node: &u32| forward[*node as usize] && !in_core(node),
    );
    let from_in = graph.reached(all().filter(before));
    let to_out = reverse.reached(all().filter(after));
    let connected = spread(&[graph, &reverse], graph.len(), all().filter(in_core));
    let part = |node: u32| {
        let at = node as usize;
        if in_core(&node) {
            Part::Core
        } else if backward[at] {
            Part::In
        } else if forward[at] {
            Part::Out
        } else if from_in[at] && to_out[at] {
            Part::Tube
        } else if connected[at] {
            Part::Tendril
        } else {
            Part::Disconnected
        }
    };
    Some(all().map(part).collect())
}

/// The component with the most pages; of several that with the first node.
fn largest(components: &[u32], pages: &[u32]) -> Option<u32> {
    let mut sizes = vec![0u64; components.len()];
    for (&component, &count) in components.iter().zip(pages) {
        sizes[component as usize] += u64::from(count);
    }
    let most = sizes.iter().max().copied()?;
    components.iter().copied().find(|&component| sizes[component as usize] == most)
}

#[cfg(test)]
mod tests {
    use super::Part::*;
    use super::*;
    use crate::graph::edges::Edges;

    fn drawn(nodes: u32, edges: &[(u32, u32)]) -> Vec<Part> {
        let mut all = Edges::default();
        all.add(edges.iter().copied());
        let keys = (0..nodes).map(|node| Some(u64::from(node)));
        let keys: Vec<_> = keys.collect();
        bow_tie(&all.close(nodes as usize), &Nodes::new(keys.into_iter())).unwrap()
    }

    #[test]
    fn a_bow_tie_drawn_by_hand() {
        //    0 → 1 → (2 ⇄ 3 ⇄ 4) → 5 → 6        in: 0 1   core: 2 3 4   out: 5 6
        //    0 → 7 → 6                           tube: 7
        //    1 → 8 → 9, 10 → 5                   tendrils: 8 9 10 …
        //    11 → 9, 10 → 12                     … and 11 12, which hang on them
        //    13 ⇄ 14, 15                         disconnected
        let parts = drawn(
            16,
            &[
                (0, 1),
                (1, 2),
                (2, 3),
                (3, 2),
                (3, 4),
                (4, 3),
                (4, 5),
                (5, 6),
                (0, 7),
                (7, 6),
                (1, 8),
                (8, 9),
                (10, 5),
                (11, 9),
                (10, 12),
                (13, 14),
                (14, 13),
            ],
        );
        let mut expected = vec![In, In, Core, Core, Core, Out, Out, Tube];
        expected.extend([Tendril; 5]);
        expected.extend([Disconnected; 3]);
        assert_eq!(parts, expected);
    }

    #[test]
    fn without_links_the_first_page_is_the_core() {
        assert_eq!(drawn(3, &[]), [Core, Disconnected, Disconnected]);
        assert_eq!(drawn(3, &[(0, 1), (1, 2)]), [Core, Out, Out]);
        let none: Vec<Option<u64>> = Vec::new();
        assert!(bow_tie(&Edges::default().close(0), &Nodes::new(none.into_iter())).is_none());
    }

    #[test]
    fn the_core_holds_most_pages_not_most_nodes() {
        // Nodes 0 ⇄ 1, and 2 alone with three pages.
        let keys = [Some(1), Some(2), Some(3), Some(3), Some(3)];
        let nodes = Nodes::new(keys.into_iter());
        let mut edges = Edges::default();
        edges.add([(0, 1), (1, 0), (0, 2)].into_iter());
        assert_eq!(bow_tie(&edges.close(3), &nodes).unwrap(), [In, In, Core]);
    }
}
