//! Checks which types `py!` can slice, and which types an operand can have if the other operand is a slice.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock};

use ndarray::{
    ArcArray1, Array, Array1, Array2, Array3, ArrayBase, ArrayRef, ArrayView1, ArrayView2, Axis,
    CowArray, Data, Dimension, Ix1, array,
};
use slice_core::py;

fn x() -> Array1<f64> {
    array![1.0, 2.0, 4.0, 8.0]
}

#[test]
fn operands_on_either_side_are_borrowed() {
    let (x, k, i) = (x(), 0.5, 2.0_f64);
    assert_eq!(py!(x[1:] - x[:-1]), array![1.0, 2.0, 4.0]);
    assert_eq!(py!(0.25 * x[1:]), array![0.5, 1.0, 2.0]);
    assert_eq!(py!(x[1:] * k), array![1.0, 2.0, 4.0]);
    assert_eq!(py!(k * x[1:] + i), array![3.0, 4.0, 6.0]);
    assert_eq!(py!(-x[1:]), array![-2.0, -4.0, -8.0]);
    assert_eq!(py!(-(x[1:] - 1.0) / k), array![-2.0, -6.0, -14.0]);
    assert_eq!(py!(x + x[::-1]), array![9.0, 6.0, 6.0, 9.0]);
    assert_eq!(py!(x - x[...] * x), array![0.0, -2.0, -12.0, -56.0]);
    assert_eq!(x, array![1.0, 2.0, 4.0, 8.0]);
}

#[test]
fn slices_support_every_operator() {
    let (a, b) = (array![12, 10, 7], array![5, 3, 2]);
    assert_eq!(py!(a[:] + b[:]), &a + &b);
    assert_eq!(py!(a[:] - b[:]), &a - &b);
    assert_eq!(py!(a[:] * b[:]), &a * &b);
    assert_eq!(py!(a[:] / b[:]), &a / &b);
    assert_eq!(py!(a[:] % b[:]), &a % &b);
    assert_eq!(py!(a[:] & b[:]), &a & &b);
    assert_eq!(py!(a[:] | b[:]), &a | &b);
    assert_eq!(py!(a[:] ^ b[:]), &a ^ &b);
    assert_eq!(py!(a[:] << b[:]), &a << &b);
    assert_eq!(py!(a[:] >> b[:]), &a >> &b);
    assert_eq!(py!(!a[:]), !&a);
    assert_eq!(py!(!array![true, false][1:]), array![true]);
}

#[test]
fn arrays_in_variables_are_borrowed_as_operands() {
    let e = array![[1.0, 3.0], [2.0, 6.0]];
    let probabilities = py!(e / e.sum_axis(Axis(1))[:, None]);
    assert_eq!(probabilities, array![[0.25, 0.75], [0.25, 0.75]]);
    assert_eq!(e.sum(), 12.0);
}

#[test]
fn results_of_calls_can_be_operands() {
    let a = array![[1, 2], [3, 4]];
    assert_eq!(py!(a.t() - a[...]), array![[0, 1], [-1, 0]]);
    // The type of the elements is not known yet.
    let b = array![[0.0, 1.0], [2.0, 3.0]];
    assert_eq!(py!(b[:, 1:].t() * 2.0), array![[2.0, 6.0]]);
    assert_eq!(py!(b[1:].sum() * 2.0), 10.0);
    assert_eq!(
        py!(a.mapv(|v| v * 10) + a[0, ...]),
        array![[11, 22], [31, 42]]
    );
    assert_eq!(py!(a.sum() * a[1:]), array![[30, 40]]);
    assert_eq!(py!(a.row(1) * a[0, ...]), array![3, 8]);
    assert_eq!(
        py!(if a.len() > 3 { a.row(0) } else { a.row(1) } + a[0, ...]),
        array![2, 4]
    );
}

#[test]
fn elements_and_references_can_be_operands() {
    let layers = Vec::from([array![1, 2], array![3, 4]]);
    let (x, numbers) = (array![10, 20, 30], [7, 8]);
    let (i, borrowed) = (1, &x);
    assert_eq!(py!(x[1:] + layers[i]), array![23, 34]);
    assert_eq!(py!(x[1:] + numbers[i]), array![28, 38]);
    assert_eq!(py!(x[1:] * x[[0]]), array![200, 300]);
    assert_eq!(py!(borrowed + borrowed[::-1]), array![40, 40, 40]);
    assert_eq!(py!(*borrowed + borrowed[::-1]), array![40, 40, 40]);
    assert_eq!(py!(&layers[0] + x[:2]), array![11, 22]);
}

#[test]
fn numbers_behind_references_can_be_operands() {
    let (m, v) = (array![[1, 2], [3, 4]], [1, 2]);
    for (i, v) in v.iter().enumerate() {
        assert_eq!(py!(m[i, :] - v), &m.row(i) - *v);
        assert_eq!(py!(v * m[i, 0]), v * m[[i, 0]]);
    }
    let mut k = 2.0;
    let k = &mut k;
    assert_eq!(py!(k * x()[2:]), array![8.0, 16.0]);
    *k += 1.0;
}

#[test]
fn an_if_that_chooses_a_slice_can_be_an_operand() {
    for (c, expected) in [
        (true, array![4.0, 8.0, 16.0]),
        (false, array![2.0, 4.0, 8.0]),
    ] {
        let x = x();
        assert_eq!(py!((if c { x[1:] } else { x[:-1] }) * 2.0), expected);
        assert_eq!(
            py!(-(if c { x[1:] } else { x[:-1] }) + x[1:] * 0.0),
            -expected / 2.0
        );
    }
}

#[test]
fn a_match_that_chooses_a_slice_can_be_an_operand() {
    let x = x();
    for (n, sum) in [(0, 2.0), (1, 4.0), (2, 8.0)] {
        let doubled = py!(
            (match n {
                0 => x[:1],
                1 => {
                    let end = 2;
                    x[1:end]
                }
                _ => x[2:3],
            }) * 2.0
        );
        assert_eq!(doubled, array![sum], "n is {n}");
        assert_eq!(
            py!(2 * n
                + (match n {
                    0 => n + 1,
                    _ => n,
                }) * 3),
            2 * n + 3 * n.max(1),
            "n is {n}"
        );
    }
}

#[test]
fn the_type_of_a_number_is_inferred_from_the_array() {
    let (a, half) = (array![1_f32, 2.0], 0.5);
    assert_eq!(py!(half * a[:] + 1.0), array![1.5_f32, 2.0]);
    let (a, two) = (array![1_u8, 2], 2);
    assert_eq!(py!((a[:] + two) << 1), array![6_u8, 8]);
}

#[test]
fn a_slice_of_a_view_lives_as_long_as_the_array() {
    fn last<'a>(rows: ArrayView2<'a, i32>) -> ArrayView1<'a, i32> {
        py!(rows[-1, ...])
    }
    fn corner<'a>(rows: &ArrayView2<'a, i32>) -> ArrayView1<'a, i32> {
        let rows = *rows;
        py!(rows[1:][:, ::-1][0, ...])
    }
    let a = array![[1, 2], [3, 4]];
    assert_eq!(last(a.view()), array![3, 4]);
    assert_eq!(corner(&a.view()), array![4, 3]);
}

#[test]
fn arrays_in_any_container_can_be_sliced() {
    let a = array![1, 2, 3, 4];
    let (boxed, counted, shared) = (Box::new(a.clone()), Rc::new(a.clone()), Arc::new(a.clone()));
    let (cell, mutex, lock) = (
        RefCell::new(a.clone()),
        Mutex::new(a.clone()),
        RwLock::new(a.clone()),
    );
    let (arc, cow): (ArcArray1<i32>, CowArray<'_, i32, Ix1>) = (a.to_shared(), (&a).into());
    let (view, expected) = (a.view(), array![4, 2]);
    assert_eq!(py!(view[::-2]), expected);
    assert_eq!(py!(boxed[::-2]), expected);
    assert_eq!(py!(counted[::-2]), expected);
    assert_eq!(py!(shared[::-2]), expected);
    assert_eq!(py!(cell.borrow()[::-2]), expected);
    assert_eq!(py!(mutex.lock().unwrap()[::-2]), expected);
    assert_eq!(py!(lock.read().unwrap()[::-2]), expected);
    assert_eq!(py!(arc[::-2]), expected);
    assert_eq!(py!(cow[::-2]), expected);
    assert_eq!(py!((&&a)[::-2]), expected);
    py! {
        cell.borrow_mut()[0, ...] = 10;
        mutex.lock().unwrap()[1:] += 10;
        lock.write().unwrap()[:] = 0;
    }
    assert_eq!(cell.into_inner(), array![10, 2, 3, 4]);
    assert_eq!(mutex.into_inner().unwrap(), array![1, 12, 13, 14]);
    assert_eq!(lock.into_inner().unwrap(), array![0, 0, 0, 0]);
}

struct Model {
    state: Array3<f32>,
    layers: Vec<Array2<f32>>,
}

impl Model {
    fn state(&self) -> &Array3<f32> {
        &self.state
    }

    fn state_mut(&mut self) -> &mut Array3<f32> {
        &mut self.state
    }

    /// Returns a slice of a field and a slice of a method's result. Both slices live as long as `self`.
    fn first(&self) -> [ArrayView2<'_, f32>; 2] {
        py!([self.state[..., 0], self.state()[..., 0]])
    }

    fn step(&mut self) {
        py! {
            self.state[..., 1] = self.state[..., 0] + 1.0;
            self.state_mut()[0, ...] *= 2.0;
            self.layers[0][0, ...] = self.state[0, 0, ...];
        }
    }
}

#[test]
fn fields_method_results_and_elements_can_be_sliced() {
    let mut model = Model {
        state: Array3::ones((2, 2, 2)),
        layers: vec![Array2::zeros((2, 2))],
    };
    model.step();
    assert_eq!(model.first()[0], array![[2.0, 2.0], [1.0, 1.0]]);
    assert_eq!(model.first()[1], model.first()[0]);
    assert_eq!(model.layers[0], array![[2.0, 4.0], [0.0, 0.0]]);
}

#[test]
fn arrays_of_any_storage_and_dimension_can_be_sliced() {
    fn differences<S: Data<Elem = f64>>(x: &ArrayBase<S, Ix1>) -> Array1<f64> {
        py!(x[1:] - x[:-1])
    }
    fn twice<S: Data<Elem = f64>, D: Dimension>(x: &ArrayBase<S, D>) -> Array<f64, D> {
        py!(2.0 * x[...])
    }
    fn last(x: &ArrayRef<f64, Ix1>) -> f64 {
        py!(x[-1,][()])
    }
    let a = x();
    assert_eq!(differences(&a), differences(&a.view()));
    assert_eq!(twice(&a), array![2.0, 4.0, 8.0, 16.0]);
    assert_eq!(twice(&a.view().into_dyn()), twice(&a).into_dyn());
    assert_eq!(last(&a), 8.0);
}

#[test]
fn the_type_of_a_product_is_known_if_the_elements_have_no_type_yet() {
    let x = array![[1.0, 2.0], [3.0, 4.0]];
    let product = py!(2.0 * x[1:]);
    assert_eq!(product.sqrt(), array![[6.0, 8.0]].sqrt());
    let gradient = py!(x[1, :] + 2.0 * x[0, :]);
    assert_eq!(py!(gradient * gradient).sqrt(), array![5.0, 8.0]);
}

#[test]
fn slices_of_slices_compose() {
    let a = Array::from_iter(0..24)
        .into_shape_with_order((2, 3, 4))
        .unwrap();
    assert_eq!(py!(a[1:][0, ::-1]), py!(a[1, ::-1]));
    assert_eq!(py!(a[1, ...].t()[0, ...]), array![12, 16, 20]);
    let view = py!(a[1:][::-1][..., 0]);
    assert_eq!(view, array![[12, 16, 20]]);
    let starts = array![1, 2];
    assert_eq!(py!(a[0, starts[1,][()]:, starts[0,][()]]), array![9]);
}
