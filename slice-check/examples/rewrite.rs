//! Rewrites all ONNX models in a folder, as `slice check --fix` does.
//!
//! For each `NAME.onnx`, writes `NAME.fixed`, and prints the name and the number of changes, or the reason why the model is
//! not rewritten.

use std::path::Path;

use slice_check::Model;

fn rewrite(path: &Path) -> Result<usize, String> {
    let model = Model::read(path).map_err(|error| error.to_string())?;
    let report = model.check(&[]).map_err(|error| error.to_string())?;
    if report.count_with_mistakes() > 0 {
        let mistakes = report.slices.iter().flat_map(|slice| &slice.mistakes);
        let mistakes: Vec<String> = mistakes.map(ToString::to_string).collect();
        return Err(format!("mistakes: {}", mistakes.join("; ")));
    }
    let (bytes, changes) = model.fix(&report).map_err(|error| error.to_string())?;
    std::fs::write(path.with_extension("fixed"), bytes).map_err(|error| error.to_string())?;
    Ok(changes.len())
}

fn main() {
    let folder = std::env::args().nth(1).expect("the argument is a folder");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder should be readable")
        .map(|entry| entry.expect("the entry should be readable").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "onnx")
        })
        .collect();
    paths.sort();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        match rewrite(&path) {
            Ok(changes) => println!("{name} {changes}"),
            Err(error) => println!("{name} refused: {error}"),
        }
    }
}
