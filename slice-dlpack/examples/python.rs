//! A library for tests/python.py, which slices the tensors of NumPy and PyTorch.

#![allow(unsafe_code, reason = "the functions are called from Python")]

use std::ffi::{CStr, c_char};
use std::ptr::null_mut;

use dlpark::Managed;
use dlpark::ffi::DLManagedTensorVersioned;

/// Returns a view of a tensor, or a null pointer if the slice is refused. Takes ownership of the tensor.
///
/// # Safety
///
/// `tensor` must be a valid managed tensor that the caller owns, and `spec` a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn slice_at(
    tensor: *mut DLManagedTensorVersioned,
    spec: *const c_char,
    is_ascending: bool,
) -> *mut DLManagedTensorVersioned {
    // SAFETY: The caller passes a managed tensor.
    let Ok(tensor) = (unsafe { Managed::from_raw(tensor) }) else {
        return null_mut();
    };
    // SAFETY: The caller passes a string.
    let spec = unsafe { CStr::from_ptr(spec) }.to_string_lossy();
    let view = match is_ascending {
        false => slice_dlpack::at(tensor, &*spec),
        true => slice_dlpack::at_ascending(tensor, &*spec),
    };
    view.map_or(null_mut(), Managed::into_raw)
}
