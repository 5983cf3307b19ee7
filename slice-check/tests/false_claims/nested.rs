//! Tests that little memory is used to read LiteRT graphs that call each other, deeply nested PyTorch graphs and
//! StableHLO regions, and PyTorch, StableHLO and OpenVINO models that claim gigabytes of data.

use std::fmt::Write;

use super::buffers::{archive, litert_calls};
use super::report;

/// LiteRT operators refer by index to the graphs that they call. Each graph is read once, regardless of which graphs it
/// calls.
#[test]
fn litert_graphs_may_call_each_other() {
    for calls in [
        // A graph calls itself, or two graphs call each other.
        &[[0, 0]][..],
        &[[1, 1], [0, 0]],
        // The called graphs do not exist.
        &[[i32::MAX, i32::MIN], [-1, 2]],
    ] {
        let report = report("litert", &litert_calls(calls)).expect("the model should be valid");
        let slices = ["1 slice\n", "2 slices\n"][calls.len() - 1];
        assert!(report.contains(slices), "{report}");
    }
}

#[test]
fn each_litert_graph_is_read_once() {
    // Each graph calls the next one twice, so the number of nested calls grows exponentially.
    let calls: Vec<[i32; 2]> = (1..=2000).map(|next| [next, next]).collect();
    let report = report("litert", &litert_calls(&calls)).expect("the model should be valid");
    assert!(report.contains("2000 slices"), "{report:.200}");
    assert!(report.contains("in graph 1999"));
}

/// A table is read each time a field refers to it. A field may refer to its own table, and several fields may refer to
/// the same table.
#[test]
fn cyclic_litert_tables_are_read_in_little_memory() {
    let model = litert_calls(&[[0, 1], [1, 0]]);
    for at in (8..model.len() - 4).step_by(4) {
        // Offsets are relative to their own position: 0 refers to the offset itself, and a small offset to a position
        // in the same table.
        for offset in [0, 1, 4, 8, 16] {
            let mut model = model.clone();
            model[at..at + 4].copy_from_slice(&u32::to_le_bytes(offset));
            let _ = report("litert", &model);
        }
        // The vtable of a table may be at the position of the table, after this position, or outside the file.
        for offset in [0, -4, i32::MIN, i32::MAX] {
            let mut model = model.clone();
            model[at..at + 4].copy_from_slice(&i32::to_le_bytes(offset));
            let _ = report("litert", &model);
        }
    }
}

/// Formats a torch.export graph as JSON.
fn graph(nodes: &str, sizes: &str) -> String {
    format!(
        r#"{{"inputs":[],"outputs":[],"nodes":[{nodes}],"tensor_values":{{"x":{{"dtype":7,"sizes":[{sizes}]}}}}}}"#
    )
}

/// Formats, as JSON, a torch.export model that consists of `graph` and the constant `c`.
fn torch(graph: &str) -> String {
    let signature =
        r#"{"input_specs":[{"tensor_constant":{"arg":{"name":"c"},"tensor_constant_name":"c"}}]}"#;
    format!(
        r#"{{"graph_module":{{"graph":{graph},"signature":{signature}}},"schema_version":{{"major":8,"minor":8}}}}"#
    )
}

const SELECT: &str = r#"{"target":"torch.ops.aten.select.int","inputs":[{"name":"self","arg":{"as_tensor":{"name":"x"}}},
    {"name":"dim","arg":{"as_int":0}},{"name":"index","arg":{"as_tensor":{"name":"c"}}}],"outputs":[{"as_tensor":{"name":"y"}}]}"#;

#[test]
fn claimed_elements_of_torch_constants_are_not_allocated() {
    let model = torch(&graph(
        SELECT,
        r#"{"as_int":2147483648},{"as_int":9223372036854775807}"#,
    ));
    let config = |sizes: &str| {
        format!(
            r#"{{"config":{{"c":{{"path_name":"tensor_0","is_param":false,"use_pickle":false,"tensor_meta":{{"dtype":5,"sizes":[{sizes}]}}}}}}}}"#
        )
    };
    let read = |sizes: &str, stated_len: u32, len: usize| {
        let config = config(sizes);
        let bytes = vec![0; len];
        let actual_len = |text: &str| u32::try_from(text.len()).expect("the file should be small");
        report(
            "torch",
            &archive(&[
                ("a/models/model.json", model.as_bytes(), actual_len(&model)),
                (
                    "a/data/constants/model_constants_config.json",
                    config.as_bytes(),
                    actual_len(&config),
                ),
                ("a/data/constants/tensor_0", &bytes, stated_len),
            ]),
        )
    };
    // The index is a scalar constant, and the array is too large.
    let output = read("", 8, 8).expect("the model should be valid");
    assert!(
        output.contains("array is too big: axis 1 of size 9223372036854775807"),
        "{output}"
    );
    // The constant claims to have two billion elements. These are too many to read, whatever their size according to
    // the archive.
    for claimed_len in [8, 0x7fff_ffff, u32::MAX - 1] {
        let output =
            read(r#"{"as_int":2147483648}"#, claimed_len, 8).expect("the model should be valid");
        // A selection with an unknown index is not reported as a slice.
        assert!(output.contains("1 node, 0 slices"), "{output}");
    }
    let error =
        read(r#"{"as_int":2}"#, 8, 8).expect_err("the constant has one element instead of two");
    assert!(error.contains("does not have 2 elements"), "{error}");
    let error = read("", 0x7fff_ffff, 8).expect_err("the claimed size is too large");
    assert!(error.contains("2147483647 bytes"), "{error}");
    // The archive claims that the model is larger than it is. The claimed sizes are above and below the limit.
    let oversized = archive(&[("a/models/model.json", model.as_bytes(), 0x7fff_ffff)]);
    let error = report("torch", &oversized).expect_err("the claimed size is above the limit");
    assert!(
        error.contains("2147483647 bytes are more than the limit of 67108864"),
        "{error}"
    );
    let oversized = archive(&[("a/models/model.json", model.as_bytes(), 0x0300_0000)]);
    assert!(report("torch", &oversized).is_err());
}

#[test]
fn deeply_nested_torch_graphs_are_rejected() {
    let mut nested_graph = graph("", "");
    for _ in 0..20 {
        let node = format!(
            r#"{{"target":"cond","inputs":[{{"name":"f","arg":{{"as_graph":{{"name":"g","graph":{nested_graph}}}}}}}],"outputs":[]}}"#
        );
        nested_graph = graph(&node, "");
    }
    let model = |graph: &str| {
        let json = torch(graph);
        let len = u32::try_from(json.len()).expect("the file should be small");
        archive(&[("a/models/model.json", json.as_bytes(), len)])
    };
    let error =
        report("torch", &model(&nested_graph)).expect_err("the graphs are nested too deeply");
    assert!(error.contains("recursion limit"), "{error}");
    let lists = "[".repeat(1_000_000);
    assert!(report("torch", &model(&lists)).is_err());
}

#[test]
fn claimed_elements_of_stablehlo_tensors_are_not_allocated() {
    for (shape, slice) in [
        ("2147483648xf32", "[0:2147483648]"),
        (
            "2147483648x9223372036854775807xf32",
            "[0:1, 0:9223372036854775807:9223372036854775807]",
        ),
    ] {
        let text = format!(
            "func.func @main(%arg0: tensor<{shape}>) {{\n%0 = stablehlo.slice %arg0 {slice} : (tensor<{shape}>) -> tensor<1xf32>\n}}\n"
        );
        let report = report("stablehlo", text.as_bytes()).expect("the model should be valid");
        assert!(report.contains("1 slice"), "{report}");
    }
    // The constant has two billion equal elements.
    let text = "func.func @main(%arg0: tensor<4xf32>) {\n%c = stablehlo.constant dense<0> : tensor<2147483648xi64>\n\
                %0 = stablehlo.reverse %arg0, dims = [0] : tensor<4xf32>\n}\n";
    let report = report("stablehlo", text.as_bytes()).expect("the model should be valid");
    assert!(report.contains("1 slice"), "{report}");
}

/// Regions are read line by line, without recursion.
#[test]
fn deeply_nested_stablehlo_regions_cause_no_stack_overflow() {
    let mut text = String::from("func.func @main(%arg0: tensor<4xf32>) {\n");
    for at in 0..20_000 {
        writeln!(
            text,
            "%w{at} = stablehlo.while(%i = %arg0) : tensor<4xf32> cond {{"
        )
        .expect("writing to a string should succeed");
    }
    let _ = report("stablehlo", text.as_bytes());
    text += &"}\n".repeat(20_001);
    let _ = report("stablehlo", text.as_bytes());
}

#[test]
fn claimed_elements_of_openvino_constants_are_not_allocated() {
    let net = |shape: &str, size: &str| {
        format!(
            r#"<?xml version="1.0"?><net version="11"><layers><layer id="0" name="c" type="Const"><data element_type="i64" shape="{shape}" offset="0" size="{size}"/>
            <output><port id="0"><dim>{shape}</dim></port></output></layer></layers><edges/></net>"#
        )
    };
    for shape in [
        "2147483648",
        "9223372036854775807",
        "18446744073709551616",
        "-1",
    ] {
        let report = report("openvino", net(shape, "17179869184").as_bytes());
        assert!(report.is_ok(), "{report:?}");
    }
}
