//! Catches a panic and returns its message and location. The tests of a program run in parallel and share one panic
//! hook, so the hook records the panic of each thread separately.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

/// The message and location of a panic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panic {
    /// The message.
    pub text: String,
    /// The file path as passed to the compiler.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1 in characters.
    pub column: u32,
}

thread_local! {
    /// Whether this thread expects a panic, and the last panic that the hook has recorded.
    static HOOK_STATE: RefCell<(bool, Option<Panic>)> = const { RefCell::new((false, None)) };
}

/// Calls `f`, which must panic, and returns the panic.
///
/// # Panics
///
/// Panics if `f` does not panic.
pub fn panic_of<T>(f: impl FnOnce() -> T) -> Panic {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous_hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let (true, Some(location)) = (HOOK_STATE.with_borrow(|state| state.0), info.location())
            else {
                return previous_hook(info);
            };
            let payload = info.payload();
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
            let record = Panic {
                text: text.unwrap_or_default().to_owned(),
                file: location.file().to_owned(),
                line: location.line(),
                column: location.column(),
            };
            HOOK_STATE.set((true, Some(record)));
        }));
    });
    HOOK_STATE.set((true, None));
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| drop(f())));
    let (_, last_panic) = HOOK_STATE.replace((false, None));
    assert!(outcome.is_err(), "the closure did not panic");
    last_panic.expect("the panic hook should have run")
}
