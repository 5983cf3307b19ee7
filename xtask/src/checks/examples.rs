//! Finds the public items whose documentation has no example and names no other item whose example uses it, in the pages that
//! rustdoc has built.

use std::fs;
use std::io;
use std::path::Path;

/// The kinds of items that need an example.
const KINDS: [&str; 5] = ["enum", "fn", "macro", "struct", "trait"];

/// The modules of slice-core whose items are used only by expansions of macros, or only named in compiler messages.
const MODULES_FOR_MACROS: [&str; 3] = ["bound", "kind", "python"];

/// The headings of the parts of a page that are about traits from elsewhere.
const LAST_PARTS: [&str; 6] = [
    "id=\"deref-methods-",
    "id=\"trait-implementations\"",
    "id=\"synthetic-implementations\"",
    "id=\"blanket-implementations\"",
    "id=\"foreign-impls\"",
    "id=\"implementors\"",
];

/// The start of a sentence that names an item whose example uses the documented item, too.
const EXAMPLE_OF: &str = "The example of <a ";

/// The start of an example, and its end.
const EXAMPLE: (&str, &str) = ("rust-example-rendered\">", "</pre>");

/// Adds to `missing` the items without examples on the pages in `folder` and its subfolders.
pub fn add_missing(folder: &Path, missing: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if !MODULES_FOR_MACROS.contains(&&*name) {
                add_missing(&path, missing)?;
            }
        } else if KINDS
            .iter()
            .any(|kind| name.starts_with(&format!("{kind}.")))
        {
            let page = fs::read_to_string(&path)?;
            let items = without_examples(&page).into_iter();
            missing.extend(items.map(|item| format!("{}{item}", path.display())));
        }
    }
    Ok(())
}

/// Returns `""` if a page has no example, and `#` with the name of each method that has no example and occurs in no
/// example of the page.
fn without_examples(page: &str) -> Vec<String> {
    // A page at an item's former address only redirects.
    if page.contains("http-equiv=\"refresh\"") {
        return Vec::new();
    }
    let ends = LAST_PARTS.iter().filter_map(|part| page.find(part));
    let page = &page[..ends.min().unwrap_or(page.len())];
    let examples: String = page.split(EXAMPLE.0).skip(1).map(plain_text).collect();
    let mut missing = Vec::new();
    if examples.is_empty() && !page.contains(EXAMPLE_OF) {
        missing.push(String::new());
    }
    for section in page.split("<section id=\"").skip(1) {
        let id = section.split('"').next().unwrap_or_default();
        let method = id.strip_prefix("method.").or(id.strip_prefix("tymethod."));
        let Some(method) = method else { continue };
        let name = method.split('-').next().unwrap_or_default();
        let is_word = |character: char| character.is_alphanumeric() || character == '_';
        let is_used = examples
            .split(|character| !is_word(character))
            .any(|word| word == name);
        if !is_used && !section.contains(EXAMPLE.0) {
            missing.push(format!("#{method}"));
        }
    }
    missing
}

/// Returns the text of the example with which `html` begins, without tags.
fn plain_text(html: &str) -> String {
    let example = html.split(EXAMPLE.1).next().unwrap_or_default();
    let parts = example.split('<');
    let text = parts.map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    text.collect::<String>() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str =
        "<pre class=\"rust rust-example-rendered\"><code>x.<span>used</span>();</code></pre>";

    #[test]
    fn a_method_needs_an_example_on_its_page() {
        let methods =
            "<section id=\"method.used\"></section><section id=\"tymethod.unused\"></section>";
        assert_eq!(without_examples(methods), ["", "#used", "#unused"]);
        let page = format!("{EXAMPLE}{methods}");
        assert_eq!(without_examples(&page), ["#unused"]);
        assert!(without_examples(&format!("{page}{EXAMPLE}")).is_empty());
    }

    #[test]
    fn an_item_may_occur_in_the_example_of_another_item() {
        assert!(without_examples("<p>The example of <a href=\"\">x</a> calls it.</p>").is_empty());
    }

    #[test]
    fn methods_of_other_traits_need_no_example() {
        let page = format!(
            "{EXAMPLE}<h2 id=\"trait-implementations\"></h2><section id=\"method.fmt\"></section>"
        );
        assert!(without_examples(&page).is_empty());
    }
}
