//! How each kind of slice is explained.

use alloc::format;
use alloc::string::ToString;

use super::build::Subject;
use super::{Explanation, Form};
use crate::dialect::OperationError;
use crate::dialect::entries::StridedEntries;
use crate::dialect::{mindspore, openvino, tensorflow};
use crate::resolve::selection::Selection;
use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::{Encoded, ItemMasks};
use crate::spec::slice_spec::SliceSpec;

impl StridedEntries for Encoded<'_> {
    fn len(&self) -> usize {
        Encoded::len(self)
    }

    fn item_masks(&self, item: usize) -> ItemMasks {
        self.masks.item_masks(item)
    }

    fn numbers(&self, item: usize) -> (i64, i64, i64) {
        (self.begin[item], self.end[item], self.strides[item])
    }
}

fn of_spec(spec: Encoded<'_>, shape: &[usize]) -> Explanation {
    let subject = Subject {
        name: format!("x[{spec}]"),
        form: Form::Python,
        shape,
        outcome: Selection::new(spec, shape).map_err(OperationError::from),
    };
    subject.explain(Some(&spec))
}

fn of_operation(
    system: &str,
    entries: Result<impl StridedEntries, OperationError>,
    shape: &[usize],
    outcome: Result<Selection, OperationError>,
) -> Explanation {
    let subject = Subject {
        name: system.to_string(),
        form: Form::Masks,
        shape,
        outcome,
    };
    subject.explain(entries.as_ref().ok())
}

impl<const M: usize, K> SliceSpec<M, K> {
    /// Why the spec selects what it selects of an array of this shape; see [`explain`](crate::explain).
    #[must_use]
    pub fn explain(&self, shape: &[usize]) -> Explanation {
        of_spec(self.encoded(), shape)
    }
}

impl DynSliceSpec {
    /// Why the spec selects what it selects of an array of this shape; see [`explain`](crate::explain).
    #[must_use]
    pub fn explain(&self, shape: &[usize]) -> Explanation {
        of_spec(self.encoded(), shape)
    }
}

impl tensorflow::StridedSlice {
    /// Why the operation selects what it selects of an array of this shape; see [`explain`](crate::explain).
    #[must_use]
    pub fn explain(&self, shape: &[usize]) -> Explanation {
        let outcome = self.resolve(shape);
        of_operation("TensorFlow's StridedSlice", self.checked(), shape, outcome)
    }
}

impl openvino::StridedSlice {
    /// Why the operation selects what it selects of an array of this shape; see [`explain`](crate::explain).
    #[must_use]
    pub fn explain(&self, shape: &[usize]) -> Explanation {
        let outcome = self.resolve(shape);
        of_operation("OpenVINO's StridedSlice", self.checked(), shape, outcome)
    }
}

impl mindspore::StridedSlice {
    /// Why the operation selects what it selects of an array of this shape; see [`explain`](crate::explain).
    #[must_use]
    pub fn explain(&self, shape: &[usize]) -> Explanation {
        let outcome = self.resolve(shape);
        of_operation("MindSpore's StridedSlice", self.checked(), shape, outcome)
    }
}
