//! Determines the kinds of calls in `torch.export` graphs, and reads the numbers in their arguments.

use super::Reader;
use super::schema::{self, Arg, SymInt};
use crate::model::array::Constant;
use crate::model::element_type::ElementType;
use crate::model::kind::{Argument, Kind, Select};
use crate::model::number::{Dim, MAX_ELEMENTS, Number};
use crate::model::operators;
use crate::model::{Format, ModelError, ValueId};

/// A node whose inputs are collected while its kind is determined.
pub(super) struct Call<'a> {
    pub node: &'a schema::Node,
    pub inputs: Vec<Option<ValueId>>,
    pub outputs: &'a [Option<ValueId>],
    pub reader: &'a mut Reader,
}

impl<'a> Call<'a> {
    fn arg(&self, name: &str) -> Option<&'a Arg> {
        let inputs = &self.node.inputs;
        inputs
            .iter()
            .find(|input| input.name == name)
            .map(|input| &input.arg)
    }

    fn int(&self, name: &str, default: i64) -> i64 {
        self.arg(name).and_then(Arg::int).unwrap_or(default)
    }

    fn input(&mut self, name: &str) -> Result<Argument, ModelError> {
        let value = self.reader.value(name)?;
        self.inputs.push(Some(value));
        Ok(Argument::Input(self.inputs.len() - 1))
    }

    /// Returns the numbers in an argument. Symbolic integers, which are given by name, and tensors become inputs of the
    /// node.
    fn numbers(&mut self, name: &str) -> Result<Argument, ModelError> {
        let Some(arg) = self.arg(name) else {
            return Ok(Argument::Absent);
        };
        match arg {
            Arg::Int(int) | Arg::SymInt(SymInt::Int(int)) => Ok(Argument::Given([*int].into())),
            Arg::Ints(ints) => Ok(Argument::Given(ints[..].into())),
            Arg::Tensor(name) | Arg::SymInt(SymInt::Name(name)) => self.input(name),
            Arg::SymInts(all) => self.vector(all),
            _ => Ok(Argument::Absent),
        }
    }

    /// Adds a constant with the elements `integers`, some of which may be symbolic, and makes it an input of the node.
    fn vector(&mut self, integers: &[SymInt]) -> Result<Argument, ModelError> {
        let mut elements = Vec::new();
        for integer in integers.iter().take(MAX_ELEMENTS) {
            elements.push(match integer {
                SymInt::Int(int) => Number::Known(*int),
                SymInt::Name(name) => {
                    let value = self.reader.values.get(&name[..]);
                    let constant = value.and_then(|&value| self.reader.graph.constant(Some(value)));
                    constant
                        .and_then(|constant| constant.elements.first().cloned())
                        .unwrap_or(Number::Unknown)
                }
                SymInt::Unknown => Number::Unknown,
            });
        }
        let value = self.reader.graph.add_value(&self.node.target)?;
        let constant = Constant::vector(ElementType::Python, elements);
        self.reader.graph.set_constant(value, constant);
        self.inputs.push(Some(value));
        Ok(Argument::Input(self.inputs.len() - 1))
    }

    /// Returns the length of an axis of an array.
    fn length(&self, value: Option<ValueId>, axis: i64) -> Option<&Dim> {
        let shape = self.reader.graph.shape(value)?;
        shape.get(slice_core::resolve::index(axis, shape.len())?)
    }

    /// Returns the length of each output along an axis, or [`Argument::Absent`] if one of the lengths is unknown.
    fn output_lengths(&self, axis: i64) -> Argument {
        let length =
            |&output: &Option<ValueId>| i64::try_from(self.length(output, axis)?.known()?).ok();
        self.outputs
            .iter()
            .map(length)
            .collect::<Option<Vec<i64>>>()
            .into()
    }

    /// Determines the kind of the call.
    pub fn kind(&mut self) -> Result<Kind, ModelError> {
        let node = self.node;
        let target = node
            .target
            .strip_prefix("torch.ops.aten.")
            .unwrap_or(&node.target);
        let base = target.split('.').next().unwrap_or_default();
        let base = if node.target.starts_with("_operator.") {
            target
        } else {
            base
        };
        // An operator with the suffix `_copy` selects the same elements as the operator without the suffix.
        let base = base.strip_suffix("_copy").unwrap_or(base);
        if let Some(kind) = operators::computed(Format::Torch, base) {
            for name in ["a", "b"] {
                if let Argument::Given(given) = self.numbers(name)? {
                    let value = self.reader.graph.add_value(name)?;
                    let number = given.first().copied();
                    self.reader.graph.values[value].constant =
                        Some(Constant::scalar(ElementType::Python, number.into()));
                    self.inputs.push(Some(value));
                }
            }
            return Ok(kind);
        }
        // The sliced array is the first input.
        let array = node.inputs.first().and_then(|input| input.arg.tensor());
        if let "cat" | "concat" | "concatenate" | "stack" = base {
            let axis = self.int("dim", 0);
            let _ = self.other_kind()?;
            return Ok(match base {
                "stack" => Kind::Pack { axis },
                _ => Kind::Concat {
                    axis: Argument::Given([axis].into()),
                },
            });
        }
        let Some(array) = array else {
            return self.other_kind();
        };
        self.input(array)?;
        self.kind_on_array(base)
    }

    /// Determines the kind of a call whose first input is an array.
    fn kind_on_array(&mut self, base: &str) -> Result<Kind, ModelError> {
        let dim = self.int("dim", 0);
        let given = |axis: i64| Argument::Given([axis].into());
        Ok(match base {
            "slice" => {
                let (start, end) = (self.numbers("start")?, self.numbers("end")?);
                let bounds = [start, end, self.numbers("step")?];
                Kind::select(Select::OneAxis { dim, bounds })
            }
            "narrow" => {
                let start = self.arg("start").and_then(Arg::int);
                let (Some(start), Some(len)) = (start, self.arg("length").and_then(Arg::int))
                else {
                    return self.not_examined("its start or its length is known only at run time");
                };
                // With a negative start, an end of 0 would refer to the beginning of the axis, so this end is omitted.
                let end = start.checked_add(len).filter(|&end| start >= 0 || end < 0);
                let end = end.map_or(Argument::Absent, given);
                let bounds = [given(start), end, Argument::Absent];
                Kind::select(Select::OneAxis { dim, bounds })
            }
            "select" | "index_select" => Kind::select(Select::Gather {
                axis: given(dim),
                indices: self.numbers("index")?,
                batch_axes: 0,
            }),
            "index" => match self.single_list() {
                Some((axis, name)) => Kind::select(Select::Gather {
                    axis: given(axis),
                    indices: self.input(name)?,
                    batch_axes: 0,
                }),
                None => {
                    return self.not_examined("it has several lists");
                }
            },
            "split" | "split_with_sizes" | "chunk" | "tensor_split" => {
                // Longer lists of lengths are not kept in other formats either.
                if self.outputs.len() > MAX_ELEMENTS {
                    return self.not_examined("it has too many outputs");
                }
                let lengths = match (self.output_lengths(dim), base) {
                    (Argument::Absent, "split_with_sizes") => self.numbers("split_sizes")?,
                    (lengths, _) => lengths,
                };
                if lengths == Argument::Absent && base != "chunk" {
                    return self.not_examined("its lengths are known only at run time");
                }
                let axis = given(dim);
                Kind::select(Select::Split {
                    axis,
                    lengths,
                    allows_rest: false,
                    // `chunk` rounds the length of a part up.
                    rounded_count: Some(1),
                })
            }
            "unbind" => Kind::select(Select::Unpack { axis: given(dim) }),
            "flip" => Kind::select(Select::Reverse {
                axes: self.numbers("dims")?,
            }),
            "unsqueeze" => Kind::select(Select::Unsqueeze { axes: given(dim) }),
            "squeeze" => {
                let axes = self.arg("dim").map(|arg| match arg {
                    Arg::Ints(ints) => ints.clone(),
                    arg => arg.int().into_iter().collect(),
                });
                // PyTorch keeps the listed axes whose length is not 1.
                let axes = axes.map(|axes| -> Vec<i64> {
                    let array = self.inputs.first().copied().flatten();
                    let is_one = |axis: &i64| self.length(array, *axis) == Some(&Dim::Known(1));
                    axes.into_iter().filter(is_one).collect()
                });
                Kind::select(Select::Squeeze { axes: axes.into() })
            }
            "sym_size" => {
                let value = self.inputs.first().copied().flatten();
                let value = self.length(value, dim).map(Number::from);
                if let (Some(number), Some(&Some(output))) = (value, self.outputs.first())
                    && self.reader.graph.values[output].constant.is_none()
                {
                    let constant = Constant::scalar(ElementType::Python, number);
                    self.reader.graph.set_constant(output, Some(constant));
                }
                Kind::Other
            }
            "alias" | "detach" | "detach_" | "lift_fresh" | "clone" | "contiguous" | "to"
            | "_to" => Kind::Identity,
            "gather" | "take" | "take_along_dim" | "masked_select" | "unfold" | "as_strided"
            | "diagonal" | "embedding" => {
                return self.not_examined("it is not a slice along one axis");
            }
            _ => return self.other_kind(),
        })
    }

    /// Uses all tensors and symbolic integers in the arguments as inputs of the node, and returns the kind of an
    /// operation that is not examined. `why` states the reason.
    fn not_examined(&mut self, why: &'static str) -> Result<Kind, ModelError> {
        self.other_kind()?;
        Ok(Kind::not_examined(why))
    }

    /// Returns the axis and the name of the list, if exactly one axis is indexed with a list.
    fn single_list(&self) -> Option<(i64, &'a str)> {
        let Arg::Tensors(names) = self.arg("indices")? else {
            return None;
        };
        let mut lists = names
            .iter()
            .enumerate()
            .filter_map(|(axis, name)| Some((axis, name.as_deref()?)));
        let (axis, name) = lists.next()?;
        let is_single_list = lists.next().is_none();
        is_single_list.then(|| Some((i64::try_from(axis).ok()?, name)))?
    }

    /// Uses all tensors and symbolic integers in the arguments as inputs of the node, and returns [`Kind::Other`].
    fn other_kind(&mut self) -> Result<Kind, ModelError> {
        self.inputs.clear();
        for input in &self.node.inputs {
            for name in input.arg.names() {
                let value = self.reader.value(name)?;
                self.inputs.push(Some(value));
            }
        }
        Ok(Kind::Other)
    }
}
