//! Models that come from anywhere: an error, soon, and without much memory.

use std::fs;
use std::time::{Duration, Instant};

use slice_cli::said_of;

/// The models that are kept here.
fn models() -> Vec<(String, Vec<u8>)> {
    let files = fs::read_dir("tests/models").expect("the models");
    let paths = files.map(|file| file.expect("a file").path());
    let models = paths.filter(|path| {
        let end = path.extension().and_then(|end| end.to_str());
        end.is_some_and(|end| ["onnx", "pb", "tflite"].contains(&end))
    });
    let read = models.map(|path| {
        let bytes = fs::read(&path).expect("a model");
        (path.display().to_string(), bytes)
    });
    read.collect()
}

/// A message of protocol buffers, field by field.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(mut self, mut value: u64) -> Self {
        while value >= 0x80 {
            self.0.push(value.to_le_bytes()[0] | 0x80);
            value >>= 7;
        }
        self.0.push(value.to_le_bytes()[0]);
        self
    }

    fn put(self, number: u64, bytes: &[u8]) -> Self {
        let mut with = self.varint(number << 3 | 2).varint(bytes.len() as u64);
        with.0.extend_from_slice(bytes);
        with
    }

    fn int(self, number: u64, value: i64) -> Self {
        self.varint(number << 3).varint(value.cast_unsigned())
    }
}

fn model(graph: Message) -> Vec<u8> {
    let opset = Message::default().int(2, 13);
    Message::default().put(7, &graph.0).put(8, &opset.0).0
}

fn node(operation: &str, inputs: &[&str], output: &str) -> Message {
    let with = |node: Message, input: &&str| node.put(1, input.as_bytes());
    let node = inputs.iter().fold(Message::default(), with);
    node.put(2, output.as_bytes()).put(4, operation.as_bytes())
}

fn error(bytes: &[u8]) -> String {
    let begin = Instant::now();
    let error = said_of(bytes).expect_err("no model");
    let took = begin.elapsed();
    assert!(took < Duration::from_secs(60), "{took:?}: {error}");
    error
}

/// Cut off at many places: an error, or what is left of it.
#[test]
fn truncated_models() {
    let mut errors = 0;
    for (name, bytes) in models() {
        assert!(said_of(&bytes).is_ok(), "{name}");
        for len in (0..bytes.len()).step_by(1 + bytes.len() / 50) {
            errors += usize::from(said_of(&bytes[..len]).is_err());
        }
    }
    assert!(errors > 300, "{errors}");
}

/// With a byte changed, at many places.
#[test]
fn changed_models() {
    for (_, mut bytes) in models() {
        for at in (0..bytes.len()).step_by(1 + bytes.len() / 50) {
            let old = bytes[at];
            for new in [0xff, old.wrapping_add(1)] {
                bytes[at] = new;
                let _ = said_of(&bytes);
            }
            bytes[at] = old;
        }
    }
}

#[test]
fn claimed_tensors() {
    // Two billion elements, of which there are none.
    let tensor = Message::default().int(1, 1 << 31).int(2, 7).put(8, b"ends");
    let slice = node("Slice", &["x", "ends", "ends"], "y");
    let said = said_of(&model(
        Message::default().put(1, &slice.0).put(5, &tensor.0),
    ));
    assert!(
        said.expect("a model")
            .contains("known only when the model runs: ends")
    );
    // A few, of which there are fewer.
    let tensor = Message::default()
        .int(1, 3)
        .int(2, 7)
        .put(8, b"ends")
        .put(9, &[0; 16]);
    let message = error(&model(
        Message::default().put(1, &slice.0).put(5, &tensor.0),
    ));
    assert_eq!(
        message,
        "the tensor \"ends\" of shape [3] does not have 3 elements"
    );
    let tensor = Message::default().int(1, -3).int(2, 7).put(8, b"ends");
    let message = error(&model(Message::default().put(5, &tensor.0)));
    assert_eq!(message, "the tensor \"ends\" has the lengths [-3]");
}

#[test]
fn circular_graphs_are_an_error() {
    let graph = Message::default();
    let graph = graph.put(1, &node("Slice", &["a", "a", "a"], "b").0);
    let graph = graph.put(1, &node("Concat", &["b", "b"], "a").0);
    let message = error(&model(graph));
    assert_eq!(
        message,
        "\"\" and other nodes take values of each other in a circle"
    );
    let graph = Message::default();
    let graph = graph.put(1, &node("Slice", &["a"], "b").0);
    let message = error(&model(graph.put(1, &node("Slice", &["a"], "b").0)));
    assert_eq!(message, "two nodes, \"\" and \"\", make the value \"b\"");
}

/// A graph in an attribute of a node of a graph, and so on.
#[test]
fn deep_models() {
    let mut graph = Message::default();
    for _ in 0..1000 {
        let attribute = Message::default().put(1, b"body").put(6, &graph.0);
        graph = Message::default().put(1, &node("Loop", &["x"], "y").put(5, &attribute.0).0);
    }
    assert_eq!(
        error(&model(graph)),
        "the model has graphs inside more than 32 graphs"
    );
}

/// Two bytes are a node, and many times as many in memory.
#[test]
fn many_nodes() {
    let graph = Message([0x0a, 0x00].repeat(600_000));
    let limit = "the model has more than 500000 nodes, or 2000000 inputs and outputs of nodes";
    assert_eq!(error(&model(graph)), limit);
    let inputs = Message([0x0a, 0x01, b'x'].repeat(2_100_000));
    assert_eq!(error(&model(Message::default().put(1, &inputs.0))), limit);
    // Names of shapes of many axes, and long lists of numbers.
    let dims = Message([0x0a, 0x00].repeat(600_000));
    let shape = Message::default().put(2, &dims.0);
    let info = Message::default()
        .put(1, b"x")
        .put(2, &Message::default().put(1, &shape.0).0);
    let said = said_of(&model(Message::default().put(11, &info.0)));
    assert!(said.expect("a model").contains("0 nodes"));
}

/// A long chain of slices, each of the one before.
#[test]
fn long_chains() {
    let mut graph = Message::default();
    let one = Message::default()
        .int(1, 1)
        .int(2, 7)
        .put(8, b"one")
        .put(9, &1_i64.to_le_bytes());
    graph = graph.put(5, &one.0);
    for at in 0..8000 {
        let (of, made) = (format!("v{at}"), format!("v{}", at + 1));
        graph = graph.put(1, &node("Slice", &[&of, "one", "one"], &made).0);
    }
    let begin = Instant::now();
    assert!(said_of(&model(graph)).is_ok());
    let took = begin.elapsed();
    assert!(took < Duration::from_secs(60), "{took:?}");
}

/// Offsets of a FlatBuffer that lead out of it, in circles, or many to one place.
#[test]
fn shared_tables() {
    let bytes = fs::read("tests/models/focus.tflite").expect("a model");
    for at in (0..bytes.len() - 4).step_by(8) {
        for offset in [0, 4, 0x7fff_ffff, u32::MAX, bytes.len() as u32 - at as u32] {
            let mut bytes = bytes.clone();
            bytes[at..at + 4].copy_from_slice(&offset.to_le_bytes());
            let _ = said_of(&bytes);
        }
    }
    // A hundred thousand operators, all of them one.
    let mut file = vec![0; 8];
    let word = |file: &mut Vec<u8>, word: u32| file.extend_from_slice(&word.to_le_bytes());
    file[..4].copy_from_slice(&36_u32.to_le_bytes());
    file[4..].copy_from_slice(b"TFL3");
    // At 8 the vtable of the model, at 36 the model.
    for half in [14_u16, 12, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0] {
        file.extend_from_slice(&half.to_le_bytes());
    }
    word(&mut file, 28);
    word(&mut file, 8);
    word(&mut file, 8);
    word(&mut file, 0);
    let graphs = 500_000_u32;
    word(&mut file, graphs);
    for graph in 0..graphs {
        // Each leads back to the model, which has no tensors.
        let here = 56 + 4 * graph;
        word(&mut file, 36_u32.wrapping_sub(here));
    }
    let begin = Instant::now();
    assert!(said_of(&file).is_err());
    assert!(begin.elapsed() < Duration::from_secs(60));
}
