//! Builds small models for tests, field by field.

/// A Protocol Buffers message.
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
        let mut message = self.varint(number << 3 | 2).varint(bytes.len() as u64);
        message.0.extend_from_slice(bytes);
        message
    }

    pub fn int(self, number: u64, value: i64) -> Self {
        self.varint(number << 3).varint(value.cast_unsigned())
    }
}

/// Builds an ONNX model from a graph.
pub fn onnx(graph: &Message) -> Vec<u8> {
    let opset = Message::default().int(2, 13);
    Message::default().put(7, &graph.0).put(8, &opset.0).0
}

/// Builds an ONNX node.
pub fn node(operation: &str, inputs: &[&str], output: &str) -> Message {
    let add = |node: Message, input: &&str| node.put(1, input.as_bytes());
    let node = inputs.iter().fold(Message::default(), add);
    node.put(2, output.as_bytes()).put(4, operation.as_bytes())
}

/// Builds an ONNX tensor of 64-bit integers from its shape and its elements.
pub fn tensor(name: &str, dims: &[i64], elements: &[i64]) -> Message {
    let add = |tensor: Message, &dim: &i64| tensor.int(1, dim);
    let tensor = dims.iter().fold(Message::default(), add);
    let bytes: Vec<u8> = elements.iter().flat_map(|one| one.to_le_bytes()).collect();
    tensor.int(2, 7).put(8, name.as_bytes()).put(9, &bytes)
}

/// Builds the ONNX declaration of a floating-point value of shape `dims`.
pub fn value_info(name: &str, dims: &[i64]) -> Message {
    let add = |shape: Message, &dim: &i64| shape.put(1, &Message::default().int(1, dim).0);
    let shape = dims.iter().fold(Message::default(), add);
    let kind = Message::default().int(1, 1).put(2, &shape.0);
    let kind = Message::default().put(1, &kind.0);
    Message::default().put(1, name.as_bytes()).put(2, &kind.0)
}

/// Builds a TensorFlow graph.
pub fn graph_def(nodes: &[Message]) -> Vec<u8> {
    let add = |graph: Message, node: &Message| graph.put(1, &node.0);
    nodes.iter().fold(Message::default(), add).0
}

/// Builds a TensorFlow node.
pub fn tensorflow_node(name: &str, operation: &str, inputs: &[&str]) -> Message {
    let node = Message::default().put(1, name.as_bytes());
    let add = |node: Message, input: &&str| node.put(3, input.as_bytes());
    let node = node.put(2, operation.as_bytes());
    inputs.iter().fold(node, add)
}

/// Builds a TensorFlow constant that claims to have the shape `dims`, but stores only `elements`. TensorFlow repeats
/// the last stored element.
pub fn constant(name: &str, dims: &[i64], elements: &[i64]) -> Message {
    let add = |shape: Message, &dim: &i64| shape.put(2, &Message::default().int(1, dim).0);
    let shape = dims.iter().fold(Message::default(), add);
    let tensor = Message::default().int(1, 9).put(2, &shape.0);
    let add = |tensor: Message, &element: &i64| tensor.int(10, element);
    let tensor = elements.iter().fold(tensor, add);
    let value = Message::default().put(8, &tensor.0);
    let attribute = Message::default().put(1, b"value").put(2, &value.0);
    tensorflow_node(name, "Const", &[]).put(5, &attribute.0)
}

/// A part of a FlatBuffer.
enum Part {
    /// A table of fields. A missing field is `None`.
    Table(Vec<Option<Part>>),
    Tables(Vec<Part>),
    /// A vector of tables that all share one table.
    Repeated(Box<Part>, usize),
    Text(String),
    Ints(Vec<i32>),
    Int(i32),
    /// A byte vector that claims to have this length, but contains only four bytes.
    Bytes(u32),
}

/// Writes a part, followed by the parts to which it refers. Returns the offset of the part.
fn write(part: &Part, file: &mut Vec<u8>) -> usize {
    let word = |file: &mut Vec<u8>, word: u32| file.extend(word.to_le_bytes());
    let len = |len: usize| u32::try_from(len).expect("the model should be small");
    let mut pending_parts: Vec<(usize, &Part)> = Vec::new();
    let at = match part {
        Part::Table(fields) => {
            let vtable = file.len();
            let size = 4 + 2 * fields.len();
            for half in [size, 4 + 4 * fields.len()] {
                file.extend(
                    u16::try_from(half)
                        .expect("the table should be small")
                        .to_le_bytes(),
                );
            }
            for (number, field) in fields.iter().enumerate() {
                let offset = field.as_ref().map_or(0, |_| 4 + 4 * number);
                file.extend(
                    u16::try_from(offset)
                        .expect("the table should be small")
                        .to_le_bytes(),
                );
            }
            file.resize(file.len().next_multiple_of(4), 0);
            let at = file.len();
            word(file, len(at - vtable));
            for field in fields {
                match field {
                    Some(Part::Int(int)) => file.extend(int.to_le_bytes()),
                    Some(part) => {
                        pending_parts.push((file.len(), part));
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
                pending_parts.push((file.len(), table));
                word(file, 0);
            }
            at
        }
        Part::Repeated(table, count) => {
            let at = file.len();
            word(file, len(*count));
            file.resize(at + 4 + 4 * count, 0);
            let target = write(table, file);
            for entry in (at + 4..).step_by(4).take(*count) {
                let offset = len(target - entry).to_le_bytes();
                file[entry..entry + 4].copy_from_slice(&offset);
            }
            at
        }
        Part::Text(text) => {
            let at = file.len();
            word(file, len(text.len()));
            file.extend(text.as_bytes());
            file.resize(file.len().next_multiple_of(4), 0);
            at
        }
        Part::Ints(ints) => {
            let at = file.len();
            word(file, len(ints.len()));
            ints.iter().for_each(|int| file.extend(int.to_le_bytes()));
            at
        }
        Part::Bytes(claimed_len) => {
            let at = file.len();
            word(file, *claimed_len);
            word(file, 1);
            at
        }
        Part::Int(_) => unreachable!("an integer is stored in its table"),
    };
    for (offset_at, part) in pending_parts {
        let target = len(write(part, file) - offset_at);
        file[offset_at..offset_at + 4].copy_from_slice(&target.to_le_bytes());
    }
    at
}

/// Builds a LiteRT model from operator codes, graphs and buffers.
fn litert_file(codes: &[i32], graphs: Part, buffers: Vec<Part>) -> Vec<u8> {
    let code = |&code: &i32| Part::Table(vec![None, None, None, Some(Part::Int(code))]);
    let model = Part::Table(vec![
        Some(Part::Int(3)),
        Some(Part::Tables(codes.iter().map(code).collect())),
        Some(graphs),
        None,
        Some(Part::Tables(buffers)),
    ]);
    let mut file = b"\0\0\0\0TFL3".to_vec();
    let root = u32::try_from(write(&model, &mut file)).expect("the model should be small");
    file[..4].copy_from_slice(&root.to_le_bytes());
    file
}

/// The code of LiteRT's operator `SLICE`.
const SLICE: i32 = 65;
/// The code of 32-bit integers in LiteRT's `TensorType`.
const INT32: i32 = 2;

/// Builds a LiteRT tensor.
fn litert_tensor(lengths: &[i32], buffer: i32) -> Part {
    let lengths = Part::Ints(lengths.to_vec());
    let fields = [lengths, Part::Int(INT32), Part::Int(buffer)];
    Part::Table(fields.map(Some).into())
}

/// Builds a LiteRT model with one graph for each pair in `calls`. Each graph contains a `SLICE` and a `WHILE` that
/// calls the two graphs whose indices form the pair.
pub fn litert_calls(calls: &[[i32; 2]]) -> Vec<u8> {
    // The code of LiteRT's operator `WHILE`.
    const WHILE: i32 = 119;
    let operator = |code, inputs: &[i32], output, options| {
        let (inputs, outputs) = (Part::Ints(inputs.to_vec()), Part::Ints(vec![output]));
        let fields = [Some(Part::Int(code)), Some(inputs), Some(outputs), None];
        Part::Table(fields.into_iter().chain([options]).collect())
    };
    let graph = |called_graphs: &[i32; 2]| {
        let tensors = [(&[4][..], 0), (&[1], 1), (&[1], 0), (&[1], 0)];
        let tensors = tensors.map(|(lengths, buffer)| litert_tensor(lengths, buffer));
        let called_graphs = Part::Table(called_graphs.map(|graph| Some(Part::Int(graph))).into());
        let operators = vec![
            operator(0, &[0, 1, 1], 2, None),
            operator(1, &[2], 3, Some(called_graphs)),
        ];
        let fields = [Some(Part::Tables(tensors.into())), None, None];
        let operators = Some(Part::Tables(operators));
        Part::Table(fields.into_iter().chain([operators]).collect())
    };
    let buffers = vec![
        Part::Table(Vec::new()),
        Part::Table(vec![Some(Part::Bytes(4))]),
    ];
    let graphs = Part::Tables(calls.iter().map(graph).collect());
    litert_file(&[SLICE, WHILE], graphs, buffers)
}

/// Builds an uncompressed zip archive of `files`. A file is given by its name, its bytes, and the size that the archive
/// states for the file.
pub fn archive(files: &[(&str, &[u8], u32)]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for &(name, bytes, size) in files {
        let at = u32::try_from(archive.len()).expect("the archive should be small");
        let name_len = u16::try_from(name.len()).expect("the name should be short");
        // The zero bytes declare no flags, no compression, no time and no checksum.
        let mut common = vec![20, 0];
        common.extend([0; 12]);
        common.extend(size.to_le_bytes());
        common.extend(size.to_le_bytes());
        common.extend(name_len.to_le_bytes());
        common.extend([0; 2]);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(name.as_bytes());
        archive.extend(b"PK\x03\x04");
        archive.extend(&common);
        archive.extend(name.as_bytes());
        archive.extend(bytes);
    }
    let count = u16::try_from(files.len()).expect("the archive should be small");
    let offsets = [directory.len(), archive.len()];
    let offsets = offsets.map(|offset| {
        u32::try_from(offset)
            .expect("the archive should be small")
            .to_le_bytes()
    });
    archive.extend(&directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend(count.to_le_bytes());
    archive.extend(count.to_le_bytes());
    archive.extend(offsets.concat());
    archive.extend([0; 2]);
    archive
}

/// Builds a LiteRT model with a `SLICE`. One tensor serves as both the `begin` and the `size` input. This tensor
/// claims to have the shape `lengths`, and its buffer claims to have `bytes` bytes. `output` is the index of the output
/// tensor; tensor 0 is the sliced input.
pub fn litert(lengths: &[i32], bytes: u32, output: i32) -> Vec<u8> {
    let tensors = vec![
        litert_tensor(&[4], 0),
        litert_tensor(lengths, 1),
        litert_tensor(&[4], 0),
    ];
    let (inputs, outputs) = (Part::Ints(vec![0, 1, 1]), Part::Ints(vec![output]));
    let operator = Part::Table([Part::Int(0), inputs, outputs].map(Some).into());
    let graph = vec![
        Some(Part::Tables(tensors)),
        None,
        None,
        Some(Part::Tables(vec![operator])),
    ];
    let empty = Part::Table(Vec::new());
    let buffer = Part::Table(vec![Some(Part::Bytes(bytes))]);
    let graphs = Part::Tables(vec![Part::Table(graph)]);
    litert_file(&[SLICE], graphs, vec![empty, buffer])
}

/// Builds a LiteRT model in which `tensors` tensors, `operators` operators with `outputs` outputs each, and `graphs`
/// graphs share one table each. All tensors have the name `name` and share a buffer of 512 integers.
pub fn litert_shared(name: &str, [tensors, operators, outputs, graphs]: [usize; 4]) -> Vec<u8> {
    let buffer = Part::Table(vec![Some(Part::Text("\0".repeat(2048)))]);
    let tensor = Part::Table(vec![
        Some(Part::Ints(vec![512])),
        Some(Part::Int(INT32)),
        Some(Part::Int(1)),
        Some(Part::Text(name.to_owned())),
    ]);
    let operator = Part::Table(vec![
        Some(Part::Int(0)),
        Some(Part::Ints(vec![0, 0, 0])),
        Some(Part::Ints((0..outputs as i32).collect())),
    ]);
    let graph = Part::Table(vec![
        Some(Part::Repeated(Box::new(tensor), tensors)),
        None,
        None,
        Some(Part::Repeated(Box::new(operator), operators)),
    ]);
    let graphs = Part::Repeated(Box::new(graph), graphs);
    litert_file(&[SLICE], graphs, vec![Part::Table(Vec::new()), buffer])
}

/// Builds a LiteRT model with `operators` operators that share their inputs. Each has the given code, an input of shape
/// (4,) followed by copies of one constant, a list of `elements` integers, and outputs of shape (4,).
pub fn litert_nodes(
    code: i32,
    inputs: usize,
    outputs: usize,
    operators: usize,
    elements: usize,
) -> Vec<u8> {
    let list = Part::Table(vec![Some(Part::Text("\0".repeat(4 * elements)))]);
    let length = i32::try_from(elements).expect("the list should be short");
    let tensor = |length: i32, buffer| litert_tensor(&[length], buffer);
    let mut tensors = vec![tensor(4, 0), tensor(length, 1)];
    tensors.extend((0..outputs * operators).map(|_| litert_tensor(&[4], 0)));
    let mut input_tensors = vec![1; inputs];
    input_tensors[0] = 0;
    let mut output_tensors = 2..;
    let operator = |_| {
        let outputs = output_tensors.by_ref().take(outputs).collect();
        let fields = [
            Part::Int(0),
            Part::Ints(input_tensors.clone()),
            Part::Ints(outputs),
        ];
        Part::Table(fields.map(Some).into())
    };
    let operators = (0..operators).map(operator).collect();
    let graph = Part::Table(vec![
        Some(Part::Tables(tensors)),
        None,
        None,
        Some(Part::Tables(operators)),
    ]);
    let buffers = vec![Part::Table(Vec::new()), list];
    litert_file(&[code], Part::Tables(vec![graph]), buffers)
}

/// Builds a LiteRT model with a `SQUEEZE` that lists `count` axes.
pub fn litert_squeeze(count: usize) -> Vec<u8> {
    // The code of LiteRT's operator `SQUEEZE`.
    const SQUEEZE: i32 = 43;
    let options = Part::Table(vec![Some(Part::Ints(vec![0; count]))]);
    let lists = [vec![0], vec![1]].map(|list| Some(Part::Ints(list)));
    let [inputs, outputs] = lists;
    let operator = Part::Table(vec![
        Some(Part::Int(0)),
        inputs,
        outputs,
        None,
        Some(options),
    ]);
    let tensors = [&[1, 4][..], &[4]].map(|lengths| litert_tensor(lengths, 0));
    let graph = Part::Table(vec![
        Some(Part::Tables(tensors.into())),
        None,
        None,
        Some(Part::Tables(vec![operator])),
    ]);
    let buffers = vec![Part::Table(Vec::new())];
    litert_file(&[SQUEEZE], Part::Tables(vec![graph]), buffers)
}
