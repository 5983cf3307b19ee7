//! Writes the Rust module that burn-onnx generates for one model to a folder: `generate MODEL.onnx FOLDER`.

use std::env;

use burn_onnx::ModelGen;

fn main() {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [model, folder] = arguments.as_slice() else {
        panic!("usage: generate MODEL.onnx FOLDER");
    };
    ModelGen::new().input(model).out_dir(folder).run_from_cli();
}
