//! Runs one ONNX model in tract, rten or candle, and prints the shape and the elements of the result as JSON.
//!
//! `slice-converters ENGINE MODEL.onnx INPUTS.json`
//!
//! When the model has been loaded, the program prints the line `run`, from which `with_rust.py` concludes that the
//! conversion has succeeded. On an error, the program prints a message to stderr and exits with code 1.

use std::error::Error;

use serde_json::{Value, json};

type Outcome = Result<(Vec<usize>, Vec<f32>), Box<dyn Error>>;

/// A named input. The numbers of `x` are floating-point elements, and the numbers of all other inputs are integers.
struct Input {
    name: String,
    shape: Vec<usize>,
    numbers: Vec<Value>,
}

impl Input {
    fn floats(&self) -> Vec<f32> {
        let numbers = self.numbers.iter().filter_map(Value::as_f64);
        numbers.map(|number| number as f32).collect()
    }

    fn integers(&self) -> Vec<i64> {
        self.numbers.iter().filter_map(Value::as_i64).collect()
    }
}

fn inputs(path: &str) -> Result<Vec<Input>, Box<dyn Error>> {
    let case: Value = serde_json::from_reader(std::fs::File::open(path)?)?;
    let inputs = case["inputs"].as_object().ok_or("the file has no inputs")?;
    let read = |(name, value): (&String, &Value)| {
        let shape = value[0].as_array().ok_or("an input has no shape")?;
        let shape = shape.iter().filter_map(Value::as_u64).map(|n| n as usize);
        Ok(Input {
            name: name.clone(),
            shape: shape.collect(),
            numbers: value[1]
                .as_array()
                .ok_or("an input has no numbers")?
                .clone(),
        })
    };
    inputs.iter().map(read).collect()
}

fn report_loaded() {
    println!("run");
}

#[cfg(feature = "tract")]
fn tract(path: &str, inputs: &[Input]) -> Outcome {
    use tract_onnx::prelude::*;

    let model = tract_onnx::onnx().model_for_path(path)?.into_optimized()?;
    // tract expects the inputs in the order in which the model lists them.
    let mut values = tvec![];
    for outlet in model.input_outlets()? {
        let name = &model.node(outlet.node).name;
        let input = inputs.iter().find(|input| &input.name == name);
        let input = input.ok_or_else(|| format!("the file has no input {name}"))?;
        let tensor = if input.name == "x" {
            Tensor::from_shape(&input.shape, &input.floats())?
        } else {
            Tensor::from_shape(&input.shape, &input.integers())?
        };
        values.push(tensor.into());
    }
    let plan = model.into_runnable()?;
    report_loaded();
    let result = plan.run(values)?;
    let view = result[0].to_plain_array_view::<f32>()?;
    Ok((view.shape().to_vec(), view.iter().copied().collect()))
}

#[cfg(feature = "rten")]
fn rten(path: &str, inputs: &[Input]) -> Outcome {
    use rten::{Model, Value};
    use rten_tensor::prelude::*;

    let model = Model::load_file(path)?;
    let mut values = Vec::new();
    for input in inputs {
        let value = if input.name == "x" {
            Value::from_shape(&input.shape, input.floats())?
        } else {
            // rten's integers are 32-bit. rten itself clamps the constants of a model in the same way.
            let clamp = |n: &i64| (*n).clamp(i32::MIN.into(), i32::MAX.into()) as i32;
            Value::from_shape(
                &input.shape,
                input.integers().iter().map(clamp).collect::<Vec<_>>(),
            )?
        };
        values.push((model.node_id(&input.name)?, value.into()));
    }
    report_loaded();
    let result = model.run(values, model.output_ids(), None)?;
    let Some(Value::FloatTensor(tensor)) = result.first() else {
        return Err("the result is not a floating-point tensor".into());
    };
    Ok((tensor.shape().to_vec(), tensor.iter().copied().collect()))
}

#[cfg(feature = "candle")]
fn candle(path: &str, inputs: &[Input]) -> Outcome {
    use candle_core::{Device, Tensor};

    let model = candle_onnx::read_file(path)?;
    let mut values = std::collections::HashMap::new();
    for input in inputs {
        let shape = input.shape.as_slice();
        let tensor = if input.name == "x" {
            Tensor::from_vec(input.floats(), shape, &Device::Cpu)?
        } else {
            Tensor::from_vec(input.integers(), shape, &Device::Cpu)?
        };
        values.insert(input.name.clone(), tensor);
    }
    report_loaded();
    let result = candle_onnx::simple_eval(&model, values)?;
    let tensor = result.get("y").ok_or("the model has no result y")?;
    Ok((tensor.dims().to_vec(), tensor.flatten_all()?.to_vec1()?))
}

fn outcome() -> Outcome {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [engine, path, given] = arguments.as_slice() else {
        return Err("usage: slice-converters ENGINE MODEL.onnx INPUTS.json".into());
    };
    let given = inputs(given)?;
    match engine.as_str() {
        #[cfg(feature = "tract")]
        "tract" => tract(path, &given),
        #[cfg(feature = "rten")]
        "rten" => rten(path, &given),
        #[cfg(feature = "candle")]
        "candle" => candle(path, &given),
        _ => Err(format!(
            "the engine {engine} is unknown, or this program was built without it; cannot run {path} with {} inputs",
            given.len()
        )
        .into()),
    }
}

fn main() {
    match outcome() {
        Ok((shape, values)) => println!("{}", json!({"shape": shape, "values": values})),
        Err(error) => {
            eprintln!("{error:?}");
            std::process::exit(1);
        }
    }
}
