//! Checks compositions of two slices, at least one of which contains lists. Also checks that a list of all positions is
//! equivalent to `:`.

use fastrand::Rng;
use slice_core::{DynSliceSpec, Item, SliceError, s};
use slice_tests::generate::{list_spec, shape, spec};

use super::read::counting_array;

#[test]
fn slices_with_lists_compose() {
    let mut rng = Rng::with_seed(34);
    for _ in 0..4000 {
        let shape = shape(&mut rng);
        let data = counting_array(&shape);
        let first = list_spec(&mut rng, &shape)
            .resolve(&shape)
            .expect("the slice should fit the shape");
        let intermediate = first
            .gather(&data)
            .expect("the buffer should fit the selection");
        let second = list_spec(&mut rng, first.output_shape());
        let second = second
            .resolve(first.output_shape())
            .expect("the slice should fit the shape");
        let composed = first
            .compose(&second)
            .expect("the second selection should apply to the output of the first");
        assert_eq!(composed.output_shape(), second.output_shape());
        assert_eq!(composed.input_shape(), shape);
        let expected = second
            .gather(&intermediate)
            .expect("the buffer should fit the selection");
        assert_eq!(composed.gather(&data).as_ref(), Ok(&expected));
        assert!(
            composed
                .indices()
                .map(|i| i as i64)
                .eq(expected.iter().copied())
        );
        let mut scattered = vec![0; data.len()];
        composed
            .scatter(&expected, &mut scattered)
            .expect("the buffers should fit the selection");
        for (position, value) in scattered.iter().enumerate() {
            let selected = expected.contains(&(position as i64));
            assert_eq!(*value, if selected { position as i64 } else { 0 });
        }
    }
}

#[test]
fn slices_without_lists_compose_with_lists_in_either_order() {
    let mut rng = Rng::with_seed(35);
    for _ in 0..2000 {
        let shape = shape(&mut rng);
        let data = counting_array(&shape);
        let slice = spec(&mut rng, &shape)
            .resolve(&shape)
            .expect("the slice should fit the shape");
        let lists = list_spec(&mut rng, slice.output_shape());
        let lists = lists
            .resolve(slice.output_shape())
            .expect("the slice should fit the shape");
        let composed = slice
            .compose(&lists)
            .expect("the second selection should apply to the output of the first");
        let expected = lists.gather(
            &slice
                .gather(&data)
                .expect("the buffers should fit the selection"),
        );
        assert_eq!(composed.gather(&data), expected);

        let slice = spec(&mut rng, lists.output_shape());
        let slice = slice
            .resolve(lists.output_shape())
            .expect("the slice should fit the shape");
        let composed_with_slice = composed
            .compose(&slice)
            .expect("the second selection should apply to the output of the first");
        assert_eq!(
            composed_with_slice.gather(&data),
            slice.gather(&expected.expect("the buffers should fit the selection"))
        );
    }
}

#[test]
fn a_list_of_all_positions_is_equivalent_to_a_whole_axis() {
    let (mut rng, mut compared) = (Rng::with_seed(36), 0);
    for _ in 0..2000 {
        let shape = shape(&mut rng);
        let spec = spec(&mut rng, &shape);
        let selection = spec
            .resolve(&shape)
            .expect("the slice should fit the shape");
        assert!(!spec.has_lists());
        let whole = Item::Range {
            begin: None,
            end: None,
            step: 1,
        };
        let mut items: Vec<Item> = spec.items().collect();
        let Some(at) = items.iter().position(|item| *item == whole) else {
            continue;
        };
        let axis = spec
            .items()
            .take(at)
            .filter(|item| item.input_axes() == Some(1));
        let axis = match items[..at].contains(&Item::Ellipsis) {
            true => continue,
            false => axis.count(),
        };
        items[at] = Item::List((0..shape[axis] as i64).collect::<Vec<i64>>().into());
        let list = DynSliceSpec::from_items(items).expect("there should be at most 64 items");
        assert!(list.has_lists());
        let list = list
            .resolve(&shape)
            .expect("the slice should fit the shape");
        assert!(list.is_strided());
        assert_eq!(list, selection);
        compared += 1;
    }
    assert!(compared > 100, "only {compared} slices were compared");
}

#[test]
fn composing_with_a_selection_for_a_different_shape_is_rejected() {
    let first: DynSliceSpec = "[0, 2]".parse().expect("the string should be a slice");
    let first = first
        .resolve(&[4, 2])
        .expect("the slice should fit the shape");
    let second = s![0]
        .resolve(&[3, 2])
        .expect("the slice should fit the shape");
    let error = first.compose(&second).unwrap_err();
    let (expected, actual) = (Box::from([2, 2]), Box::from([3, 2]));
    assert_eq!(error, SliceError::ShapeMismatch { expected, actual });
}

/// Lists may repeat positions, so a result can have more elements than any possible array.
#[test]
fn results_that_are_too_large_are_rejected() {
    let lists_of_eight = vec!["[0, 0, 0, 0, 0, 0, 0, 0]"; 22].join(", ");
    let spec: DynSliceSpec = lists_of_eight
        .parse()
        .expect("the string should be a slice");
    let error = spec.resolve(&[1; 22]).unwrap_err();
    assert!(
        matches!(error, SliceError::TooLarge { axis: 20, .. }),
        "{error}"
    );
}
