//! Runs ONNX's own tests of its `Slice` operator. Each of these *node tests* consists of a model file and data files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use prost::Message;
use slice_systems::onnx::Slice;

// These types are the part of onnx.proto that the node tests use. Their tags are the field numbers in onnx.proto.

#[derive(Clone, PartialEq, Message)]
struct ModelProto {
    #[prost(message, optional, tag = "7")]
    graph: Option<GraphProto>,
    #[prost(message, repeated, tag = "8")]
    opset_import: Vec<OperatorSetIdProto>,
}

#[derive(Clone, PartialEq, Message)]
struct OperatorSetIdProto {
    #[prost(string, tag = "1")]
    domain: String,
    #[prost(int64, tag = "2")]
    version: i64,
}

#[derive(Clone, PartialEq, Message)]
struct GraphProto {
    #[prost(message, repeated, tag = "1")]
    node: Vec<NodeProto>,
    #[prost(message, repeated, tag = "11")]
    input: Vec<ValueInfoProto>,
}

#[derive(Clone, PartialEq, Message)]
struct ValueInfoProto {
    #[prost(string, tag = "1")]
    name: String,
}

#[derive(Clone, PartialEq, Message)]
struct NodeProto {
    #[prost(string, repeated, tag = "1")]
    input: Vec<String>,
    #[prost(string, tag = "4")]
    op_type: String,
}

#[derive(Clone, PartialEq, Message)]
struct TensorProto {
    #[prost(int64, repeated, tag = "1")]
    dims: Vec<i64>,
    #[prost(int32, tag = "2")]
    data_type: i32,
    #[prost(bytes = "vec", tag = "9")]
    raw_data: Vec<u8>,
}

/// The value of `TensorProto::data_type` for `f32`. The node tests use only this type and [`INT64`].
const FLOAT: i32 = 1;
/// The value of `TensorProto::data_type` for `i64`.
const INT64: i32 = 7;

impl TensorProto {
    fn shape(&self) -> Vec<usize> {
        self.dims
            .iter()
            .map(|&dim| usize::try_from(dim).expect("the length should not be negative"))
            .collect()
    }

    fn floats(&self) -> Vec<f32> {
        assert_eq!(self.data_type, FLOAT);
        let (chunks, rest) = self.raw_data.as_chunks();
        assert!(rest.is_empty());
        chunks
            .iter()
            .map(|&bytes| f32::from_le_bytes(bytes))
            .collect()
    }

    fn integers(&self) -> Vec<i64> {
        assert_eq!(self.data_type, INT64);
        let (chunks, rest) = self.raw_data.as_chunks();
        assert!(rest.is_empty());
        chunks
            .iter()
            .map(|&bytes| i64::from_le_bytes(bytes))
            .collect()
    }
}

fn decode<M: Message + Default>(path: &Path) -> M {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    M::decode(&bytes[..]).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Runs the node test in a directory.
fn run(directory: &Path) {
    let model: ModelProto = decode(&directory.join("model.onnx"));
    let opset = model
        .opset_import
        .iter()
        .find(|opset| opset.domain.is_empty());
    let graph = model.graph.expect("the model should contain a graph");
    let [node] = &graph.node[..] else {
        panic!("the graph has {} nodes instead of one", graph.node.len())
    };
    assert_eq!(node.op_type, "Slice");
    let data_set = directory.join("test_data_set_0");
    let inputs: BTreeMap<&str, TensorProto> = graph
        .input
        .iter()
        .enumerate()
        .map(|(i, input)| {
            (
                &input.name[..],
                decode(&data_set.join(format!("input_{i}.pb"))),
            )
        })
        .collect();
    let vector = |port: usize| {
        let name = node.input.get(port)?;
        inputs.get(&name[..]).map(TensorProto::integers)
    };
    let op = Slice {
        opset: u32::try_from(
            opset
                .expect("the model should import the default opset")
                .version,
        )
        .expect("the version should not be negative"),
        starts: vector(1).expect("the node should have starts"),
        ends: vector(2).expect("the node should have ends"),
        axes: vector(3),
        steps: vector(4),
    };
    let data = &inputs[&node.input[0][..]];
    let expected: TensorProto = decode(&data_set.join("output_0.pb"));
    for selection in [
        op.resolve(&data.shape()),
        op.resolve_onnxruntime(&data.shape()),
    ] {
        let selection = selection.expect("the slice should fit the shape");
        assert_eq!(selection.output_shape(), expected.shape());
        assert_eq!(selection.gather(&data.floats()), Ok(expected.floats()));
    }
}

#[test]
fn onnx_node_tests_pass() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/onnx_node");
    let mut directories: Vec<_> = fs::read_dir(root)
        .expect("the folder of node tests should be readable")
        .map(|entry| entry.expect("the entry should be readable").path())
        .filter(|path| path.is_dir())
        .collect();
    directories.sort();
    for directory in &directories {
        println!(
            "{}",
            directory
                .file_name()
                .expect("the path should end in a name")
                .display()
        );
        run(directory);
    }
    assert_eq!(directories.len(), 8);
}
