//! Finds declarations, comments and brackets in the source file that contains a token, provided that the compiler
//! reports the location of the token.

use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;
use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenTree};

use crate::tokens::{closing, opening};

/// A source file, split into lines.
pub struct Source {
    path: PathBuf,
    lines: Vec<String>,
    /// The numbers of the lines that contain `//`, counted from 1.
    lines_with_slashes: Vec<usize>,
    /// The names that have been looked up. Each boolean states whether the file may declare or import a function with
    /// the name.
    functions: RefCell<Vec<(String, bool)>>,
}

/// A location between two characters. The line and the column are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    line: usize,
    column: usize,
}

thread_local! {
    /// The file of the last query. The next query is nearly always about the same file.
    static LAST_FILE: RefCell<Option<Rc<Source>>> = const { RefCell::new(None) };
}

impl Source {
    /// Returns the source file that contains a token, or `None` if the location of the token is unknown or the file
    /// cannot be read.
    pub fn of(token: &TokenTree) -> Option<Rc<Self>> {
        if !proc_macro::is_available() {
            return None;
        }
        let path = token.span().unwrap().local_file()?;
        LAST_FILE.with_borrow_mut(|last| {
            // Comparing `Path`s component by component would be slower.
            let is_same = |last: &Rc<Source>| last.path.as_os_str() == path.as_os_str();
            if !last.as_ref().is_some_and(is_same) {
                let text = fs::read_to_string(&path).ok()?;
                let lines: Vec<String> = text.lines().map(str::to_owned).collect();
                let with_slashes = |at: &usize| lines[at - 1].contains("//");
                let lines_with_slashes = (1..=lines.len()).filter(with_slashes).collect();
                *last = Some(Rc::new(Source {
                    path,
                    lines,
                    lines_with_slashes,
                    functions: RefCell::default(),
                }));
            }
            last.clone()
        })
    }

    /// Returns whether any line from the first token to the last contains `//`.
    pub fn has_slashes(&self, tokens: &[TokenTree]) -> bool {
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
            return false;
        };
        let first = opening(first).unwrap().line();
        let next = self
            .lines_with_slashes
            .partition_point(|&line| line < first);
        let last = || closing(last).unwrap().line();
        self.lines_with_slashes
            .get(next)
            .is_some_and(|&line| line <= last())
    }

    /// Returns the text from a location to the end of its line.
    pub fn rest_of_line(&self, location: Location) -> Option<&str> {
        let line = self.lines.get(location.line.checked_sub(1)?)?;
        let mut starts = line
            .char_indices()
            .map(|(start, _)| start)
            .chain([line.len()]);
        Some(&line[starts.nth(location.column.checked_sub(1)?)?..])
    }

    /// Returns whether there are only spaces and comments between two locations.
    pub fn is_empty_between(&self, from: Location, to: Location) -> bool {
        let lines = from.line.saturating_sub(1)..to.line;
        let (true, Some(lines)) = (from <= to, self.lines.get(lines)) else {
            return false;
        };
        lines.iter().enumerate().all(|(at, line)| {
            let end = match at + from.line == to.line {
                true => to.column.saturating_sub(1),
                false => usize::MAX,
            };
            let start = if at == 0 {
                from.column.saturating_sub(1)
            } else {
                0
            };
            let text: String = line.chars().take(end).skip(start).collect();
            let text = text.trim();
            text.is_empty() || (end == usize::MAX && text.starts_with("//"))
        })
    }

    /// Returns whether a location follows the opening bracket of a call to one of the macros in `names`, with only
    /// spaces and comments in between.
    pub fn is_first_of(&self, location: Location, names: &[&str]) -> bool {
        self.code_before(location).is_some_and(|text| {
            let call = text.strip_suffix(['(', '[', '{']).map(str::trim_end);
            let name = call
                .and_then(|call| call.strip_suffix('!'))
                .map(str::trim_end);
            let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
            name.is_some_and(|name| {
                names.contains(
                    &name
                        .rsplit(|letter| !is_part(letter))
                        .next()
                        .unwrap_or_default(),
                )
            })
        })
    }

    /// Returns the text that precedes a location on the same line. If that text is blank, returns the nearest earlier
    /// line with code, without the comment at the end of the line.
    fn code_before(&self, location: Location) -> Option<String> {
        let lines = self.lines.iter().take(location.line).rev();
        let mut before = lines.enumerate().map(|(at, line)| match at {
            0 => location.text_before(line),
            _ => line.split("//").next().unwrap_or_default().to_owned(),
        });
        let last = before.find(|text: &String| !text.trim().is_empty())?;
        Some(last.trim_end().to_owned())
    }

    /// Returns the location of the closing bracket at the beginning of the next line after `from` that is neither blank
    /// nor a comment. Returns `None` if there is no such line, or if it begins with other text.
    pub fn closing_after_line(&self, from: Location) -> Option<Location> {
        let lines = self.lines.iter().enumerate().skip(from.line);
        for (at, line) in lines {
            let text = line.trim_start();
            if text.is_empty() || text.starts_with("//") {
                continue;
            }
            let column = line.chars().count() - text.chars().count() + 1;
            let closes = text.starts_with([')', ']', '}']);
            return closes.then_some(Location {
                line: at + 1,
                column,
            });
        }
        None
    }
}

/// The maximum number of lines searched for the declaration of a name, from the line of the name upward. Most functions
/// are shorter, so the search nearly always includes the beginning of the function.
const MAX_SEARCHED_LINES: usize = 300;

/// Returns whether the nearest declaration above a name appears to declare a variable. Only the compiler can resolve a
/// name, and it does not report the result to a macro, so this function searches the source text.
pub fn is_variable(name: &Ident) -> bool {
    let token = TokenTree::from(name.clone());
    Source::of(&token)
        .is_some_and(|source| source.declares_variable(&name.to_string(), Location::before(&token)))
}

/// Returns `true` if the name is known not to occur earlier in its source file.
#[cfg(feature = "py")]
pub fn is_unmentioned(name: &Ident) -> bool {
    let token = TokenTree::from(name.clone());
    let Some(source) = Source::of(&token) else {
        return false;
    };
    let (location, name) = (Location::before(&token), name.to_string());
    // A name with a capital letter can belong to a static that a glob import brings into scope without naming it.
    if name.contains(char::is_uppercase) {
        return false;
    }
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let has_name = |line: &str| {
        line.split(|letter| !is_part(letter))
            .any(|word| word == name)
    };
    let Some(line) = source.lines.get(location.line.wrapping_sub(1)) else {
        return false;
    };
    let is_here = line
        .chars()
        .skip(location.column.saturating_sub(1))
        .take(name.chars().count());
    let above = &source.lines[..location.line - 1];
    is_here.eq(name.chars())
        && !has_name(&location.text_before(line))
        && !above.iter().any(|line| has_name(line))
}

/// Returns whether the nearest declaration above a name appears to declare a variable that holds a slice.
#[cfg(feature = "py")]
pub fn is_slice_variable(name: &Ident) -> bool {
    let token = TokenTree::from(name.clone());
    Source::of(&token)
        .is_some_and(|source| source.declares_slice(&name.to_string(), Location::before(&token)))
}

/// Returns whether the nearest declaration above a name may declare a mask. The function looks for operators and words
/// that are rare in declarations of numbers. An incorrect result changes only the form of the expanded assignment, not
/// its effect.
#[cfg(feature = "py")]
pub fn may_be_mask(name: &Ident) -> bool {
    let token = TokenTree::from(name.clone());
    Source::of(&token).is_some_and(|source| {
        let (name, location) = (name.to_string(), Location::before(&token));
        let lines = source
            .lines
            .iter()
            .take(location.line)
            .rev()
            .take(MAX_SEARCHED_LINES);
        let declared = lines.enumerate().find_map(|(above, line)| {
            let line = match above {
                0 => location.text_before(line),
                _ if line.contains(&name) => line.clone(),
                _ => return None,
            };
            let (end, _) = declaration(&line, &name)?;
            Some((location.line - above, line[end..].to_owned()))
        });
        declared.is_some_and(|(next, rest)| {
            let rest = rest.split(';').next().unwrap_or_default();
            let next_line = match rest.trim_end().ends_with('=') {
                true => source.lines.get(next).map_or("", String::as_str),
                false => "",
            };
            MASK_INDICATORS
                .iter()
                .any(|indicator| rest.contains(indicator) || next_line.contains(indicator))
        })
    })
}

/// Operators and words that declarations of masks often contain.
#[cfg(feature = "py")]
const MASK_INDICATORS: [&str; 8] = ["bool", "mask", " < ", " > ", "== ", "<= ", ">= ", "!"];

/// Returns whether the source file of a name may declare or import a function with this name. Returns `true` if the
/// file is not available.
pub fn may_declare_function(name: &Ident) -> bool {
    let source = Source::of(&TokenTree::from(name.clone()));
    source.is_none_or(|source| {
        let name = name.to_string();
        let known = {
            let answers = source.functions.borrow();
            let entry = answers.iter().find(|(function, _)| *function == name);
            entry.map(|(_, answer)| *answer)
        };
        if let Some(answer) = known {
            return answer;
        }
        let answer = declares_function(&source.lines.join("\n"), &name);
        source.functions.borrow_mut().push((name, answer));
        answer
    })
}

fn declares_function(text: &str, name: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let has_name = |text: &str| {
        text.split(|letter| !is_part(letter))
            .any(|word| word == name)
    };
    let imports = text.match_indices("use ").any(|(at, _)| {
        let import = text[at..].split(';').next().unwrap_or_default();
        let has_none = import.ends_with("ndarray::prelude::*") || import.ends_with("slice_core::*");
        has_name(import) || import.contains("::*") && !has_none
    });
    let declares = |keyword: &str| {
        text.match_indices(keyword).any(|(at, _)| {
            let after = text[at + keyword.len()..].trim_start();
            let after = after.strip_prefix("mut ").unwrap_or(after);
            after.split(|letter| !is_part(letter)).next() == Some(name)
        })
    };
    imports || declares("fn ") || declares("let ") || declares("macro_rules! ")
}

/// Returns whether a token appears to be the first token inside a pair of braces.
#[cfg(feature = "py")]
pub fn begins_braces(token: &TokenTree) -> bool {
    let before = |source: Rc<Source>| source.code_before(Location::before(token));
    Source::of(token)
        .and_then(before)
        .is_some_and(|text| text.ends_with('{'))
}

impl Source {
    fn declares_variable(&self, name: &str, location: Location) -> bool {
        self.declared(name, location).unwrap_or(false)
    }

    /// Returns whether the text before a location appears to declare a variable or a constant with this name.
    pub fn declares(&self, name: &str, location: Location) -> bool {
        self.declared(name, location).is_some()
    }

    /// Returns whether the nearest declaration of a name before a location declares a variable, or `None` if no
    /// declaration is found.
    fn declared(&self, name: &str, location: Location) -> Option<bool> {
        self.lines_above(location)
            .find_map(|line| declaration(&line, name).map(|(_, variable)| variable))
    }

    /// Returns whether the nearest declaration of a name before a location declares a slice.
    #[cfg(feature = "py")]
    fn declares_slice(&self, name: &str, location: Location) -> bool {
        let lines = self
            .lines
            .iter()
            .take(location.line)
            .rev()
            .take(MAX_SEARCHED_LINES);
        let mut candidates =
            lines.filter(|line| SLICE_INDICATORS.iter().any(|slice| line.contains(slice)));
        // This quick check ends most searches, because most indices are not slices, and most files declare no slices.
        candidates.any(|line| line.contains(name))
            && self
                .lines_above(location)
                .find_map(|line| {
                    declaration(&line, name).map(|(end, _)| is_slice_after(&line[end..]))
                })
                .unwrap_or(false)
    }

    /// Iterates over at most [`MAX_SEARCHED_LINES`] lines, from the line of a location upward. That line is cut off at
    /// the location.
    fn lines_above(&self, location: Location) -> impl Iterator<Item = String> {
        let lines = self
            .lines
            .iter()
            .take(location.line)
            .rev()
            .take(MAX_SEARCHED_LINES);
        lines.enumerate().map(move |(at, line)| match at {
            0 => location.text_before(line),
            _ => line.clone(),
        })
    }
}

/// Strings by which the declaration of a slice is recognized.
#[cfg(feature = "py")]
const SLICE_INDICATORS: [&str; 3] = ["s![", "SliceSpec", "impl SliceFor"];

/// Returns whether the text after a declared name shows that the name stands for a slice: the text must contain either
/// the type of a slice, or a value that is a single `s![...]` without references.
#[cfg(feature = "py")]
fn is_slice_after(text: &str) -> bool {
    let text = text.trim_start();
    if let Some(ty) = text.strip_prefix(':') {
        let ty = ty.trim_start();
        let ty = ty.strip_prefix('&').unwrap_or(ty);
        let ty = ty.strip_prefix("slice_core::").unwrap_or(ty);
        return ["SliceSpec", "DynSliceSpec", "impl SliceFor"]
            .iter()
            .any(|slice| ty.starts_with(slice));
    }
    let value = text.strip_prefix('=').unwrap_or_default().trim_start();
    let value = value.strip_prefix("slice_core::").unwrap_or(value);
    let Some((items, after)) = value
        .strip_prefix("s![")
        .and_then(|items| items.rsplit_once(']'))
    else {
        return false;
    };
    !items.contains('&') && matches!(after.trim_end(), "" | ";")
}

/// Finds the last declaration of a name in a line. Returns the byte offset of the end of the name, and `true` for a
/// variable or `false` for a constant or a static.
fn declaration(line: &str, name: &str) -> Option<(usize, bool)> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.rmatch_indices(name).find_map(|(at, _)| {
        let end = at + name.len();
        let (before, after) = (&line[..at], &line[end..]);
        if before.ends_with(is_part) || after.starts_with(is_part) {
            return None;
        }
        let (before, after) = (before.trim_end(), after.trim_start());
        let word = before
            .rsplit(|letter| !is_part(letter))
            .next()
            .unwrap_or_default();
        if matches!(word, "const" | "static") || before.ends_with("static mut") {
            return Some((end, false));
        }
        let pattern = before.rsplit("let ").next().unwrap_or_default();
        let in_pattern = before.contains("let ") && !pattern.contains('=');
        let is_parameter = after.starts_with(':')
            && !after.starts_with("::")
            && (before.is_empty() || before.ends_with(['(', ',', '|']));
        let is_closure_parameter =
            before.ends_with(['|', ',']) && after.starts_with(['|', ',']) && before.contains('|');
        let declares = matches!(word, "let" | "mut" | "for")
            || in_pattern
            || is_parameter
            || is_closure_parameter;
        declares.then_some((end, true))
    })
}

impl Location {
    /// Returns the location where a token begins.
    pub fn before(token: &TokenTree) -> Self {
        Self::of(opening(token))
    }

    /// Returns the location where a token ends.
    pub fn after(token: &TokenTree) -> Self {
        let end = closing(token).unwrap().end();
        Location {
            line: end.line(),
            column: end.column(),
        }
    }

    /// Returns the part of `line` before this location.
    fn text_before(self, line: &str) -> String {
        line.chars().take(self.column.saturating_sub(1)).collect()
    }

    /// Returns the location where a span begins.
    pub fn of(span: Span) -> Self {
        let start = span.unwrap().start();
        Location {
            line: start.line(),
            column: start.column(),
        }
    }
}

#[cfg(test)]
mod tests {
    #[cfg(feature = "py")]
    #[test]
    fn declarations_and_imports_of_functions_are_recognized() {
        use super::declares_function;
        for text in [
            "fn len(x: u8) -> u8 {",
            "pub fn len<T>(x: T) {",
            "use crate::len;",
            "use crate::{\n    abs,\n    len,\n};",
            "use helpers::*;",
            "use ndarray::prelude::*;\nuse super::*;",
            "let len = |x| x;",
            "let mut len = f;",
        ] {
            assert!(declares_function(text, "len"), "{text}");
        }
        for text in [
            "",
            "py!(len(x))",
            "x.len()",
            "fn length() {}",
            "use a::lens;",
            "let length = 1;",
            "use ndarray::prelude::*;\nuse slice_core::*;",
        ] {
            assert!(!declares_function(text, "len"), "{text}");
        }
    }

    #[cfg(feature = "py")]
    #[test]
    fn declarations_of_slices_are_recognized() {
        use super::is_slice_after;
        for text in [
            " = s![1:, ::2];",
            " = slice_core::s![-1];",
            ": SliceSpec<2>) {",
            ": &DynSliceSpec, n: usize) {",
            ": slice_core::SliceSpec<1> = s![1:].into();",
            ": impl SliceFor<Ix2>) {",
        ] {
            assert!(is_slice_after(text), "{text}");
        }
        for text in [
            "",
            " = x.at(s![1:]);",
            " = s![1:].resolve(&[3])?;",
            " = s![&rows];",
            ": usize = s![1:].len();",
            ": Vec<SliceSpec<2>> = vec![];",
            " in [s![1:]] {",
        ] {
            assert!(!is_slice_after(text), "{text}");
        }
    }

    use super::declaration;

    #[test]
    fn declarations_of_variables_and_constants_are_distinguished() {
        for (line, variable) in [
            ("fn f(HOP: usize) {", true),
            ("fn f(a: u8, HOP: usize) {", true),
            ("    HOP: usize,", true),
            ("let HOP = 2;", true),
            ("let mut HOP = 2;", true),
            ("let (N, HOP) = (1, 2);", true),
            ("let Some(HOP) = hop else {", true),
            ("for HOP in 1..3 {", true),
            ("map(|HOP| ", true),
            ("map(|a, HOP: i32| ", true),
            ("const HOP: usize = 2;", false),
            ("static HOP: usize = 2;", false),
            ("fn f<const HOP: usize>() {", false),
            ("impl<const N: usize, const HOP: i64> A<N, HOP> {", false),
        ] {
            assert_eq!(
                declaration(line, "HOP").map(|(_, is_variable)| is_variable),
                Some(variable),
                "{line}"
            );
        }
        for line in [
            "",
            "HOP",
            "s![::HOP",
            "HOP::N",
            "a + HOP)",
            "let a = HOP;",
            "let a = f(HOP, 2);",
            "let SHOP = 2;",
            "let HOP2 = 2;",
            "use crate::HOP;",
            "f(HOP, b)",
        ] {
            assert_eq!(declaration(line, "HOP"), None, "{line}");
        }
    }
}
