//! Represents the path to a nested graph.

use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::escaped::Escaped;

/// The path to a nested graph: the names of the enclosing nodes and graphs, from the outermost to the innermost. The
/// path of the main graph is empty. Nested paths share the names of the graphs around them.
///
/// # Examples
///
/// ```
/// use slice_check::Model;
///
/// let report = Model::read("tests/models/sentinels.onnx".as_ref())?.check(&[])?;
/// for slice in report.slices {
///     assert!(slice.scope.is_empty()); // the model has no nested graphs
///     assert_eq!(slice.scope.to_string(), "");
/// }
/// # Ok::<(), slice_check::ModelError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope(Option<Arc<Level>>);

#[derive(Debug, PartialEq, Eq)]
struct Level {
    outer: Scope,
    name: Arc<str>,
}

impl Scope {
    /// Returns the path to the graph called `name` within the graph at this path.
    #[must_use]
    pub(crate) fn nested(&self, name: impl Into<Arc<str>>) -> Self {
        let (outer, name) = (self.clone(), name.into());
        Scope(Some(Arc::new(Level { outer, name })))
    }

    /// Returns the names from the outermost to the innermost.
    fn names(&self) -> Vec<&str> {
        let levels = std::iter::successors(self.0.as_ref(), |level| level.outer.0.as_ref());
        let mut names: Vec<&str> = levels.map(|level| &level.name[..]).collect();
        names.reverse();
        names
    }

    /// Returns whether this is the path of the main graph.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(slice_check::Scope::default().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, name) in self.names().into_iter().enumerate() {
            let separator = if at == 0 { "" } else { ", " };
            write!(f, "{separator}{}", Escaped(name))?;
        }
        Ok(())
    }
}

impl Serialize for Scope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.names().join(", "))
    }
}
