//! Runs one of the modules written by `generate`, and prints the shape and the elements of the result as JSON:
//! `run MODEL INPUTS.json`.
//!
//! When the model has been loaded, the program prints the line `run`, from which `with_burn.py` concludes that the
//! conversion has succeeded. `with_burn.py` also writes the list of modules.

use std::error::Error;
use std::{env, fs};

use burn::prelude::*;
use burn::tensor::{DType, TensorData};
use serde_json::{Value, json};

// The included file declares the modules, and defines
// `fn module_outcome(name: &str, inputs: &Inputs) -> Option<Outcome>`.
include!("../../../../../target/converters/burn/models.rs");

type Outcome = (Vec<usize>, Vec<f32>);

/// The inputs of a model by name, each with its shape and its numbers.
struct Inputs(Value);

impl Inputs {
    fn get<T: Input>(&self, name: &str) -> T {
        let input = &self.0["inputs"][name];
        let list = |at: usize| {
            input[at]
                .as_array()
                .expect("the input should contain lists")
                .iter()
        };
        let shape =
            list(0).map(|length| length.as_u64().expect("the length should be a number") as usize);
        T::from_numbers(shape.collect(), list(1))
    }
}

/// A type that the modules accept as an argument.
trait Input {
    fn from_numbers<'a>(shape: Vec<usize>, numbers: impl Iterator<Item = &'a Value>) -> Self;
}

impl<const D: usize> Input for Tensor<D> {
    fn from_numbers<'a>(shape: Vec<usize>, numbers: impl Iterator<Item = &'a Value>) -> Self {
        let numbers =
            numbers.map(|number| number.as_f64().expect("the element should be a number") as f32);
        let data = TensorData::new(numbers.collect::<Vec<f32>>(), shape);
        Tensor::from_data(data, &Device::default())
    }
}

impl<const D: usize> Input for Tensor<D, Int> {
    fn from_numbers<'a>(shape: Vec<usize>, numbers: impl Iterator<Item = &'a Value>) -> Self {
        let numbers =
            numbers.map(|number| number.as_i64().expect("the element should be an integer"));
        let data = TensorData::new(numbers.collect::<Vec<i64>>(), shape);
        Tensor::from_data(data, (&Device::default(), DType::I64))
    }
}

impl Input for i64 {
    fn from_numbers<'a>(_: Vec<usize>, mut numbers: impl Iterator<Item = &'a Value>) -> Self {
        numbers
            .next()
            .and_then(Value::as_i64)
            .expect("the element should be an integer")
    }
}

/// A type that the modules return as a result.
trait Output {
    fn outcome(self) -> Outcome;
}

impl<const D: usize> Output for Tensor<D> {
    fn outcome(self) -> Outcome {
        let shape = self.dims().to_vec();
        let values = self.into_data().try_into_vec::<f32>();
        (shape, values.expect("the elements should be of type f32"))
    }
}

impl Output for f32 {
    fn outcome(self) -> Outcome {
        (Vec::new(), vec![self])
    }
}

fn report_loaded() {
    println!("run");
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [model, inputs] = arguments.as_slice() else {
        return Err("usage: run MODEL INPUTS.json".into());
    };
    let inputs = Inputs(serde_json::from_str(&fs::read_to_string(inputs)?)?);
    let (shape, values) = module_outcome(model, &inputs)
        .ok_or("models.rs declares no module for the model named on the command line")?;
    println!("{}", json!({"shape": shape, "values": values}));
    Ok(())
}
