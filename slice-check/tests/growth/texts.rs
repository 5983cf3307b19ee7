//! Creates growing models in the formats of OpenVINO, PyTorch and StableHLO.

use super::Generator;
use super::buffers::archive;

pub fn net(layers: &str, edges: &str) -> Vec<u8> {
    format!("<net version=\"11\"><layers>{layers}</layers><edges>{edges}</edges></net>")
        .into_bytes()
}

pub fn layer(id: &str, name: &str, kind: &str, inside: &str) -> String {
    format!("<layer id=\"{id}\" name=\"{name}\" type=\"{kind}\">{inside}</layer>")
}

const OUTPUT: &str = "<output><port id=\"0\"><dim>4</dim></port></output>";

fn slices(count: usize) -> String {
    (0..count)
        .map(|at| {
            let input = "<input><port id=\"1\"/></input>";
            layer(&at.to_string(), "s", "Slice", &format!("{input}{OUTPUT}"))
        })
        .collect()
}

pub const OPENVINO: &[(&str, Generator)] = &[
    ("many nested bodies", |size| {
        let depth = (size / 120).min(60);
        let one = (0..depth).fold(String::new(), |inside, _| {
            let body = format!("<body><layers>{inside}</layers></body>");
            layer("0", &"n".repeat(40), "Loop", &body)
        });
        net(&one.repeat((size / one.len()).max(1)), "")
    }),
    ("a long name around many slices", |size| {
        let body = format!("<body><layers>{}</layers></body>", slices(size / 300));
        net(&layer("0", &"n".repeat(size / 2), "Loop", &body), "")
    }),
    ("many layers", |size| net(&"<layer/>".repeat(size / 8), "")),
    ("many edges", |size| {
        let edge = "<edge from-layer=\"0\" from-port=\"0\" to-layer=\"0\" to-port=\"1\"/>";
        net(&slices(1), &edge.repeat(size / edge.len()))
    }),
    ("many ports", |size| {
        let ports = "<port/>".repeat(size / 7);
        net(
            &layer("0", "n", "Concat", &format!("<input>{ports}</input>")),
            "",
        )
    }),
    ("many lengths", |size| {
        let dims = "<dim>1</dim>".repeat(size / 12);
        let port = format!("<output><port id=\"0\">{dims}</port></output>");
        net(&layer("0", "n", "Slice", &port), "")
    }),
    ("many attributes", |size| {
        let attributes: String = (0..60).map(|at| format!(" a{at}=\"\"")).collect();
        let data = layer("0", "n", "Slice", &format!("<data{attributes}/>"));
        net(&data.repeat((size / data.len()).max(1)), "")
    }),
    ("long masks", |size| {
        let mask = "1,".repeat(size.min(8000) / 2);
        let data = format!("<data begin_mask=\"{mask}\"/><input><port id=\"0\"/></input>");
        let one = layer("0", "n", "StridedSlice", &data);
        net(&one.repeat((size / one.len()).max(1)), "")
    }),
];

/// Builds an archive with a graph in JSON.
pub fn torch(graph: &str) -> Vec<u8> {
    let json = format!(
        r#"{{"graph_module":{{"graph":{graph},"signature":{{"input_specs":[]}}}},"schema_version":{{"major":8,"minor":8}}}}"#
    );
    let len = u32::try_from(json.len()).expect("the model should be small");
    archive(&[("m/models/model.json", json.as_bytes(), len)])
}

pub fn graph(nodes: &str, outputs: &str) -> String {
    format!(
        r#"{{"outputs":[{outputs}],"nodes":[{nodes}],"tensor_values":{{"x":{{"sizes":[{{"as_int":4}}]}}}}}}"#
    )
}

fn select(at: usize) -> String {
    format!(
        r#"{{"target":"torch.ops.aten.select.int","inputs":[{{"name":"self","arg":{{"as_tensor":{{"name":"x"}}}}}},{{"name":"index","arg":{{"as_int":1}}}}],"outputs":[{{"as_tensor":{{"name":"v{at}"}}}}]}}"#
    )
}

fn selects(count: usize) -> String {
    let all: Vec<String> = (0..count).map(select).collect();
    all.join(",")
}

/// Builds a call of a nested graph.
fn call(name: &str, graph: &str) -> String {
    format!(
        r#"{{"target":"cond","inputs":[{{"name":"g","arg":{{"as_graph":{{"name":"{name}","graph":{graph}}}}}}}],"outputs":[]}}"#
    )
}

/// Builds a call with an argument of the given JSON.
fn with_argument(json: &str) -> String {
    graph(
        &format!(
            r#"{{"target":"torch.ops.aten.flip","inputs":[{{"name":"self","arg":{{"as_tensor":{{"name":"x"}}}}}},{{"name":"dims","arg":{json}}}],"outputs":[]}}"#
        ),
        "",
    )
}

pub const TORCH: &[(&str, Generator)] = &[
    ("a long name around many slices", |size| {
        let nested = graph(&selects(size / 350), "");
        torch(&graph(&call(&"n".repeat(size / 2), &nested), ""))
    }),
    ("deeply nested graphs with long names", |size| {
        let mut nested = graph(&selects(size / 400), "");
        for _ in 0..15 {
            nested = graph(&call(&"n".repeat(size / 30), &nested), "");
        }
        torch(&nested)
    }),
    ("many nodes", |size| {
        let nodes = vec![r#"{"target":"","inputs":[],"outputs":[]}"#; size / 40];
        torch(&graph(&nodes.join(","), ""))
    }),
    ("many outputs of a graph", |size| {
        torch(&graph("", &vec!["{}"; size / 3].join(",")))
    }),
    ("many outputs of a split", |size| {
        let outputs: Vec<String> = (0..size / 75)
            .map(|at| format!(r#"{{"as_tensor":{{"name":"v{at}"}}}}"#))
            .collect();
        let sizes: Vec<String> = (0..size / 75)
            .map(|at| format!(r#""v{at}":{{"sizes":[{{"as_int":0}}]}}"#))
            .collect();
        torch(&format!(
            r#"{{"outputs":[],"nodes":[{{"target":"torch.ops.aten.split","inputs":[{{"name":"self","arg":{{"as_tensor":{{"name":"x"}}}}}}],"outputs":[{}]}}],"tensor_values":{{"x":{{"sizes":[{{"as_int":4}}]}},{}}}}}"#,
            outputs.join(","),
            sizes.join(",")
        ))
    }),
    ("many entries of a list", |size| {
        let numbers = vec!["0"; if size < 20_000 { 1 } else { size / 2 }].join(",");
        torch(&with_argument(&format!(r#"{{"as_ints":[{numbers}]}}"#)))
    }),
    ("many symbolic entries of a list", |size| {
        let numbers = vec!["{}"; size / 3].join(",");
        torch(&with_argument(&format!(r#"{{"as_sym_ints":[{numbers}]}}"#)))
    }),
    ("many lengths of a tensor", |size| {
        let sizes = vec!["{}"; size / 3].join(",");
        torch(&format!(
            r#"{{"outputs":[],"nodes":[],"tensor_values":{{"x":{{"sizes":[{sizes}]}}}}}}"#
        ))
    }),
];

pub fn function(name: &str, body: &str) -> String {
    format!(
        "func.func private @{name}(%arg0: tensor<4xf32>) -> tensor<4xf32> {{\n{body}return %arg0 : tensor<4xf32>\n}}\n"
    )
}

/// Builds a module in which each function calls the next one twice.
fn calls(levels: usize, name: &str) -> Vec<u8> {
    let slice = "%0 = stablehlo.slice %arg0 [0:2] : (tensor<4xf32>) -> tensor<2xf32>\n";
    let mut text = String::from("module {\n");
    for at in 0..levels {
        let next = format!("{name}{}", at + 1);
        let call = format!("%0 = call @{next}(%arg0) : (tensor<4xf32>) -> tensor<4xf32>\n");
        let name = if at == 0 {
            "main".into()
        } else {
            format!("{name}{at}")
        };
        text += &function(&name, &call.repeat(2));
    }
    (text + &function(&format!("{name}{levels}"), slice)).into_bytes()
}

/// Builds a module with one function.
pub fn main(body: &str) -> Vec<u8> {
    function("main", body).into_bytes()
}

pub const STABLEHLO: &[(&str, Generator)] = &[
    ("calls of functions that call others twice", |size| {
        let levels = if size < 20_000 { 3 } else { 18 };
        calls(levels, &"f".repeat(size / (4 * levels)))
    }),
    ("calls of functions with long names", |size| {
        let levels = if size < 20_000 { 2 } else { 12 };
        calls(levels, &"f".repeat(size / (4 * levels)))
    }),
    ("many calls of a long function", |size| {
        let slices = "%0 = stablehlo.slice %arg0 [0:2] : (tensor<4xf32>) -> tensor<2xf32>\n";
        let call = "%0 = call @f(%arg0) : (tensor<4xf32>) -> tensor<4xf32>\n";
        let count = if size < 20_000 { 2 } else { size / 150 };
        let main = function("main", &call.repeat(count));
        let padding = format!("// {}\n", "x".repeat(size.saturating_sub(140 * count)));
        (main + &function("f", &slices.repeat(count)) + &padding).into_bytes()
    }),
    ("many percent signs", |size| {
        main(&format!(
            "%0 = stablehlo.add {} : tensor<4xf32>\n",
            "%".repeat(size)
        ))
    }),
    ("many commas", |size| {
        main(&format!(
            "%0 = stablehlo.add %arg0 : ({}) -> tensor<4xf32>\n",
            ",".repeat(size)
        ))
    }),
    ("many operands", |size| {
        main(&format!(
            "%0 = stablehlo.add {} : tensor<4xf32>\n",
            "%a".repeat(size / 2)
        ))
    }),
    ("many results with a long name", |size| {
        let types = vec!["i"; size / 4].join(",");
        let name = "r".repeat(size / 2);
        let count = if size < 20_000 { 2 } else { size / 4 };
        main(&format!(
            "%{name}:{count} = stablehlo.add %arg0 : (i) -> ({types})\n"
        ))
    }),
    ("many short lines", |size| main(&"a.b\n".repeat(size / 4))),
    ("many slices", |size| {
        let slices = (0..size / 70)
            .map(|at| {
                format!("%{at} = stablehlo.slice %arg0 [0:2] : (tensor<4xf32>) -> tensor<2xf32>\n")
            })
            .collect::<String>();
        main(&slices)
    }),
    ("dynamic slices at long names", |size| {
        let name = "s".repeat(size / 20);
        let slice = format!(
            "%0 = stablehlo.dynamic_slice %arg0, %{name}, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>\n"
        );
        main(&slice.repeat(20))
    }),
    ("many functions", |size| {
        let functions: String = (0..size / 110)
            .map(|at| function(&format!("f{at}"), ""))
            .collect();
        functions.into_bytes()
    }),
];
