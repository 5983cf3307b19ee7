//! Creates models in which two things grow together, such as the inputs and the outputs of one node. The work must be in
//! proportion to their sum, and not to their product.

use super::Generator;
use super::buffers::{
    Message, archive, constant, graph_def, litert_calls, litert_nodes, litert_squeeze, node, onnx,
    tensor, tensorflow_node, value_info,
};
use super::messages::{graph, with_body, with_constants};
use super::texts::{function, graph as torch_graph, layer, main, net, torch};

fn names(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|at| format!("{prefix}{at}")).collect()
}

/// Adds inputs or outputs to an ONNX node.
fn with_names(node: Message, field: u64, names: &[String]) -> Message {
    let add = |node: Message, name: &String| node.put(field, name.as_bytes());
    names.iter().fold(node, add)
}

/// Builds ONNX nodes, each of which has the input `u`, whose rank is unknown, and a list of many axes.
fn with_shared_axes(operation: &str, size: usize) -> Vec<u8> {
    let count = if size < 20_000 { 2 } else { 1024 };
    let axes: Vec<i64> = (0..count).collect();
    let nodes = (0..size / 30).map(|at| node(operation, &["u", "axes"], &format!("v{at}")));
    with_constants(graph(nodes).put(5, &tensor("axes", &[count], &axes).0))
}

pub const ONNX: &[(&str, Generator)] = &[
    (
        "a node with many constant inputs and many outputs",
        |size| {
            let inputs = vec!["one".to_owned(); size / 12];
            let node = with_names(Message::default(), 1, &inputs);
            let node = with_names(node, 2, &names("v", size / 15)).put(4, b"Foo");
            with_constants(graph([node]))
        },
    ),
    (
        "a sum of many inputs with many outputs of known shape",
        |size| {
            let inputs = vec!["x".to_owned(); size / 8];
            let node = with_names(Message::default(), 1, &inputs).put(4, b"Sum");
            let outputs = names("v", size / 60);
            let nodes = graph([with_names(node, 2, &outputs)]);
            let add =
                |graph: Message, name: &String| graph.put(13, &value_info(name, &[100, 100]).0);
            with_constants(outputs.iter().fold(nodes, add))
        },
    ),
    ("a concatenation with many outputs of known shape", |size| {
        let inputs = vec!["x".to_owned(); size / 8];
        let length = 100 * inputs.len() as i64;
        let node = with_names(Message::default(), 1, &inputs).put(4, b"Concat");
        let axis = Message::default().put(1, b"axis").int(3, 0);
        let outputs = names("v", size / 60);
        let nodes = graph([with_names(node.put(5, &axis.0), 2, &outputs)]);
        let add =
            |graph: Message, name: &String| graph.put(13, &value_info(name, &[length, 100]).0);
        with_constants(outputs.iter().fold(nodes, add))
    }),
    ("squeezes that share a list of many axes", |size| {
        with_shared_axes("Squeeze", size)
    }),
    ("insertions of many axes that share a list", |size| {
        with_shared_axes("Unsqueeze", size)
    }),
    ("reductions that share a list of many axes", |size| {
        with_shared_axes("ReduceSum", size)
    }),
    (
        "slices used by many nodes, which are used by many nodes",
        |size| {
            let levels = if size < 20_000 { 1 } else { 8 };
            let first = node("Slice", &["x", "one", "end"], "v0")
                .put(3, "n".repeat(size - size / 4).as_bytes());
            let copies = (0..levels).map(|at| {
                let inputs = vec![format!("v{at}"); 16];
                with_names(node("Identity", &[], &format!("v{}", at + 1)), 1, &inputs)
            });
            with_constants(graph([first].into_iter().chain(copies)))
        },
    ),
    ("slices used by nodes with many constant outputs", |size| {
        let slices = names("s", size / 80);
        let outputs = names("c", size / 80);
        let nodes = slices
            .iter()
            .map(|name| node("Slice", &["x", "one", "end"], name));
        let user =
            with_names(with_names(Message::default(), 1, &slices), 2, &outputs).put(4, b"Foo");
        let add = |graph: Message, name: &String| graph.put(5, &tensor(name, &[1], &[1]).0);
        with_constants(outputs.iter().fold(graph(nodes.chain([user])), add))
    }),
    ("slices used by many concatenations", |size| {
        let slices = names("s", size / 200);
        let nodes = slices
            .iter()
            .map(|name| node("Slice", &["x", "one", "end"], name));
        let users =
            (0..16).map(|at| with_names(node("Concat", &[], &format!("c{at}")), 1, &slices));
        with_constants(graph(nodes.chain(users)))
    }),
    ("splits with many lengths", |size| {
        let count = if size < 20_000 { 5 } else { 1024 };
        let outputs = (size / 8).max(2 * count) / count;
        let splits = (0..outputs).map(|at| {
            with_names(
                node("Split", &["u", "list"], &format!("s{at}")),
                2,
                &names(&format!("v{at}_"), count - 1),
            )
        });
        with_constants(graph(splits).put(5, &tensor("list", &[count as i64], &vec![0; count]).0))
    }),
    ("an operation with many branches and many outputs", |size| {
        let branch = Message::default().put(12, &value_info("b", &[4]).0);
        let outputs = names("v", size / 20);
        let node = (0..size / 80).fold(node("If", &["one"], "y"), |node, _| {
            with_body(node, &branch)
        });
        with_constants(graph([with_names(node, 2, &outputs)]))
    }),
    (
        "a concatenation of empty constants with long axes",
        |size| {
            let shape = [1 << 40, 0];
            let axis = Message::default().put(1, b"axis").int(3, 1);
            let concat = node("Concat", &["empty", "empty"], "y").put(5, &axis.0);
            let name = "n".repeat(size);
            with_constants(
                graph([concat.put(3, name.as_bytes())]).put(5, &tensor("empty", &shape, &[]).0),
            )
        },
    ),
    (
        "a reduction of an empty constant with a long axis",
        |size| {
            let reduction = node("ReduceSum", &["empty", "zero"], "y");
            let name = "n".repeat(size);
            with_constants(
                graph([reduction.put(3, name.as_bytes())])
                    .put(5, &tensor("empty", &[0, 1 << 40], &[]).0),
            )
        },
    ),
    ("nodes in reverse order", |size| {
        let count = size / 25;
        let nodes = (0..count)
            .rev()
            .map(|at| node("Relu", &[&format!("v{at}")], &format!("v{}", at + 1)));
        onnx(&graph(nodes))
    }),
    ("many functions", |size| functions("f", size / 45)),
    ("functions with long names", |size| {
        functions(&"f".repeat(size / 60), 50)
    }),
    // The names and the lengths depend on the size of the file, so another such model has no equal inputs.
    ("many inputs with lengths that are partly unknown", |size| {
        let add = |graph: Message, at: usize| {
            let unknown = Message::default().put(2, b"n");
            let known = Message::default().int(1, (size + at) as i64);
            let shape = Message::default().put(1, &unknown.0).put(1, &known.0);
            let kind = Message::default().put(1, &Message::default().int(1, 1).put(2, &shape.0).0);
            graph.put(
                11,
                &Message::default()
                    .put(1, format!("{size}_{at}").as_bytes())
                    .put(2, &kind.0)
                    .0,
            )
        };
        onnx(&(0..size / 45).fold(Message::default(), add))
    }),
    ("many slices with other ends", |size| {
        let ends =
            (0..size / 110).map(|at| tensor(&format!("e{at}"), &[1], &[(3 * size + at) as i64]));
        let nodes = (0..size / 110).map(|at| {
            node(
                "Slice",
                &["u", "one", &format!("e{at}"), "zero", "step"],
                &format!("v{at}"),
            )
        });
        let dim = Message::default().put(2, b"n");
        let kind = Message::default().put(
            1,
            &Message::default()
                .put(2, &Message::default().put(1, &dim.0).0)
                .0,
        );
        let info = Message::default().put(1, b"u").put(2, &kind.0);
        let step = tensor("step", &[1], &[256]);
        let nodes = ends.fold(graph(nodes), |graph, end| graph.put(5, &end.0));
        with_constants(nodes.put(5, &step.0).put(11, &info.0))
    }),
];

fn functions(name: &str, count: usize) -> Vec<u8> {
    let function = Message::default().put(1, name.as_bytes());
    let function = function.put(7, &node("Slice", &["x", "one", "end"], "y").0);
    let functions = (0..count).fold(Message::default(), |all, _| all.put(25, &function.0));
    let call = node(name, &["x"], "y").put(7, b"local");
    [onnx(&graph([call])), functions.0].concat()
}

pub const TENSORFLOW: &[(&str, Generator)] = &[
    ("many functions after many nodes", |size| {
        let nodes: Vec<Message> = names("v", size / 40)
            .iter()
            .map(|name| tensorflow_node(name, "Split", &[]))
            .collect();
        let function = Message::default().put(3, &tensorflow_node("a", "", &[]).0);
        let library = Message(Message::default().put(1, &function.0).0.repeat(size / 20));
        Message(graph_def(&nodes)).put(2, &library.0).0
    }),
    ("used outputs of a node with a long name", |size| {
        let name = "n".repeat(size / 2);
        let split = tensorflow_node(&name, "Split", &["axis", "x"]);
        let count = if size < 20_000 { 2 } else { 1000 };
        let value = Message::default().int(3, count);
        let split = split.put(
            5,
            &Message::default().put(1, b"num_split").put(2, &value.0).0,
        );
        let inputs: Vec<String> = (0..20).map(|at| format!("x:{at}")).collect();
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        let others = (0..size / 300).map(|at| tensorflow_node(&format!("v{at}"), "Pack", &inputs));
        let mut nodes = vec![split, constant("axis", &[], &[0])];
        nodes.extend(others);
        graph_def(&nodes)
    }),
    ("reversals that share a list of many axes", |size| {
        let count = if size < 20_000 { 2 } else { 1024 };
        let axes: Vec<i64> = (0..count).collect();
        let mut nodes = vec![constant("axes", &[count], &axes)];
        nodes.extend(
            names("v", size / 35)
                .iter()
                .map(|name| tensorflow_node(name, "ReverseV2", &["u", "axes"])),
        );
        graph_def(&nodes)
    }),
    ("a node with many inputs and many attributes", |size| {
        let inputs = vec!["x"; size / 8];
        let value = Message::default().int(3, 1);
        let add = |node: Message, at: usize| {
            node.put(
                5,
                &Message::default()
                    .put(1, format!("a{at}").as_bytes())
                    .put(2, &value.0)
                    .0,
            )
        };
        graph_def(&[(0..size / 30).fold(tensorflow_node("y", "ConcatV2", &inputs), add)])
    }),
];

pub const LITERT: &[(&str, Generator)] = &[
    (
        "an operator with many constant inputs and many outputs",
        |size| litert_nodes(0, size / 60, size / 60, 1, 1),
    ),
    ("a split with many inputs and many outputs", |size| {
        litert_nodes(49, size / 60, size / 60, 1, 1)
    }),
    (
        "a concatenation with many inputs and many outputs",
        |size| litert_nodes(2, size / 60, size / 60, 1, 1),
    ),
    ("gathers that share a list of many positions", |size| {
        let count = if size < 20_000 { 2 } else { 1000 };
        litert_nodes(36, 2, 1, size / 120, count)
    }),
    ("reversals that share a list of many axes", |size| {
        let count = if size < 20_000 { 2 } else { 1000 };
        litert_nodes(105, 2, 1, size / 120, count)
    }),
    ("insertions of axes that share a list", |size| {
        let count = if size < 20_000 { 1 } else { 1000 };
        litert_nodes(70, 2, 1, size / 120, count)
    }),
    ("graphs that call two others", |size| {
        let count = i32::try_from(size / 300).expect("the model should be small");
        let calls = (0..count).map(|at| [(at + 1) % count, (at + 2) % count]);
        litert_calls(&calls.collect::<Vec<_>>())
    }),
    ("many entries of an attribute", |size| {
        litert_squeeze(size / 4)
    }),
];

pub const OPENVINO: &[(&str, Generator)] = &[
    (
        "many ports of a layer with a long ID and a long name",
        |size| {
            let text = "n".repeat(size.min(30_000) / 3);
            let outputs: String = (0..size / 30)
                .map(|at| format!("<port id=\"{at}\"/>"))
                .collect();
            let inputs = "<port/>".repeat(size / 30);
            net(
                &layer(
                    &text,
                    &text,
                    "Concat",
                    &format!("<input>{inputs}</input><output>{outputs}</output>"),
                ),
                "",
            )
        },
    ),
    ("edges from a layer with a long ID", |size| {
        let id = "n".repeat(size.min(30_000) / 6);
        let edge =
            format!("<edge from-layer=\"{id}\" from-port=\"0\" to-layer=\"{id}\" to-port=\"1\"/>");
        let port = "<input><port id=\"1\"/></input><output><port id=\"0\"/></output>";
        net(
            &layer(&id, "n", "Concat", port),
            &edge.repeat((size / edge.len()).max(1)),
        )
    }),
    ("many inputs and many outputs of a concatenation", |size| {
        let dims = "<dim>4</dim>";
        let source = layer(
            "0",
            "x",
            "Parameter",
            &format!("<output><port id=\"0\">{dims}</port></output>"),
        );
        let inputs: String = (0..size / 200)
            .map(|at| format!("<port id=\"{at}\"/>"))
            .collect();
        let outputs: String = (0..size / 200)
            .map(|at| format!("<port id=\"o{at}\">{dims}</port>"))
            .collect();
        let edges: String = (0..size / 200)
            .map(|at| {
                format!("<edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"{at}\"/>")
            })
            .collect();
        let inside = format!("<input>{inputs}</input><output>{outputs}</output>");
        net(&(source + &layer("1", "y", "Add", &inside)), &edges)
    }),
];

pub const TORCH: &[(&str, Generator)] = &[
    (
        "constants that share a description with many axes",
        |size| {
            let sizes =
                vec![r#"{"as_int":1}"#; if size < 20_000 { 2 } else { size / 50 }].join(",");
            let meta = format!(r#"{{"dtype":5,"sizes":[{sizes}],"strides":[{sizes}]}}"#);
            let config =
                format!(r#"{{"config":{{"w":{{"path_name":"p","tensor_meta":{meta}}}}}}}"#);
            let spec = r#"{"buffer":{"arg":{"name":"x"},"buffer_name":"w"}}"#;
            let specs = vec![spec; size / 100].join(",");
            let json = format!(
                r#"{{"graph_module":{{"graph":{{"outputs":[],"nodes":[],"tensor_values":{{"x":{{"sizes":[]}}}}}},"signature":{{"input_specs":[{specs}]}}}},"schema_version":{{"major":8,"minor":8}}}}"#
            );
            let len = |text: &str| u32::try_from(text.len()).expect("the model should be small");
            archive(&[
                ("m/models/model.json", json.as_bytes(), len(&json)),
                (
                    "m/data/weights/model_weights_config.json",
                    config.as_bytes(),
                    len(&config),
                ),
                ("m/data/weights/p", &1_i64.to_le_bytes(), 8),
            ])
        },
    ),
    ("many arguments of one node", |size| {
        let arguments: Vec<String> = (0..size / 50)
            .map(|at| format!(r#"{{"name":"a{at}","arg":{{"as_tensor":{{"name":"x"}}}}}}"#))
            .collect();
        let arguments = arguments.join(",");
        let node = format!(
            r#"{{"target":"torch.ops.aten.slice.Tensor","inputs":[{arguments}],"outputs":[{{"as_tensor":{{"name":"y"}}}}]}}"#
        );
        torch(&torch_graph(&node, ""))
    }),
];

pub const STABLEHLO: &[(&str, Generator)] = &[
    ("operands with one long type", |size| {
        let operands: String = (0..size / 16).map(|at| format!("%a{at},")).collect();
        let kind = format!("tensor<{}>", "a".repeat(size / 2));
        main(&format!("%0 = stablehlo.add {operands} : {kind}\n"))
    }),
    ("many calls of a function with many results", |size| {
        let call = "%0 = call @f(%arg0) : (tensor<4xf32>) -> tensor<4xf32>\n";
        let results = "%arg0,".repeat(size / 12);
        let called = format!(
            "func.func private @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {{\nreturn {results} : tensor<4xf32>\n}}\n"
        );
        (String::from_utf8(main(&call.repeat(size / 120))).expect("text") + &called).into_bytes()
    }),
    (
        "many calls of a function with long names of results",
        |size| {
            let call = "%0 = call @f(%arg0) : (tensor<4xf32>) -> tensor<4xf32>\n";
            let count = if size < 20_000 { 1 } else { 1000 };
            let name = "r".repeat(size / 3);
            let types = vec!["i"; count].join(",");
            let result = format!("%{name}:{count} = stablehlo.add %arg0 : (i) -> ({types})\n");
            (String::from_utf8(main(&call.repeat(size / 120))).expect("text")
                + &function("f", &result))
                .into_bytes()
        },
    ),
    ("a slice with many bounds", |size| {
        let bounds = "0:1,".repeat(size / 4);
        main(&format!(
            "%0 = stablehlo.slice %arg0 [{bounds}] : (tensor<4xf32>) -> tensor<2xf32>\n"
        ))
    }),
    ("many attributes of one operation", |size| {
        let attributes = "xdims = [1], ".repeat(size / 13);
        main(&format!(
            "%0 = stablehlo.reverse %arg0, {attributes} : tensor<4xf32>\n"
        ))
    }),
    ("deeply nested brackets", |size| {
        main(&format!(
            "%0 = stablehlo.add {}%arg0 : tensor<4xf32>\n",
            "([{<".repeat(size / 4)
        ))
    }),
];
