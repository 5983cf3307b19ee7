//! Translates a slice to the operation of every system except Python.

use slice_core::Selection;
use slice_systems::Operation;
use slice_systems::translate::TranslateError;

/// The name of a system, and either the system's operation, with the known defects of this operation, or the reason why
/// the system has no equivalent operation.
pub type Translation = (&'static str, Result<(String, Vec<String>), TranslateError>);

macro_rules! translations {
    ($($Name:ident: $Operation:ty = $id:literal,)*) => {
        /// Returns the operation of each system except Python, for the input shape of the selection.
        pub fn for_one_shape(selection: &Selection) -> Vec<Translation> {
            let translations = [$((
                <$Operation as Operation>::SYSTEM.name,
                <$Operation as Operation>::from_selection(selection).map(|translated| {
                    let defects = translated.defects.iter().map(ToString::to_string);
                    (translated.op.to_string(), defects.collect())
                }),
            )),*];
            // `for_each_system` lists Python first.
            translations.into_iter().skip(1).collect()
        }
    };
}

slice_systems::for_each_system!(translations);
