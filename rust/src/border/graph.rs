//! Addresses and the graph of links: keys of pages and links in, what is reached out.

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{
    Array, BooleanArray, Int64Array, RecordBatch, StringArray, UInt8Array, make_array,
};
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;
use rayon::prelude::*;

use super::arrays::{numbers, strings, unsigned, values};
use super::{ArrayIn, ArrayOut, BorderError, Result, threads_of};
use crate::addresses;
use crate::bow_tie::{Part, bow_tie};
use crate::graph::{Edges, Graph, Nodes};

/// The normal form of an address, absolute or as seen from a base.
#[pyfunction]
#[pyo3(signature = (address, base=None))]
pub(super) fn normal_address(address: &str, base: Option<&str>) -> Option<String> {
    addresses::normal(address, base)
}

/// The key of each page's address, and of the folder that it answers for.
#[pyfunction]
pub(super) fn address_keys(
    py: Python<'_>,
    pages: PyArrowType<RecordBatch>,
    threads: usize,
) -> PyResult<(ArrayOut, ArrayOut)> {
    let pool = threads_of(threads)?;
    let urls = strings(&pages.0, "url")?;
    let keys = |of: fn(&str) -> Option<u64>| -> ArrayOut {
        let key = |url: &Option<&str>| url.and_then(of).map(|key| key as i64);
        let found: Vec<Option<i64>> =
            py.detach(|| pool.install(|| urls.par_iter().map(key).collect()));
        PyArrowType(Int64Array::from(found).to_data())
    };
    Ok((keys(addresses::page_key), keys(addresses::folder_key)))
}

/// The key of what each of these links leads to, as seen from the address beside it.
#[pyfunction]
pub(super) fn link_keys(py: Python<'_>, links: PyArrowType<RecordBatch>) -> PyResult<ArrayOut> {
    let (links, from) = (strings(&links.0, "location")?, strings(&links.0, "url")?);
    let keys: Vec<Option<i64>> = py.detach(|| {
        let mut resolver = addresses::Resolver::default();
        let pairs = links.iter().zip(&from);
        pairs
            .map(|(link, from)| {
                let base = from.and_then(addresses::Base::of_page);
                resolver.key((*link)?, base.as_ref()).map(|key| key as i64)
            })
            .collect()
    });
    Ok(PyArrowType(Int64Array::from(keys).to_data()))
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
pub(super) struct PyGraph {
    nodes: Nodes,
    edges: Option<Edges>,
    graph: Option<Graph>,
    pool: rayon::ThreadPool,
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
        self.graph = Some(py.detach(|| self.pool.install(|| edges.close(nodes))));
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
        let reached: Vec<bool> = py.detach(|| {
            let nodes = graph.reached([start].into_iter());
            of_page.iter().map(|&node| nodes[node as usize]).collect()
        });
        Ok(PyArrowType(BooleanArray::from(reached).to_data()))
    }

    /// For each page the number of its part of the bow tie.
    fn bow_tie(&self, py: Python<'_>) -> PyResult<ArrayOut> {
        let (graph, nodes) = (self.graph()?, &self.nodes);
        let parts: Vec<u8> = py.detach(|| {
            let parts: Vec<Part> = bow_tie(graph, nodes).unwrap_or_default();
            nodes.of_page().iter().map(|&node| parts[node as usize] as u8).collect()
        });
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

/// The key of each text, for what has no address: hosts.
#[pyfunction]
pub(super) fn text_keys(texts: ArrayIn) -> PyResult<ArrayOut> {
    let array = make_array(texts.0);
    let texts: &StringArray = array
        .as_string_opt::<i32>()
        .ok_or(BorderError::BadType("texts", array.data_type().clone()))?;
    let key = |text: Option<&str>| text.map(|text| addresses::text_key(text) as i64);
    Ok(PyArrowType(Int64Array::from_iter(texts.iter().map(key)).to_data()))
}
