//! `Graph`: keys of pages and links in, what is reached out.

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, BooleanArray, UInt8Array, make_array};
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;
use rayon::prelude::*;

use super::arrays::{ArrayIn, ArrayOut, numbers, unsigned, values};
use super::errors::{BorderError, Result};
use super::threads::{Threads, threads_of};
use crate::graph::bow_tie::{Part, bow_tie};
use crate::graph::edges::{Edges, Graph};
use crate::graph::nodes::Nodes;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyGraph>()
}

/// Keys, where there are any.
fn optional(array: &ArrayIn) -> Result<Vec<Option<u64>>> {
    let array = make_array(array.0.clone());
    let keys = array
        .as_primitive_opt::<Int64Type>()
        .ok_or_else(|| BorderError::BadType("keys", array.data_type().clone()))?;
    Ok(keys.iter().map(|key| key.map(|key| key as u64)).collect())
}

#[pyclass(name = "Graph")]
pub struct PyGraph {
    nodes: Nodes,
    edges: Option<Edges>,
    graph: Option<Graph>,
    pool: Threads,
}

#[pymethods]
impl PyGraph {
    #[new]
    #[pyo3(signature = (keys, folders=None, redirects=None, *, links=0, threads=1))]
    fn new(
        py: Python<'_>,
        keys: ArrayIn,
        folders: Option<ArrayIn>,
        redirects: Option<(ArrayIn, ArrayIn)>,
        links: usize,
        threads: usize,
    ) -> PyResult<PyGraph> {
        let keys = optional(&keys)?;
        if u32::try_from(keys.len()).is_err() {
            return Err(BorderError::BadValue(format!("{} pages", keys.len())).into());
        }
        let folders = folders.map(|folders| optional(&folders)).transpose()?.unwrap_or_default();
        let redirects = redirects
            .map(|(from, to)| Ok::<_, BorderError>((optional(&from)?, optional(&to)?)))
            .transpose()?
            .unwrap_or_default();
        let nodes = py.detach(|| {
            let mut nodes = Nodes::new(keys.into_iter());
            let folders = folders.into_iter().enumerate();
            let redirects = redirects.0.into_iter().zip(redirects.1);
            nodes.answer(
                folders.filter_map(|(page, key)| Some((key?, page as u32))),
                redirects.filter_map(|(from, to)| Some((from?, to?))),
            );
            nodes
        });
        let edges = Some(Edges::with_capacity(links));
        Ok(PyGraph { nodes, edges, graph: None, pool: threads_of(threads)? })
    }

    /// Adds links from pages to keys: how many of them lead to pages.
    fn add(&mut self, py: Python<'_>, pages: ArrayIn, targets: ArrayIn) -> PyResult<usize> {
        let (pages, targets) = (numbers(&pages)?, values(&targets)?);
        let of_page = self.nodes.of_page();
        if let Some(page) = pages.iter().find(|&&page| page as usize >= of_page.len()) {
            return Err(BorderError::BadValue(format!("page {page} of {}", of_page.len())).into());
        }
        let from: Vec<Option<u32>> =
            pages.iter().map(|&page| Some(of_page[page as usize])).collect();
        Ok(py.detach(|| self.take(&from, unsigned(&targets)))?)
    }

    /// Adds links between keys: how many of them lead from pages to pages.
    fn add_between(&mut self, py: Python<'_>, from: ArrayIn, to: ArrayIn) -> PyResult<usize> {
        let (from, to) = (values(&from)?, values(&to)?);
        let nodes = &self.nodes;
        let find = || unsigned(&from).par_iter().map(|&key| nodes.find(key)).collect();
        let from: Vec<Option<u32>> = py.detach(|| self.pool.install(find));
        Ok(py.detach(|| self.take(&from, unsigned(&to)))?)
    }

    /// Ends the adding.
    fn close(&mut self, py: Python<'_>) -> PyResult<()> {
        let edges = self.edges.take().ok_or_else(closed)?;
        let nodes = self.nodes.len();
        self.graph = Some(self.pool.run(py, || edges.close(nodes))?);
        Ok(())
    }

    #[getter]
    fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The different edges.
    #[getter]
    fn edges(&self) -> PyResult<usize> {
        Ok(self.graph()?.edges())
    }

    /// The first page with this key, if there is one.
    fn page_at(&self, key: i64) -> Option<usize> {
        let node = self.nodes.find(key as u64)?;
        self.nodes.of_page().iter().position(|&each| each == node)
    }

    /// For each page whether it is reached from a page.
    fn reached(&self, py: Python<'_>, page: usize) -> PyResult<ArrayOut> {
        let (graph, of_page) = (self.graph()?, self.nodes.of_page());
        let text = || BorderError::BadValue(format!("page {page} of {}", of_page.len()));
        let start = *of_page.get(page).ok_or_else(text)?;
        let reached: Vec<bool> = self.pool.run(py, || {
            let nodes = graph.reached([start].into_iter());
            of_page.iter().map(|&node| nodes[node as usize]).collect()
        })?;
        Ok(PyArrowType(BooleanArray::from(reached).to_data()))
    }

    /// For each page the number of its part of the bow tie.
    fn bow_tie(&self, py: Python<'_>) -> PyResult<ArrayOut> {
        let (graph, nodes) = (self.graph()?, &self.nodes);
        let parts: Vec<u8> = self.pool.run(py, || {
            let parts: Vec<Part> = bow_tie(graph, nodes).unwrap_or_default();
            nodes.of_page().iter().map(|&node| parts[node as usize] as u8).collect()
        })?;
        Ok(PyArrowType(UInt8Array::from(parts).to_data()))
    }
}

impl PyGraph {
    fn graph(&self) -> Result<&Graph> {
        self.graph.as_ref().ok_or_else(|| BorderError::BadValue("the graph is not closed".into()))
    }

    fn take(&mut self, from: &[Option<u32>], to: &[u64]) -> Result<usize> {
        if from.len() != to.len() {
            return Err(BorderError::BadValue(format!("{} and {} links", from.len(), to.len())));
        }
        let nodes = &self.nodes;
        let found: Vec<(u32, u32)> = self.pool.install(|| {
            let pairs = from.par_iter().zip(to);
            pairs.filter_map(|(from, &to)| Some(((*from)?, nodes.find(to)?))).collect()
        });
        let count = found.len();
        self.edges.as_mut().ok_or_else(closed)?.add(found.into_iter());
        Ok(count)
    }
}

fn closed() -> BorderError {
    BorderError::BadValue("the graph is closed already".into())
}
