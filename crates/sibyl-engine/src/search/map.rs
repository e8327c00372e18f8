//! A map of chunks by meaning: their vectors seen from the side that spreads them widest.

use super::retriever::{Retriever, check_length};
use super::semantic::{compared, embedded};
use super::{Filters, Providers, SearchRequest};
use crate::embed::Tier;
use crate::error::{Error, Result};
use crate::store::table::chunk::ChunkRow;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Maximum number of chunks that a map shows besides the required ones.
pub const LARGEST_SAMPLE: usize = 10_000;
/// Chunks nearest to the query that a map shows for sure.
pub const NEAREST: usize = 6;
/// Steps within which an axis is found.
const STEPS: usize = 200;
/// Change of direction between two steps below which an axis counts as found.
const STILL: f64 = 1e-9;

/// What a map shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MapRequest {
    /// Space whose vectors are shown; by default the best that covers the scope.
    pub space: Option<String>,
    /// Row id of a document whose chunks alone are shown.
    pub document_id: Option<i64>,
    /// Restrictions, as of a search.
    pub filters: Filters,
    /// A query to show among the chunks, with the [`NEAREST`] to it.
    pub query: Option<String>,
    /// Chunk ids that are always shown if they are in scope.
    pub include: Vec<String>,
    /// Maximum number of other chunks to show, spread evenly over all that have a vector; 1,200 by default, at
    /// most [`LARGEST_SAMPLE`].
    pub sample: usize,
}

impl Default for MapRequest {
    fn default() -> Self {
        Self {
            space: None,
            document_id: None,
            filters: Filters::default(),
            query: None,
            include: Vec::new(),
            sample: 1_200,
        }
    }
}

/// Chunks on their first two principal components (Pearson, Philosophical Magazine 2, 1901).
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct EmbeddingMap {
    /// Id of the space; empty if no chunk in scope has a vector.
    pub space: String,
    /// Its model.
    pub model: String,
    /// Dimensions of its vectors.
    pub dimensions: usize,
    /// Chunks in scope that have a vector.
    pub total: u64,
    /// Share of the variance of the vectors shown that each axis keeps, 0 to 1.
    pub variance: (f64, f64),
    /// The chunks, in the order they were stored in.
    pub points: Vec<MapPoint>,
    /// The place of the query; `None` if there is no query, or if a provider would have to be asked for its
    /// vector.
    pub query: Option<MapPlace>,
    /// Ids of the chunks nearest to the query by cosine similarity of the whole vectors, nearest first.
    pub nearest: Vec<String>,
}

/// A place on a map. Both axes have the same scale, and the farthest of all places is at 1 or -1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, JsonSchema)]
pub struct MapPlace {
    /// Along the component that spreads the chunks widest.
    pub x: f64,
    /// Along the next one.
    pub y: f64,
}

/// A chunk on a map.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MapPoint {
    /// Chunk id, 16 hex digits.
    pub chunk_id: String,
    /// Row id of its document.
    pub document_id: i64,
    /// Position in the document, from 0.
    pub ordinal: i64,
    /// Along the first axis.
    pub x: f64,
    /// Along the second axis.
    pub y: f64,
    /// Its pillar, else its source type.
    pub group: String,
    /// Title of its document.
    pub title: String,
}

impl Retriever {
    /// The chunks of `workspace` (a row id) that `request` asks for on a map. The query is read as a search reads
    /// it. A provider is never asked for its vector; only a vector that a search already requested is shown.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a sample that is too large or a space that is not in use. [`Error::NotFound`] for a
    /// document that the workspace does not see.
    pub async fn map(
        &self,
        workspace: i64,
        request: &MapRequest,
        providers: &Providers,
    ) -> Result<EmbeddingMap> {
        Error::within("sample", request.sample as f64, 0.0, LARGEST_SAMPLE as f64)?;
        let generations = self.store().generations().await?;
        let scope = self.scope(workspace, &request.filters).await?;
        let key = format!("{workspace} {}", self.in_force(&request.filters).key());
        let chosen = self.coverage.choose(
            self.store(),
            &providers.embedders,
            request.space.as_deref(),
            &scope,
            &key,
            generations.vector,
        );
        let Some(chosen) = chosen.await? else { return Ok(EmbeddingMap::default()) };
        let mut allowed = (*scope.allowed).clone();
        if let Some(document) = request.document_id {
            self.store().document_row(workspace, document).await?;
            allowed = allowed.within(&self.store().rows_of_document(document).await?);
        }
        let query = match &request.query {
            Some(query) => {
                check_length("query", query)?;
                let read = SearchRequest {
                    query: query.clone(),
                    filters: request.filters.clone(),
                    ..SearchRequest::default()
                };
                let plan = self.plan(workspace, &read, &scope, generations.thesaurus).await?;
                let text = embedded(compared(query), &plan.terms);
                match chosen.space.tier {
                    Tier::Remote => self.queries.kept(&chosen.id, &text),
                    _ => Some(self.queries.embed(chosen.embedder.as_ref(), &text).await?),
                }
            }
            None => None,
        };
        let allowed = Arc::new(allowed);
        let embedded_rows = match request.document_id {
            None if chosen.covered == allowed.len() => (*allowed).clone(),
            _ => self.store().covered_rows(&chosen.id, Arc::clone(&allowed)).await?,
        };
        let mut rows: BTreeSet<i64> = embedded_rows.evenly(request.sample).collect();
        rows.extend(
            self.store().rows_of_chunks(request.include.clone(), Arc::clone(&allowed)).await?.into_values(),
        );
        let nearest = match &query {
            Some(query) => self.store().nearest(&chosen.id, query, &allowed, NEAREST).await?.neighbours,
            None => Vec::new(),
        };
        rows.extend(nearest.iter().map(|near| near.chunk));
        let rows: Vec<i64> = rows.into_iter().collect();
        let mut vectors = self.store().vectors_of(&chosen.id, rows.clone()).await?;
        vectors.retain(|_, vector| vector.iter().any(|x| *x != 0.0));
        let mut chunks = self.store().chunks_by_row(workspace, rows.clone()).await?;
        let shown: Vec<(ChunkRow, Vec<f32>)> =
            rows.iter().filter_map(|row| Some((chunks.remove(row)?, vectors.remove(row)?))).collect();
        let drawing = tokio::task::spawn_blocking(move || draw(shown, query));
        let (points, place, variance) = drawing.await?;
        Ok(EmbeddingMap {
            space: chosen.id.clone(),
            model: chosen.space.model.clone(),
            dimensions: chosen.space.dimensions,
            total: embedded_rows.len(),
            variance,
            points,
            query: place,
            nearest: nearest.into_iter().map(|near| near.chunk_id).collect(),
        })
    }
}

type Drawn = (Vec<MapPoint>, Option<MapPlace>, (f64, f64));

fn draw(chunks: Vec<(ChunkRow, Vec<f32>)>, query: Option<Vec<f32>>) -> Drawn {
    let vectors: Vec<&[f32]> = chunks.iter().map(|(_, vector)| vector.as_slice()).collect();
    let plane = Plane::through(&vectors);
    let mut places: Vec<MapPlace> = vectors.iter().map(|vector| plane.place(vector)).collect();
    let mut place = query.map(|query| plane.place(&query));
    let farthest = places
        .iter()
        .chain(&place)
        .map(|place| place.x.abs().max(place.y.abs()))
        .fold(f64::MIN_POSITIVE, f64::max);
    for place in places.iter_mut().chain(&mut place) {
        place.x /= farthest;
        place.y /= farthest;
    }
    let points = chunks.into_iter().zip(places).map(|((chunk, _), place)| point(chunk, place)).collect();
    (points, place, plane.variance)
}

fn point(chunk: ChunkRow, place: MapPlace) -> MapPoint {
    let pillar = chunk.metadata.get("pillar").and_then(|pillar| pillar.as_str()).map(str::to_owned);
    MapPoint {
        chunk_id: chunk.chunk_id,
        document_id: chunk.document_id,
        ordinal: chunk.ordinal,
        x: place.x,
        y: place.y,
        group: pillar.filter(|pillar| !pillar.is_empty()).unwrap_or(chunk.source_type),
        title: chunk.title,
    }
}

/// The plane that keeps most of the variance of some vectors.
struct Plane {
    mean: Vec<f64>,
    axes: [Vec<f64>; 2],
    /// Share of the variance that each axis keeps.
    variance: (f64, f64),
}

impl Plane {
    /// The plane of the first two principal components of `vectors`, which are all of one length. The same vectors in
    /// the same order give the same plane.
    fn through(vectors: &[&[f32]]) -> Self {
        let dimensions = vectors.first().map_or(0, |vector| vector.len());
        let mut mean = vec![0.0; dimensions];
        for vector in vectors {
            for (sum, x) in mean.iter_mut().zip(*vector) {
                *sum += f64::from(*x) / vectors.len() as f64;
            }
        }
        let centred: Vec<Vec<f64>> = vectors
            .iter()
            .map(|vector| vector.iter().zip(&mean).map(|(x, m)| f64::from(*x) - m).collect())
            .collect();
        let total: f64 = centred.iter().flatten().map(|x| x * x).sum();
        let (first, kept_first) = component(&centred, &[]);
        let (second, kept_second) = component(&centred, std::slice::from_ref(&first));
        let share = |kept: f64| if total > 0.0 { kept / total } else { 0.0 };
        Self { mean, axes: [first, second], variance: (share(kept_first), share(kept_second)) }
    }

    fn place(&self, vector: &[f32]) -> MapPlace {
        let along = |axis: &[f64]| {
            vector
                .iter()
                .zip(&self.mean)
                .zip(axis)
                .map(|((x, mean), axis)| (f64::from(*x) - mean) * axis)
                .sum()
        };
        MapPlace { x: along(&self.axes[0]), y: along(&self.axes[1]) }
    }
}

/// The direction in which `centred` spreads widest at right angles to `others`, by power iteration, with the sum
/// of squares along it. Its largest coordinate is positive; all are zero if the vectors do not spread.
fn component(centred: &[Vec<f64>], others: &[Vec<f64>]) -> (Vec<f64>, f64) {
    let dimensions = centred.first().map_or(0, Vec::len);
    let rest = |vector: &[f64]| {
        let mut rest = vector.to_vec();
        for other in others {
            let along = dot(&rest, other);
            add(&mut rest, other, -along);
        }
        rest
    };
    // Only by a rare accident is the farthest vector at right angles to the widest direction.
    let begin = centred.iter().map(|vector| rest(vector)).max_by(|a, b| dot(a, a).total_cmp(&dot(b, b)));
    let Some(mut axis) = begin.and_then(|vector| unit(&vector)) else { return (vec![0.0; dimensions], 0.0) };
    let mut kept = 0.0;
    for _ in 0..STEPS {
        let mut next = vec![0.0; dimensions];
        kept = 0.0;
        for vector in centred {
            let along = dot(vector, &axis);
            kept += along * along;
            add(&mut next, vector, along);
        }
        let Some(next) = unit(&rest(&next)) else { break };
        let moved = 1.0 - dot(&next, &axis);
        axis = next;
        if moved < STILL {
            break;
        }
    }
    let largest = axis.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or_default();
    if largest < 0.0 {
        axis.iter_mut().for_each(|x| *x = -*x);
    }
    (axis, kept)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(sum: &mut [f64], other: &[f64], weight: f64) {
    for (sum, x) in sum.iter_mut().zip(other) {
        *sum += weight * x;
    }
}

/// Lengths below this are what rounding leaves of nothing.
const NOTHING: f64 = 1e-9;

fn unit(vector: &[f64]) -> Option<Vec<f64>> {
    let length = dot(vector, vector).sqrt();
    (length > NOTHING).then(|| vector.iter().map(|x| x / length).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plane(vectors: &[Vec<f32>]) -> Plane {
        Plane::through(&vectors.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    /// Points with a spread of 4 along one slanted direction, 1 along another and almost none along the third.
    fn flat() -> Vec<Vec<f32>> {
        let (a, b, c) = ([0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]);
        let mut out = Vec::new();
        for (u, v, w) in [(4.0, 0.0, 0.01), (-4.0, 0.0, -0.01), (0.0, 1.0, -0.01), (0.0, -1.0, 0.01)] {
            out.push((0..3).map(|i| (5.0 + u * a[i] + v * b[i] + w * c[i]) as f32).collect());
        }
        out
    }

    #[test]
    fn the_axes_are_the_directions_of_widest_spread() {
        let plane = plane(&flat());
        let near = |a: &[f64], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-2);
        assert!(near(&plane.axes[0], [0.6, 0.8, 0.0]), "{:?}", plane.axes);
        assert!(near(&plane.axes[1], [0.8, -0.6, 0.0]), "{:?}", plane.axes);
        let (first, second) = plane.variance;
        assert!((first - 32.0 / 34.0).abs() < 1e-3 && (second - 2.0 / 34.0).abs() < 1e-3);
        assert!(dot(&plane.axes[0], &plane.axes[1]).abs() < 1e-9);
    }

    #[test]
    fn equal_vectors_have_no_spread_and_stand_in_the_middle() {
        let vectors = vec![vec![0.5_f32, 0.5]; 3];
        let plane = plane(&vectors);
        assert_eq!(plane.variance, (0.0, 0.0));
        assert_eq!(plane.place(&vectors[0]), MapPlace::default());
    }

    #[test]
    fn nothing_has_a_plane_too() {
        assert_eq!(plane(&[]).variance, (0.0, 0.0));
    }
}
