//! Checks that the message of an error does not repeat the message of its cause.

use std::error::Error;

/// Returns a report that consists of the messages of an error and of its causes.
///
/// # Errors
///
/// Returns the report as an error if an earlier message contains a later one.
pub fn report(error: &dyn Error) -> Result<String, String> {
    let mut messages = vec![error.to_string()];
    let mut source = error.source();
    let mut repeated = false;
    while let Some(error) = source {
        let message = error.to_string();
        repeated |= messages.iter().any(|earlier| earlier.contains(&message));
        messages.push(message);
        source = error.source();
    }
    let report = messages.join("\n  because ");
    if repeated { Err(report) } else { Ok(report) }
}

/// Returns the names of an enum's variants. `file` is the source code of the file that defines the enum.
///
/// # Panics
///
/// Panics if the file does not define a public enum named `name`.
#[must_use]
pub fn variants(file: &str, name: &str) -> Vec<String> {
    let declaration = format!("pub enum {name} {{\n");
    let (_, rest) = file
        .split_once(&declaration)
        .expect("the file should define the enum");
    let lines = rest.lines().take_while(|line| *line != "}");
    let variants = lines.filter_map(|line| line.strip_prefix("    "));
    let variants = variants.filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()));
    variants
        .map(|line| {
            line.split(|c: char| !c.is_alphanumeric())
                .next()
                .unwrap_or_default()
                .to_owned()
        })
        .collect()
}
