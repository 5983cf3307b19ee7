//! Builds models of a few bytes, field by field.

/// A message in the format of protocol buffers.
#[derive(Default)]
pub struct Message(pub Vec<u8>);

impl Message {
    fn varint(mut self, mut value: u64) -> Self {
        while value >= 0x80 {
            self.0.push(value.to_le_bytes()[0] | 0x80);
            value >>= 7;
        }
        self.0.push(value.to_le_bytes()[0]);
        self
    }

    pub fn put(self, number: u64, bytes: &[u8]) -> Self {
        let mut with = self.varint(number << 3 | 2).varint(bytes.len() as u64);
        with.0.extend_from_slice(bytes);
        with
    }

    pub fn int(self, number: u64, value: i64) -> Self {
        self.varint(number << 3).varint(value.cast_unsigned())
    }
}

/// Builds an ONNX model with this graph.
pub fn onnx(graph: &Message) -> Vec<u8> {
    let opset = Message::default().int(2, 13);
    Message::default().put(7, &graph.0).put(8, &opset.0).0
}

/// Builds a node of ONNX.
pub fn node(operation: &str, inputs: &[&str], output: &str) -> Message {
    let with = |node: Message, input: &&str| node.put(1, input.as_bytes());
    let node = inputs.iter().fold(Message::default(), with);
    node.put(2, output.as_bytes()).put(4, operation.as_bytes())
}

/// Builds a tensor of ONNX with these lengths and elements.
pub fn tensor(name: &str, dims: &[i64], elements: &[i64]) -> Message {
    let with = |tensor: Message, &dim: &i64| tensor.int(1, dim);
    let tensor = dims.iter().fold(Message::default(), with);
    let bytes: Vec<u8> = elements.iter().flat_map(|one| one.to_le_bytes()).collect();
    tensor.int(2, 7).put(8, name.as_bytes()).put(9, &bytes)
}

/// Builds the description of an ONNX value with its shape.
pub fn info(name: &str, dims: &[i64]) -> Message {
    let with = |shape: Message, &dim: &i64| shape.put(1, &Message::default().int(1, dim).0);
    let shape = dims.iter().fold(Message::default(), with);
    let kind = Message::default().int(1, 1).put(2, &shape.0);
    let kind = Message::default().put(1, &kind.0);
    Message::default().put(1, name.as_bytes()).put(2, &kind.0)
}

/// Builds a TensorFlow graph.
pub fn graph_def(nodes: &[Message]) -> Vec<u8> {
    let with = |graph: Message, node: &Message| graph.put(1, &node.0);
    nodes.iter().fold(Message::default(), with).0
}

/// Builds a TensorFlow node.
pub fn tensorflow_node(name: &str, operation: &str, inputs: &[&str]) -> Message {
    let node = Message::default().put(1, name.as_bytes());
    let with = |node: Message, input: &&str| node.put(3, input.as_bytes());
    let node = node.put(2, operation.as_bytes());
    inputs.iter().fold(node, with)
}

/// Builds a TensorFlow constant, whose last element stands for all that follow.
pub fn constant(name: &str, dims: &[i64], elements: &[i64]) -> Message {
    let with = |shape: Message, &dim: &i64| shape.put(2, &Message::default().int(1, dim).0);
    let shape = dims.iter().fold(Message::default(), with);
    let tensor = Message::default().int(1, 9).put(2, &shape.0);
    let with = |tensor: Message, &element: &i64| tensor.int(10, element);
    let tensor = elements.iter().fold(tensor, with);
    let value = Message::default().put(8, &tensor.0);
    let attribute = Message::default().put(1, b"value").put(2, &value.0);
    tensorflow_node(name, "Const", &[]).put(5, &attribute.0)
}

/// A part of a FlatBuffer.
enum Part {
    /// A table of fields; `None` for missing ones.
    Table(Vec<Option<Part>>),
    Tables(Vec<Part>),
    Ints(Vec<i32>),
    Int(i32),
    /// A byte vector with this claimed length, but only four bytes.
    Bytes(u32),
}

/// Writes a part, and after it the parts to which it refers; returns its offset.
fn write(part: &Part, file: &mut Vec<u8>) -> usize {
    let word = |file: &mut Vec<u8>, word: u32| file.extend(word.to_le_bytes());
    let len = |len: usize| u32::try_from(len).expect("a small model");
    let mut later: Vec<(usize, &Part)> = Vec::new();
    let at = match part {
        Part::Table(fields) => {
            let vtable = file.len();
            let size = 4 + 2 * fields.len();
            for half in [size, 4 + 4 * fields.len()] {
                file.extend(u16::try_from(half).expect("a small table").to_le_bytes());
            }
            for (number, field) in fields.iter().enumerate() {
                let offset = field.as_ref().map_or(0, |_| 4 + 4 * number);
                file.extend(u16::try_from(offset).expect("a small table").to_le_bytes());
            }
            file.resize(file.len().next_multiple_of(4), 0);
            let at = file.len();
            word(file, len(at - vtable));
            for field in fields {
                match field {
                    Some(Part::Int(int)) => file.extend(int.to_le_bytes()),
                    Some(part) => {
                        later.push((file.len(), part));
                        word(file, 0);
                    }
                    None => word(file, 0),
                }
            }
            at
        }
        Part::Tables(tables) => {
            let at = file.len();
            word(file, len(tables.len()));
            for table in tables {
                later.push((file.len(), table));
                word(file, 0);
            }
            at
        }
        Part::Ints(ints) => {
            let at = file.len();
            word(file, len(ints.len()));
            ints.iter().for_each(|int| file.extend(int.to_le_bytes()));
            at
        }
        Part::Bytes(said) => {
            let at = file.len();
            word(file, *said);
            word(file, 1);
            at
        }
        Part::Int(_) => unreachable!("a number is a field"),
    };
    for (place, part) in later {
        let to = len(write(part, file) - place);
        file[place..place + 4].copy_from_slice(&to.to_le_bytes());
    }
    at
}

/// Builds a LiteRT model with a `SLICE` whose begin claims these lengths and this number of bytes.
pub fn litert(lengths: &[i32], bytes: u32, output: i32) -> Vec<u8> {
    const SLICE: i32 = 65;
    const INT32: i32 = 2;
    let tensor = |lengths: &[i32], buffer| {
        let fields = [
            Part::Ints(lengths.to_vec()),
            Part::Int(INT32),
            Part::Int(buffer),
        ];
        Part::Table(fields.map(Some).into())
    };
    let tensors = vec![tensor(&[4], 0), tensor(lengths, 1), tensor(&[4], 0)];
    let (inputs, outputs) = (Part::Ints(vec![0, 1, 1]), Part::Ints(vec![output]));
    let operator = Part::Table([Part::Int(0), inputs, outputs].map(Some).into());
    let graph = vec![
        Some(Part::Tables(tensors)),
        None,
        None,
        Some(Part::Tables(vec![operator])),
    ];
    let code = Part::Table(vec![None, None, None, Some(Part::Int(SLICE))]);
    let empty = Part::Table(Vec::new());
    let buffer = Part::Table(vec![Some(Part::Bytes(bytes))]);
    let model = Part::Table(vec![
        Some(Part::Int(3)),
        Some(Part::Tables(vec![code])),
        Some(Part::Tables(vec![Part::Table(graph)])),
        None,
        Some(Part::Tables(vec![empty, buffer])),
    ]);
    let mut file = b"\0\0\0\0TFL3".to_vec();
    let root = u32::try_from(write(&model, &mut file)).expect("a small model");
    file[..4].copy_from_slice(&root.to_le_bytes());
    file
}
