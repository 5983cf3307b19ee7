//! Translates a slice in a model to the operations of TensorFlow, ONNX and the other systems, where possible.

use serde::Serialize;
use slice_core::{DynSliceSpec, Selection};
use slice_systems::onnx::OnnxPlan;
use slice_systems::translate::{TranslateError, Translated};
use slice_systems::{AnyOperation, Operation, System};

/// A system's support for an operation: the equivalent call, or the reason why there is none.
///
/// # Examples
///
/// ```
/// use slice_check::{Model, support::find_system};
///
/// let model = Model::read("tests/models/sentinels.onnx".as_ref())?;
/// let report = model.check(&[find_system("torch")?])?;
/// let torch = &report.slices[0].systems[0];
/// assert_eq!(torch.name, "PyTorch");
/// assert_eq!(torch.call.as_deref(), Some("x[:, :, ::2]"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SystemSupport {
    /// The name of the system's module in slice-systems.
    pub system: &'static str,
    /// The name of the system.
    #[serde(skip)]
    pub name: &'static str,
    /// The shapes for which the system can express the operation.
    pub how: Support,
    /// The call in the system's own notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The reason why the system cannot express the operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Known defects of the system that affect the operation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub defects: Vec<String>,
}

impl SystemSupport {
    /// Returns the size of the memory used, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let strings = self.call.iter().chain(&self.why).chain(&self.defects);
        let capacities = strings.map(|text| size_of::<String>() + text.capacity());
        size_of::<Self>() + capacities.sum::<usize>()
    }
}

/// The shapes for which a system can express an operation.
///
/// # Examples
///
/// ```
/// use slice_check::{Model, support::{Support, find_system}};
///
/// let model = Model::read("tests/models/sentinels.onnx".as_ref())?;
/// let report = model.check(&[find_system("litert")?, find_system("coreml")?])?;
/// let [litert, coreml] = &report.slices[0].systems[..] else { panic!("two systems") };
/// assert_eq!(litert.how, Support::Exact);
/// assert_eq!(coreml.how, Support::ExactForThisShape); // Core ML needs the rank
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Support {
    /// For every shape.
    Exact,
    /// For the shape of the operation's input in the model.
    ExactForThisShape,
    /// Only for a known shape, but the model does not specify the shape.
    NeedsShape,
    /// For no shape.
    Refused,
}

/// Other common names of systems, each with the name of the system's module.
const SYSTEM_ALIASES: [(&str, &str); 6] = [
    ("onnxruntime", "onnx"),
    ("tf", "tensorflow"),
    ("tflite", "litert"),
    ("pytorch", "torch"),
    ("jax", "stablehlo"),
    ("xla", "stablehlo"),
];

/// The error for a name that no system has. The message lists the names of the modules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown system; expected one of {}", Vec::from_iter(systems().map(|system| system.id)).join(", "))]
#[non_exhaustive]
pub struct UnknownSystem;

/// Returns the systems to which slices are translated.
fn systems() -> impl Iterator<Item = &'static System> {
    let all = AnyOperation::SYSTEMS.iter();
    all.filter(|system| system.id != "python")
}

/// Finds a system by its name.
///
/// # Errors
///
/// Returns an error if no system has this name.
///
/// # Examples
///
/// ```
/// use slice_check::support::find_system;
///
/// assert_eq!(find_system("TFLite")?.name, "LiteRT");
/// let error = find_system("numpy").unwrap_err();
/// assert!(error.to_string().starts_with("unknown system; expected one of"));
/// # Ok::<(), slice_check::support::UnknownSystem>(())
/// ```
pub fn find_system(name: &str) -> Result<System, UnknownSystem> {
    let name = name.trim().to_ascii_lowercase();
    let alias = SYSTEM_ALIASES.iter().find(|(alias, _)| *alias == name);
    let id = alias.map_or(name.as_str(), |(_, id)| id);
    let found = systems().find(|system| system.id == id);
    found.copied().ok_or(UnknownSystem)
}

/// A slice in a model. Some fields are known only if the model specifies the shape of the sliced array.
pub(crate) struct ModelSlice<'a> {
    /// A slice that is valid for every input shape, if there is one. It may have lists.
    pub spec: Option<&'a DynSliceSpec>,
    /// The rank of the sliced array, if known.
    pub rank: Option<usize>,
    /// The slice for the shape in the model, if the shape is known and all lists of the slice are evenly spaced.
    pub selection: Option<&'a Selection>,
    /// The shape of the sliced array, if known.
    pub shape: Option<&'a [usize]>,
    /// The version of the ONNX operator set.
    pub opset: u32,
}

fn system_support<Op: ToString>(
    system: System,
    for_every_shape: Option<Result<Translated<Op>, TranslateError>>,
    for_this_shape: Option<Result<Translated<Op>, TranslateError>>,
) -> SystemSupport {
    let mut support = SystemSupport {
        system: system.id,
        name: system.name,
        how: Support::Refused,
        call: None,
        why: None,
        defects: Vec::new(),
    };
    let (how, translated) = match (for_every_shape, for_this_shape) {
        // The operation for this shape is preferred, because fewer defects may affect it.
        (Some(Ok(_)), Some(Ok(for_this_shape))) => (Support::Exact, Ok(for_this_shape)),
        (Some(Ok(for_every_shape)), _) => (Support::Exact, Ok(for_every_shape)),
        (_, Some(for_this_shape)) => (Support::ExactForThisShape, for_this_shape),
        (Some(Err(TranslateError::NeedsShape { .. })) | None, None) => {
            support.how = Support::NeedsShape;
            return support;
        }
        (Some(Err(error)), None) => (Support::Refused, Err(error)),
    };
    match translated {
        Ok(Translated { op, defects }) => {
            support.how = how;
            support.call = Some(op.to_string());
            support.defects = defects.iter().map(ToString::to_string).collect();
        }
        Err(error) => support.why = Some(error.to_string()),
    }
    support
}

macro_rules! support_of_systems {
    ($($Name:ident: $Operation:ty = $id:literal,)*) => {
        /// Returns the support of each system in `systems` for a slice. An empty `systems` stands for all systems.
        /// Python is always omitted.
        pub(crate) fn of_systems(slice: &ModelSlice<'_>, systems: &[System]) -> Vec<SystemSupport> {
            let mut all = Vec::new();
            $(
                let system = <$Operation as Operation>::SYSTEM;
                let is_wanted = systems.is_empty() || systems.iter().any(|one| one.id == $id);
                if is_wanted && $id != "python" {
                    let lists = support_for_lists::<$Operation>(slice);
                    all.push(match ($id, lists) {
                        (_, Some(support)) => support,
                        ("onnx", None) => onnx_support(system, slice),
                        _ => system_support(
                            system,
                            slice.spec.map(<$Operation as Operation>::from_spec),
                            slice.selection.map(<$Operation as Operation>::from_selection),
                        ),
                    });
                }
            )*
            all
        }
    };
}

slice_systems::for_each_system!(support_of_systems);

/// Translates a slice with lists for the shape of the sliced array in the model. Returns `None` if the slice has no
/// lists, or if the system does not support lists but the slice can also be written without lists.
fn support_for_lists<Op: Operation>(slice: &ModelSlice<'_>) -> Option<SystemSupport>
where
    Op::WithLists: ToString,
{
    let spec = slice.spec.filter(|spec| spec.has_lists())?;
    let shape = slice.shape;
    let for_this_shape = shape.map(|shape| Op::from_spec_for_shape(spec, shape));
    let is_missing = matches!(for_this_shape, Some(Err(TranslateError::Missing { .. })));
    (!is_missing || slice.selection.is_none())
        .then(|| system_support(Op::SYSTEM, None, for_this_shape))
}

/// Translates the slice to ONNX's operators, which depend on the rank and the opset.
fn onnx_support(system: System, slice: &ModelSlice<'_>) -> SystemSupport {
    let spec_and_rank = slice.spec.zip(slice.rank);
    system_support(
        system,
        spec_and_rank.map(|(spec, rank)| OnnxPlan::from_spec(spec, rank, slice.opset)),
        slice
            .selection
            .map(|selection| OnnxPlan::from_selection(selection, slice.opset)),
    )
}
