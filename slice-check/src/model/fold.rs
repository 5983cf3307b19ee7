//! Propagates constants and shapes from node to node.

use std::sync::Arc;

use super::evaluate::evaluate;
use super::infer::infer;
use super::number::{Dim, known_shape};
use super::{Format, Graph, ModelError, steps};

/// Returns an inferred shape, with each unknown length replaced by the declared length.
fn with_declared_lengths(inferred: Arc<[Dim]>, declared: Option<&[Dim]>) -> Arc<[Dim]> {
    let is_unknown = |length: &Dim| *length == Dim::Unknown;
    match declared.filter(|declared| declared.len() == inferred.len()) {
        Some(declared) if inferred.iter().any(is_unknown) => {
            let lengths = inferred.iter().zip(declared);
            let lengths = lengths.map(|(one, other)| if is_unknown(one) { other } else { one });
            lengths.cloned().collect()
        }
        _ => inferred,
    }
}

/// The operations with nested graphs, which may use any values of the enclosing graph.
const WITH_NESTED_GRAPHS: [&str; 6] = [
    "If",
    "Loop",
    "Scan",
    "stablehlo.case",
    "stablehlo.if",
    "stablehlo.while",
];

/// Sorts the nodes, and infers constants and shapes of values from other constants and shapes. Returns an error if two
/// nodes produce the same value.
pub fn fold(graph: &mut Graph) -> Result<(), ModelError> {
    graph.sort()?;
    for at in 0..graph.nodes.len() - graph.nodes_in_cycles {
        let node = &graph.nodes[at];
        let mut inputs = node.inputs.iter().flatten().peekable();
        // A nested graph may use other values than the inputs of the node.
        let has_nested_graph = WITH_NESTED_GRAPHS.contains(&&node.operation[..]);
        let is_constant = !has_nested_graph
            && inputs.peek().is_some()
            && inputs.all(|&input| graph.values[input].is_constant);
        steps::count(node.inputs.len());
        let outputs = node.outputs.clone();
        for (output_index, output) in outputs.into_iter().enumerate() {
            let Some(output) = output else { continue };
            let node = &graph.nodes[at];
            graph.values[output].is_constant |= is_constant;
            if graph.values[output].constant.is_none() {
                let constant = evaluate(graph, node, output_index);
                graph.set_constant(output, constant);
            }
            let node = &graph.nodes[at];
            // In other formats, the program that wrote the model has inferred the declared shapes.
            if graph.values[output].shape.is_none() || graph.format == Format::Onnx {
                let constant = graph.values[output].constant.as_ref();
                let shape = constant.map(|constant| known_shape(&constant.shape));
                let shape = shape.or_else(|| infer(graph, node, output_index));
                let declared = graph.values[output].declared.as_deref();
                let shape = shape.map(|shape| with_declared_lengths(shape, declared));
                graph.set_shape(output, shape)?;
            }
        }
    }
    Ok(())
}
