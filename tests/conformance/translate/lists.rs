//! Checks how slices that contain lists of positions are translated to operations of TensorFlow, ONNX and the other
//! systems, for known shapes. The operation, and the spec translated back from the operation, must select the same
//! elements as the slice.

use serde::Serialize;
use serde::de::DeserializeOwned;
use slice_core::{DynSliceSpec, Selection};
use slice_systems::lists::{Gather, Operations};
use slice_systems::python::ZarrIndex;
use slice_systems::tensorstore::IndexTransform;
use slice_systems::{Operation, litert};

use super::*;

/// Returns `true` if two selections select the same elements and have the same output shape. They may drop different
/// axes of length 1, because a reshape that drops one of several such axes does not specify which one.
fn are_equivalent(one: &Selection, other: &Selection) -> bool {
    one.output_shape() == other.output_shape() && one.indices().eq(other.indices())
}

fn check<Op: Operations + Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(
    count: &mut Count,
    system: &str,
    (spec, shape): (&DynSliceSpec, &[usize]),
    op: &Op,
) {
    let expected = spec.resolve(shape).expect("the slice should fit the shape");
    let ours = op.resolve(shape);
    let ours = ours.unwrap_or_else(|error| panic!("{op:?} of {shape:?}: {error}"));
    assert!(
        are_equivalent(&ours, &expected),
        "{system}: {spec} of {shape:?}: {op:?}"
    );
    let translated_back = op.to_spec_for_shape(shape);
    let translated_back =
        translated_back.unwrap_or_else(|error| panic!("{op:?} of {shape:?}: {error}"));
    let selection = translated_back
        .resolve(shape)
        .expect("the slice should fit the shape");
    assert!(
        are_equivalent(&selection, &expected),
        "{system}: {spec} of {shape:?}: {translated_back}"
    );
    let json = serde_json::to_string(op).expect("serialization should succeed");
    let parsed: Op = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{json}: {error}"));
    // The deserialized operation may differ, because an index array with one element becomes a constant.
    let parsed_selection = parsed.resolve(shape).expect(&json);
    assert!(are_equivalent(&parsed_selection, &expected), "{json}");
    count.add(system);
    if spec.has_lists() {
        count.add(format!("{system}, with lists"));
    }
}

macro_rules! systems {
    ($($Name:ident: $Operation:ty = $id:literal,)*) => {
        const FOLDERS: &[&str] = &[$($id),*];

        fn check_each_system(count: &mut Count, spec: &DynSliceSpec, shape: &[usize]) {
            $(match <$Operation as Operation>::from_spec_for_shape(spec, shape) {
                Ok(translation) => check(count, $id, (spec, shape), &translation.op),
                Err(error) => count.add_error($id, &error),
            })*
        }
    };
}

slice_systems::for_each_system!(systems);

#[test]
fn translations_of_slices_with_lists_select_the_same_elements() {
    let mut rng = Rng::with_seed(41);
    let mut count = Count::default();
    for _ in 0..3_000 {
        let shape = generate::shape(&mut rng);
        if shape.iter().product::<usize>() > 1500 {
            continue;
        }
        let spec = match rng.u8(..3) {
            0 => generate::joined_spec(&mut rng, &shape),
            _ => generate::list_spec(&mut rng, &shape),
        };
        check_each_system(&mut count, &spec, &shape);
        match ZarrIndex::from_spec(&spec, &shape) {
            Ok(translation) => check(&mut count, "zarr", (&spec, &shape), &translation),
            Err(error) => count.add_error("zarr", &error),
        }
    }
    for folder in FOLDERS {
        count.report(&[(&format!("{folder}, with lists"), 1000)]);
    }
    count.report(&[("zarr, with lists", 400)]);
}

#[test]
fn successive_lists_on_one_axis_are_translated_to_one_list() {
    let gather = |indices: &[i64], axis| {
        let indices = indices.to_vec().into();
        litert::Op::Gather(Gather { indices, axis })
    };
    let slice = litert::Slice {
        begin: vec![1, 0],
        size: vec![3, -1],
    };
    let program = litert::Program::from(vec![
        gather(&[3, 3, 0], 1),
        litert::Op::Slice(slice),
        gather(&[2, 0, 0], -1),
    ]);
    let shape = [4, 5];
    let expected = s![1:4, [0, 3, 3]]
        .resolve(&shape)
        .expect("the slice should fit the shape");
    let ours = program
        .resolve(&shape)
        .expect("the slice should fit the shape");
    assert!(are_equivalent(&ours, &expected));
    let translated_back = program
        .to_spec_for_shape(&shape)
        .expect("the program should be equivalent to a slice");
    assert_eq!(translated_back.to_string(), "1:, [0, 3, 3]");
    // No slice without lists is equivalent for all shapes.
    assert_eq!(
        program.to_spec_for_rank(2),
        Err(TranslateError::List {
            operation: "GATHER"
        })
    );
}

#[test]
fn a_list_on_a_new_axis_is_rejected_unless_it_has_one_position() {
    let program = |index: Vec<i64>| {
        let unsqueeze = torch::Op::Unsqueeze { dim: 0 };
        let select = torch::Op::IndexSelect { dim: 0, index };
        torch::Program::from(vec![unsqueeze, select])
    };
    let repeated = program(vec![0, 0]);
    let selection = repeated
        .resolve(&[3])
        .expect("the slice should fit the shape");
    assert_eq!(selection.output_shape(), [2, 3]);
    let (axis, len) = (0, 2);
    let result = repeated.to_spec_for_shape(&[3]);
    assert_eq!(result, Err(TranslateError::RepeatedNewAxis { axis, len }));
    let result = program(vec![]).to_spec_for_shape(&[3]);
    assert_eq!(result, Err(TranslateError::EmptyNewAxis { axis }));
    let spec = program(vec![0])
        .to_spec_for_shape(&[3])
        .expect("the program should be equivalent to a slice");
    assert_eq!(spec.to_string(), "None, :");
}

#[test]
fn operations_are_displayed_in_the_notation_of_their_systems() {
    let spec = s![1:, newaxis, ::-1, [3, 0, 0], 2].to_dyn();
    let shape = [3, 4, 5, 6];
    let mut translations = Vec::new();
    macro_rules! translate {
        ($($Name:ident: $Operation:ty = $id:literal,)*) => {
            $(translations.push(match <$Operation as Operation>::from_spec_for_shape(&spec, &shape) {
                Ok(translation) => translation.op.to_string(),
                Err(error) => format!("error: {error}"),
            });)*
        };
    }
    slice_systems::for_each_system!(translate);
    let expected = include_str!("lists.txt");
    assert_eq!(translations.join("\n"), expected.trim_end());
}

#[test]
fn slices_are_split_where_numpy_would_broadcast_items_together() {
    let numpy = |spec: &str, shape: &[usize]| {
        let spec = spec.parse().expect("the string should be a slice");
        let translation = DynSliceSpec::from_spec_for_shape(&spec, shape)
            .expect("NumPy should be able to express the slice");
        translation.op.to_string()
    };
    assert_eq!(numpy("0, [2, 0, 0]", &[3, 4]), "x[0, [2, 0, 0]]");
    assert_eq!(numpy("0, :, [2, 0, 0]", &[3, 4, 5]), "x[0][:, [2, 0, 0]]");
    assert_eq!(
        numpy("0, None, [2, 0, 0]", &[3, 4]),
        "x[0, None][:, [2, 0, 0]]"
    );
    assert_eq!(
        numpy("[0, 2, 2], [1, 3, 3]", &[3, 4]),
        "x[np.ix_([0, 2, 2], [1, 3, 3])]"
    );
    assert_eq!(
        numpy("[0, 2, 2], 1:, [1, 3, 3]", &[3, 4, 5]),
        "x[:, 1:][[0, 2, 2]][:, :, [1, 3, 3]]"
    );
    let getitem = |text: &str| {
        slice_systems::python::Op::Getitem(text.parse().expect("the string should be a slice"))
    };
    // NumPy pairs two lists, and moves the axis of a list that is separated from an integer to the front.
    let program = slice_systems::python::Program::from(vec![getitem("[0, 1], [0, 1]")]);
    assert_eq!(
        program.resolve(&[3, 4]),
        Ok(s![zip([0, 1], [0, 1])].resolve(&[3, 4]).unwrap())
    );
    let program = slice_systems::python::Program::from(vec![getitem("0, :, [0, 1]")]);
    let selection = program.resolve(&[3, 4, 5]).unwrap();
    assert_eq!(selection.output_shape(), [2, 4]);
    assert_eq!(
        selection.indices().collect::<Vec<_>>(),
        [0, 5, 10, 15, 1, 6, 11, 16]
    );
    // PyTorch, unlike NumPy, applies an integer and a list separately.
    let program = torch::Program::from(vec![torch::Op::Getitem(
        "0, :, [0, 1]"
            .parse()
            .expect("the string should be a slice"),
    )]);
    let expected = s![0, :, [0, 1]]
        .resolve(&[3, 4, 5])
        .expect("the slice should fit the shape");
    assert_eq!(program.resolve(&[3, 4, 5]), Ok(expected));
}

#[test]
fn lists_that_a_system_cannot_apply_are_refused_by_name() {
    let spec = |text: &str| -> DynSliceSpec { text.parse().expect("the string should be a slice") };
    let is_refused = |error: Option<TranslateError>, name: &str| matches!(error, Some(TranslateError::Missing { system, .. }) if system == name);
    for text in ["zip([0, 1, 1], [1, 0, 0])", "[[True, False], [True, True]]"] {
        let second = spec(&format!(":, {text}"));
        let refused = tensorflow::StridedSlice::from_spec_for_shape(&second, &[2, 2, 2]).err();
        assert!(is_refused(refused, "TensorFlow"), "{text}");
        let refused = tensorflow::StridedSlice::from_spec_for_shape(&spec(text), &[2, 2, 0]).err();
        assert!(is_refused(refused, "TensorFlow"), "{text}");
        let refused = coreml::SliceByIndex::from_spec_for_shape(&spec(text), &[2, 2]).err();
        assert!(is_refused(refused, "Core ML"), "{text}");
        let refused = ZarrIndex::from_spec(&second, &[2, 2, 2]).err();
        assert!(is_refused(refused, "zarr"), "{text}");
        let program = torch::Program::from(vec![torch::Op::Getitem(spec(text))]);
        assert!(program.resolve(&[2, 2]).is_err(), "{text}");
    }
    let refused = IndexTransform::from_spec_for_shape(&spec("zip([], [])"), &[2, 2]).err();
    assert!(is_refused(refused, "TensorStore"));
    let refused = tensorflow::StridedSlice::from_spec_for_shape(&spec("np.array(False)"), &[2]);
    assert_eq!(refused, Err(TranslateError::EmptyNewAxis { axis: 0 }));
}

#[test]
fn lists_with_several_axes_masks_and_points_are_displayed_in_the_notation_of_their_systems() {
    let shape = [2, 3, 4];
    let mut translations = Vec::new();
    macro_rules! translate {
        ($($Name:ident: $Operation:ty = $id:literal,)*) => {
            for text in ["1, [[0, 2], [2, 0]]", "zip([0, 1, 1], [2, 0, 0]), ::-1", "0, [[True, False, False, True], [False, False, False, False], [True, False, True, False]]"] {
                let spec: DynSliceSpec = text.parse().expect("the string should be a slice");
                translations.push(format!("{text}:"));
                $(translations.push(match <$Operation as Operation>::from_spec_for_shape(&spec, &shape) {
                    Ok(translation) => format!("{}: {}", $id, translation.op.to_string().replace("\n", "; ")),
                    Err(error) => format!("{}: error: {error}", $id),
                });)*
            }
        };
    }
    slice_systems::for_each_system!(translate);
    let expected = include_str!("joined.txt");
    assert_eq!(translations.join("\n"), expected.trim_end());
}

/// The translations for all shapes refuse lists, masks and points, because they could only lose them.
#[test]
fn translations_for_every_shape_refuse_lists() {
    macro_rules! refused {
        ($Python:ident: $Spec:ty = $python:literal, $($Name:ident: $Operation:ty = $id:literal,)*) => {
            fn check(spec: &DynSliceSpec) {
                $(
                    let refused = <$Operation as Operation>::from_spec(spec);
                    assert!(matches!(refused, Err(TranslateError::NeedsShape { .. })), "{spec}: {refused:?}");
                )*
            }
        };
    }
    slice_systems::for_each_system!(refused);
    for text in [
        "[0]",
        "1:, [0, 2]",
        "[True, False]",
        "..., zip([0, 1], [0, 1])",
        "[[0, 1]]",
        "[[True]]",
        "np.array(True)",
    ] {
        let spec: DynSliceSpec = text.parse().expect("the string should be a slice");
        check(&spec);
        let refused = OnnxPlan::from_spec(&spec, 3, 13);
        assert!(
            matches!(refused, Err(TranslateError::NeedsShape { .. })),
            "{text}: {refused:?}"
        );
    }
}
