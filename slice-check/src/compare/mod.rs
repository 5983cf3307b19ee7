//! Compares the slices of two models of the same network, and what the models do with them.

mod chains;
mod data_flow;
mod element;

mod inputs;

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use crate::model::ValueId;
use crate::model::steps::HashSet;
use crate::report::{Report, report};
use crate::{Model, ModelError};
pub use chains::Chain;
pub(crate) use chains::{chains, same_in_any_order};
use data_flow::{Evaluation, Join};
use element::Mode;

/// The result of comparing two models.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Comparison {
    /// The reports on both models.
    #[serde(skip)]
    pub reports: [Report; 2],
    /// The slices of each model.
    pub slices: [Vec<Chain>; 2],
    /// Whether each slice of one model has an equal in the other, in any order and any number.
    pub has_same_slices: bool,
    /// Whether the slices at each index are equal.
    pub has_same_order: bool,
    /// The first difference, if there is one.
    pub difference: Option<Difference>,
    /// If the outputs of the models were not compared, but only their slices and the order in which the slices are joined:
    /// the reason.
    pub not_compared: Option<NotCompared>,
}

/// The reason why the outputs of two models were not compared.
///
/// # Examples
///
/// ```
/// use slice_check::Model;
/// use slice_check::compare::{NotCompared, compare};
///
/// let model = |operation: &str| {
///     let text = format!(
///         "func.func @main(%x: tensor<8xf32>) -> tensor<4xf32> {{
///            %0 = stablehlo.slice %x [0:4] : (tensor<8xf32>) -> tensor<4xf32>
///            %1 = stablehlo.{operation} %0 : tensor<4xf32>
///            return %1 : tensor<4xf32>
///          }}"
///     );
///     Model::from_bytes(text.into())
/// };
/// let comparison = compare(&model("tanh")?, &model("exponential")?)?;
/// let reason = comparison.not_compared.expect("the models have different operations");
/// assert!(matches!(reason, NotCompared::Operations(_)));
/// # Ok::<(), slice_check::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NotCompared {
    /// The models have different operations, such as the one with this name.
    Operations(String),
    /// The models have different numbers of outputs.
    Outputs([usize; 2]),
    /// The models have different formats, and this number of operations in one of them may depend on the format.
    Formats(usize),
    /// This number of shapes in one of the models is unknown.
    Shapes(usize),
    /// A model is too large.
    Size,
}

impl fmt::Display for NotCompared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotCompared::Operations(name) => {
                write!(f, "the models have different operations, such as `{name}`")
            }
            NotCompared::Outputs([one, other]) => {
                write!(f, "one model has {one} outputs, and the other has {other}")
            }
            NotCompared::Formats(count) => write!(
                f,
                "the formats differ, and {count} operations, such as matrix products, may depend on the format"
            ),
            NotCompared::Shapes(count) => write!(f, "{count} shapes are unknown"),
            NotCompared::Size => f.write_str("a model is too large"),
        }
    }
}

/// A difference between two models. The example of [`compare`] finds one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Difference {
    /// The index of the first slice of each model that has no equal in the other model, or that the other model uses
    /// differently.
    Slices([Option<usize>; 2]),
    /// The names of values that are computed from the same slices in different ways.
    Values([String; 2]),
}

/// Compares the slices of two models of the same network, and what the models do with them: the positions of slices in
/// concatenations and stacks, and of operands that cannot be exchanged.
///
/// If both models have the same operations, apart from slices and other operations that move elements or compute sums,
/// differences, products and quotients, the models are evaluated with hashes in place of numbers, which finds almost
/// every difference however the models are written. Otherwise, only slices and how they are joined are compared, up to
/// the next operation that is not an elementwise operation, and [`Comparison::not_compared`] states the reason. The
/// values of weights are never compared.
///
/// # Errors
///
/// Returns an error if a model is invalid, or if there are too many slices to compare.
///
/// # Examples
///
/// ```
/// use slice_check::Model;
/// use slice_check::compare::{Difference, compare};
///
/// let model = |slice: &str| {
///     let text = format!(
///         "func.func @main(%x: tensor<8xf32>) -> tensor<4xf32> {{
///            %0 = stablehlo.slice %x [{slice}] : (tensor<8xf32>) -> tensor<4xf32>
///            return %0 : tensor<4xf32>
///          }}"
///     );
///     Model::from_bytes(text.into())
/// };
/// assert_eq!(compare(&model("0:8:2")?, &model("0:7:2")?)?.difference, None);
///
/// let comparison = compare(&model("0:8:2")?, &model("0:4:1")?)?;
/// assert!(!comparison.has_same_slices);
/// assert_eq!(comparison.slices[0][0].slice, "x[::2]");
/// assert_eq!(comparison.slices[1][0].slice, "x[:4]");
/// assert_eq!(comparison.difference, Some(Difference::Slices([Some(0), Some(0)])));
/// # Ok::<(), slice_check::ModelError>(())
/// ```
pub fn compare(one: &Model, other: &Model) -> Result<Comparison, ModelError> {
    let reports = [report(&one.graph, None)?, report(&other.graph, None)?];
    let slices = [chains(one, &reports[0])?, chains(other, &reports[1])?];
    let [first, second] = &slices;
    let missing = chains::first_missing(first, second, Chain::matches)?;
    let has_same_order = chains::match_in_order(first, second)?;
    let is_same_format = one.format() == other.format();
    let graphs = inputs::with_equal_lengths(&one.graph, &other.graph)?;
    let has_same_slices = missing == [None, None];
    let equality = equality(&graphs, is_same_format);
    let not_compared = equality.as_ref().err().cloned();
    let difference = match equality {
        Ok(Equality::Always) => None,
        Ok(Equality::ForSomeLengths) if has_same_slices => None,
        _ if !has_same_slices => Some(Difference::Slices(missing)),
        Ok(Equality::Never(values)) => Some(used_differently(first, second, values)?),
        _ => first_different_join(&graphs)
            .map(|values| used_differently(first, second, values))
            .transpose()?,
    };
    Ok(Comparison {
        reports,
        slices,
        has_same_slices,
        has_same_order,
        difference,
        not_compared,
    })
}

/// Returns the first slices that are used differently, or the given values if the uses of all slices look the same.
fn used_differently(
    one: &[Chain],
    other: &[Chain],
    values: [String; 2],
) -> Result<Difference, ModelError> {
    let missing = chains::first_missing(one, other, Chain::matches_with_uses)?;
    Ok(match missing {
        [None, None] => Difference::Values(values),
        missing => Difference::Slices(missing),
    })
}

enum Equality {
    /// All outputs that depend on slices are equal.
    Always,
    /// These outputs are equal for some lengths of the axes whose lengths are unknown.
    ForSomeLengths,
    /// The outputs with these names differ.
    Never([String; 2]),
}

/// Compares all outputs that depend on slices.
///
/// # Errors
///
/// Returns the reason why the outputs cannot be compared.
fn equality(graphs: &inputs::Graphs<'_>, is_same_format: bool) -> Result<Equality, NotCompared> {
    let evaluations = graphs.evaluate(Mode::Exact, is_same_format);
    let [one, other] = evaluations.ok_or(NotCompared::Size)?;
    let output_counts = [one.outputs.len(), other.outputs.len()];
    if output_counts[0] != output_counts[1] {
        return Err(NotCompared::Outputs(output_counts));
    }
    let outputs = |at: usize, evaluation: &Evaluation| -> Vec<(Arc<str>, u64)> {
        let name = |value: ValueId| Arc::clone(&graphs.graph(at).values[value].name);
        let outputs = evaluation.outputs.iter();
        outputs.map(|&(value, hash)| (name(value), hash)).collect()
    };
    let (mut first, mut second) = (outputs(0, &one), outputs(1, &other));
    let declare_order = (0..2).all(|at| !graphs.graph(at).outputs.is_empty());
    let sorted = |outputs: &[(Arc<str>, u64)]| {
        let mut names: Vec<Arc<str>> = outputs.iter().map(|(name, _)| Arc::clone(name)).collect();
        names.sort();
        names
    };
    if sorted(&first) == sorted(&second) {
        first.sort();
        second.sort();
    } else if !declare_order {
        first.sort_by_key(|(_, hash)| *hash);
        second.sort_by_key(|(_, hash)| *hash);
    }
    let mut pairs = first.into_iter().zip(second);
    let different = pairs.find(|((_, one), (_, other))| one != other);
    let Some(((first, _), (second, _))) = different else {
        let is_thorough = one.is_thorough && other.is_thorough && graphs.lengths_are_known;
        return Ok(match is_thorough {
            true => Equality::Always,
            false => Equality::ForSomeLengths,
        });
    };
    // Formats differ in the order of the axes and operands of operations that mix positions.
    let unknown_shapes = one.unknown_shapes.max(other.unknown_shapes);
    if is_same_format && one.unknown_shapes != other.unknown_shapes
        || !is_same_format && unknown_shapes > 0
    {
        return Err(NotCompared::Shapes(unknown_shapes));
    }
    if !is_same_format && one.mixed > 0 {
        return Err(NotCompared::Formats(one.mixed));
    }
    let is_different = |name: &&String| one.operations.get(*name) != other.operations.get(*name);
    let mut names = one.operations.keys().chain(other.operations.keys());
    match names.find(is_different) {
        Some(name) if !(is_same_format && is_extended(&one, &other)) => {
            Err(NotCompared::Operations(name.clone()))
        }
        _ => Ok(Equality::Never(
            [first, second].map(|name| name.to_string()),
        )),
    }
}

/// Returns `true` if one of two models of the same format has an operation that no converter removes, and if the other
/// model has no operation that may replace it.
fn is_extended(one: &Evaluation, other: &Evaluation) -> bool {
    let extends = |one: &Evaluation, other: &Evaluation| {
        let mut irremovable = one.irremovable.iter();
        let mut others = other.operations.keys();
        irremovable.any(|name| !other.operations.contains_key(name))
            && others.all(|name| one.operations.contains_key(name))
    };
    extends(one, other) || extends(other, one)
}

/// Returns the names of the first values of both models that join slices as no value of the other model does.
fn first_different_join(graphs: &inputs::Graphs<'_>) -> Option<[String; 2]> {
    let evaluations = graphs.evaluate(Mode::Sources, false)?;
    let unmatched = |at: usize| {
        let others = &evaluations[1 - at].joins;
        let others: HashSet<_> = others
            .iter()
            .map(|join| (&join.lengths, join.elements))
            .collect();
        // A value with unknown elements may be equal to any other value of the same shape.
        let is_unmatched = |join: &&Join| {
            let is_found = |elements| others.contains(&(&join.lengths, elements));
            join.elements.is_some() && !is_found(join.elements) && !is_found(None)
        };
        let value = evaluations[at].joins.iter().find(is_unmatched)?.value;
        Some(graphs.graph(at).values[value].name.to_string())
    };
    Some([unmatched(0)?, unmatched(1)?])
}
