//! Creates growing models in the formats of ONNX, TensorFlow and LiteRT.

use super::Generator;
use super::buffers::{
    Message, constant, graph_def, litert_shared, node, onnx, tensor, tensorflow_node, value_info,
};

pub fn graph(nodes: impl IntoIterator<Item = Message>) -> Message {
    let add = |graph: Message, node: Message| graph.put(1, &node.0);
    nodes.into_iter().fold(Message::default(), add)
}

fn named(node: Message, name: &str) -> Message {
    node.put(3, name.as_bytes())
}

/// Adds the constants `zero`, `one` and `end`, and the input `x` of shape (100, 100).
pub fn with_constants(graph: Message) -> Vec<u8> {
    let one = |name: &str, number| tensor(name, &[1], &[number]).0;
    let graph = graph
        .put(5, &one("zero", 0))
        .put(5, &one("one", 1))
        .put(5, &one("end", i64::MAX))
        .put(11, &value_info("x", &[100, 100]).0);
    onnx(&graph)
}

/// Adds a nested graph to a node.
pub fn with_body(node: Message, body: &Message) -> Message {
    let attribute = Message::default().put(1, b"body").put(6, &body.0);
    node.put(5, &attribute.0)
}

/// Adds a list of integers to a node.
fn with_ints(node: Message, name: &str, ints: &[u8]) -> Message {
    let attribute = Message::default().put(1, name.as_bytes()).put(8, ints);
    node.put(5, &attribute.0)
}

fn chain(operation: &str, count: usize) -> impl Iterator<Item = Message> {
    (0..count).map(move |at| {
        let input = if at == 0 {
            "x".into()
        } else {
            format!("v{}", at - 1)
        };
        node(operation, &[&input, "one", "end"], &format!("v{at}"))
    })
}

pub const ONNX: &[(&str, Generator)] = &[
    ("a long name around many nodes", |size| {
        let body = Message([0x0a, 0x00].repeat(size / 4));
        let outer = named(node("Loop", &["x"], "y"), &"n".repeat(size / 2));
        onnx(&graph([with_body(outer, &body)]))
    }),
    ("a long name around many slices", |size| {
        let body =
            graph((0..size / 60).map(|at| node("Slice", &["x", "one", "end"], &format!("v{at}"))));
        let outer = named(node("Loop", &["x"], "y"), &"n".repeat(size / 2));
        with_constants(graph([with_body(outer, &body)]))
    }),
    ("deeply nested graphs with long names", |size| {
        let mut body =
            graph((0..size / 80).map(|at| node("Slice", &["x", "one", "end"], &format!("v{at}"))));
        for _ in 0..30 {
            let name = "n".repeat(size / 60);
            body = graph([with_body(named(node("Loop", &["x"], "y"), &name), &body)]);
        }
        with_constants(body)
    }),
    ("a long name of an axis length", |size| {
        let dim = Message::default().put(2, "n".repeat(size / 2).as_bytes());
        let shape = Message::default().put(1, &dim.0).put(1, &dim.0);
        let kind = Message::default().put(1, &Message::default().put(2, &shape.0).0);
        let info = Message::default().put(1, b"x").put(2, &kind.0);
        let nodes = graph(chain("Relu", size / 100));
        onnx(&Message(nodes.0[..].to_vec()).put(11, &info.0))
    }),
    ("an axis length with a name through many slices", |size| {
        let dim = Message::default().put(2, "n".repeat(size.min(500)).as_bytes());
        let shape = (0..64).fold(Message::default(), |shape, _| shape.put(1, &dim.0));
        let kind = Message::default().put(1, &Message::default().put(2, &shape.0).0);
        let info = Message::default().put(1, b"x").put(2, &kind.0);
        let small = size < 40_000;
        let info = if small { value_info("x", &[4]) } else { info };
        let one = |name: &str, number| tensor(name, &[1], &[number]).0;
        let nodes = graph(chain("Slice", size / 40));
        onnx(
            &nodes
                .put(11, &info.0)
                .put(5, &one("one", 1))
                .put(5, &one("end", 5)),
        )
    }),
    ("a shared list of many bounds", |size| {
        let numbers: Vec<i64> = (0..1024).map(|at| i64::MAX - at).collect();
        let numbers = if size < 20_000 {
            &numbers[..1]
        } else {
            &numbers
        };
        let list = tensor("list", &[numbers.len() as i64], numbers);
        let nodes = (0..size / 40)
            .map(|at| node("Slice", &["x", "list", "list", "zero"], &format!("v{at}")));
        with_constants(graph(nodes).put(5, &list.0))
    }),
    ("a shared list of many positions", |size| {
        let numbers: Vec<i64> = (0..1000).map(|at| at * at % 97).collect();
        let numbers = if size < 20_000 {
            &numbers[..2]
        } else {
            &numbers
        };
        let list = tensor("list", &[numbers.len() as i64], numbers);
        let nodes = (0..size / 25).map(|at| node("Gather", &["x", "list"], &format!("v{at}")));
        with_constants(graph(nodes).put(5, &list.0))
    }),
    ("one split with many outputs", |size| {
        let split = node("Split", &["x"], "v");
        let add = |split: Message, at| split.put(2, format!("v{at}").as_bytes());
        with_constants(graph([(0..size / 8).fold(split, add)]))
    }),
    ("one split with many outputs and lengths", |size| {
        let list = tensor("list", &[1024], &[0; 1024]);
        let split = node("Split", &["x", "list"], "v");
        let count = if size < 20_000 { 5 } else { size / 8 };
        let add = |split: Message, at| split.put(2, format!("v{at}").as_bytes());
        let graph = graph([(0..count).fold(split, add)]);
        with_constants(graph.put(5, &list.0))
    }),
    ("splits of the outputs of a split", |size| {
        let names: Vec<String> = (0..size / 16).map(|at| format!("v{at}")).collect();
        let first = names
            .iter()
            .fold(node("Split", &["x"], "v"), |split, name| {
                split.put(2, name.as_bytes())
            });
        let add = |split: Message, name: &String| split.put(1, name.as_bytes());
        let second = names.iter().fold(node("Split", &["x"], "w"), add);
        with_constants(graph([first, second]))
    }),
    ("many empty nodes", |size| {
        onnx(&Message([0x0a, 0x00].repeat(size / 2)))
    }),
    ("many inputs of one node", |size| {
        onnx(&graph([Message([0x0a, 0x01, b'x'].repeat(size / 3))]))
    }),
    ("many attributes of one node", |size| {
        let add = |node: Message, at| with_ints(node, &format!("a{at}"), &[1]);
        onnx(&graph([
            (0..size / 15).fold(node("Slice", &["x"], "y"), add)
        ]))
    }),
    ("many entries of an attribute", |size| {
        onnx(&graph([with_ints(
            node("Squeeze", &["x"], "y"),
            "axes",
            &vec![1; size],
        )]))
    }),
    ("many declared values", |size| {
        let add = |graph: Message, at| graph.put(13, &value_info(&format!("v{at}"), &[4, 5]).0);
        onnx(&(0..size / 35).fold(Message::default(), add))
    }),
    ("many slices with one name", |size| {
        let nodes = (0..size / 55).map(|at| {
            let slice = node(
                "Slice",
                &["x", "one", &format!("e{}", at % 97)],
                &format!("v{at}"),
            );
            named(slice, "name")
        });
        let ends = (0..97).fold(graph(nodes), |graph, at| {
            graph.put(5, &tensor(&format!("e{at}"), &[1], &[-at - 1]).0)
        });
        let ends = if size < 20_000 {
            graph(chain("Slice", 5))
        } else {
            ends
        };
        with_constants(ends)
    }),
    (
        "a long chain of slices after one with a long name",
        |size| {
            let first = named(
                node("Slice", &["x", "one", "end"], "v"),
                &"n".repeat(size / 2),
            );
            let rest = (0..size / 80).map(|at| {
                let input = if at == 0 {
                    "v".into()
                } else {
                    format!("v{}", at - 1)
                };
                node("Slice", &[&input, "zero", "end"], &format!("v{at}"))
            });
            with_constants(graph([first].into_iter().chain(rest)))
        },
    ),
    ("many slices joined by one concatenation", |size| {
        let count = size / 40;
        let slices = (0..count).map(|at| node("Slice", &["x", "one", "end"], &format!("v{at}")));
        let add = |node: Message, at| node.put(1, format!("v{at}").as_bytes());
        let concat = (0..count).fold(node("Concat", &[], "y"), add);
        with_constants(graph(slices.chain([concat])))
    }),
    ("many ends of one chain of slices with long names", |size| {
        let first = (0..40).map(|at| {
            let input = if at == 0 {
                "x".into()
            } else {
                format!("c{}", at - 1)
            };
            let bound = "b".repeat(size / 100);
            node("Slice", &[&input, &bound, &bound], &format!("c{at}"))
        });
        let rest =
            (0..size / 250).map(|at| node("Slice", &["c39", "one", "unknown"], &format!("v{at}")));
        with_constants(graph(first.chain(rest)))
    }),
    (
        "many ends of one chain of slices with long bounds",
        |size| {
            let name = "n".repeat((size / 200).min(400));
            let dim = Message::default().put(2, name.as_bytes());
            let shape = (0..64).fold(Message::default(), |shape, _| shape.put(1, &dim.0));
            let kind = Message::default().put(1, &Message::default().put(2, &shape.0).0);
            let info = Message::default().put(1, b"x").put(2, &kind.0);
            let shape = node("Shape", &["x"], "lengths");
            let first = (0..40).map(|at| {
                let input = if at == 0 {
                    "x".into()
                } else {
                    format!("c{}", at - 1)
                };
                node("Slice", &[&input, "lengths", "lengths"], &format!("c{at}"))
            });
            let rest =
                (0..size / 45).map(|at| node("Slice", &["c39", "zero", "one"], &format!("v{at}")));
            let nodes = graph([shape].into_iter().chain(first).chain(rest));
            let number = |name, number| tensor(name, &[1], &[number]).0;
            let nodes = nodes.put(5, &number("zero", 0)).put(5, &number("one", 1));
            onnx(&nodes.put(11, &info.0))
        },
    ),
];

/// Builds an integer attribute of a TensorFlow node.
fn with_int(node: Message, name: &str, number: i64) -> Message {
    let value = Message::default().int(3, number);
    let attribute = Message::default().put(1, name.as_bytes()).put(2, &value.0);
    node.put(5, &attribute.0)
}

pub const TENSORFLOW: &[(&str, Generator)] = &[
    ("many splits with many outputs", |size| {
        let count = if size < 20_000 { 3 } else { 1024 };
        let nodes: Vec<Message> = (0..size / 40)
            .map(|at| {
                let split = tensorflow_node(&format!("s{at}"), "Split", &["axis", "x"]);
                with_int(split, "num_split", count)
            })
            .collect();
        graph_def(&nodes)
    }),
    ("outputs of a node with a long name", |size| {
        let name = "n".repeat(size / 2);
        let split = with_int(
            tensorflow_node(&name, "Split", &["axis", "x"]),
            "num_split",
            900,
        );
        graph_def(&[split, constant("axis", &[], &[0])].map(|node| node))
    }),
    ("many tiny nodes", |size| {
        let nodes = (0..size / 10).map(|at| tensorflow_node(&format!("{at}"), "", &[]));
        graph_def(&nodes.collect::<Vec<_>>())
    }),
    ("many inputs of one node", |size| {
        let inputs = vec!["x"; size / 3];
        graph_def(&[tensorflow_node("y", "Pack", &inputs)])
    }),
    ("many attributes of one node", |size| {
        let add = |node: Message, at| with_int(node, &format!("a{at}"), 1);
        graph_def(&[(0..size / 15).fold(tensorflow_node("y", "Split", &[]), add)])
    }),
    ("many shapes of one node", |size| {
        let shape = Message([0x3a, 0x00].repeat(size / 2));
        let value = Message::default().put(1, &shape.0);
        let attribute = Message::default()
            .put(1, b"_output_shapes")
            .put(2, &value.0);
        graph_def(&[tensorflow_node("y", "Split", &["a", "x"]).put(5, &attribute.0)])
    }),
    ("a function with a long name and many slices", |size| {
        let signature = Message::default().put(1, "n".repeat(size / 2).as_bytes());
        let function =
            (0..size / 100).fold(Message::default().put(1, &signature.0), |function, at| {
                let inputs = ["x", "a", "b", "c"];
                function.put(
                    3,
                    &tensorflow_node(&format!("v{at}"), "StridedSlice", &inputs).0,
                )
            });
        let library = Message::default().put(1, &function.0);
        Message(graph_def(&[constant("x", &[4], &[1])]))
            .put(2, &library.0)
            .0
    }),
    ("a long chain of slices", |size| {
        let mut nodes = vec![constant("x", &[], &[0]), constant("one", &[1], &[1])];
        for at in 0..size / 50 {
            let input = if at == 0 {
                "in".into()
            } else {
                format!("v{}", at - 1)
            };
            let inputs = [&input[..], "one", "one", "one"];
            nodes.push(tensorflow_node(&format!("v{at}"), "StridedSlice", &inputs));
        }
        graph_def(&nodes)
    }),
    ("a shared list of many positions", |size| {
        let count = if size < 20_000 { 4 } else { 1000 };
        let list: Vec<i64> = (0..count).map(|at| at * at % 97).collect();
        let mut nodes = vec![
            constant("list", &[count], &list),
            constant("axis", &[], &[0]),
        ];
        nodes.extend(
            (0..size / 45)
                .map(|at| tensorflow_node(&format!("v{at}"), "GatherV2", &["x", "list", "axis"])),
        );
        graph_def(&nodes)
    }),
];

pub const LITERT: &[(&str, Generator)] = &[
    ("tensors that share a long name", |size| {
        let tensors = if size < 20_000 { 3 } else { size / 8 };
        litert_shared(&"n".repeat(size / 2), [tensors, 1, 1, 1])
    }),
    ("graphs that share their tensors", |size| {
        let count = if size < 20_000 { 5 } else { size / 8 };
        litert_shared(
            &"n".repeat(size.saturating_sub(8 * count)),
            [count, 1, 1, count],
        )
    }),
    ("operators that share their inputs", |size| {
        let count = if size < 20_000 { 5 } else { size / 4 };
        litert_shared(
            &"n".repeat(size.saturating_sub(4 * count)),
            [3, count, 0, 1],
        )
    }),
    ("operators that share their outputs", |size| {
        let count = if size < 20_000 { 1 } else { size / 8 };
        litert_shared(
            &"n".repeat(size.saturating_sub(8 * count)),
            [3, count, count, 1],
        )
    }),
];
