//! Tests the JSON that `slice zarr --json` prints for a plan and for a read.

use std::fs;

use serde_json::{Value, json};

use crate::{file_names, make_array, succeeds, zarr};

#[test]
fn plans_and_reads_are_printed_as_json() {
    let folder = tempfile::tempdir().expect("creating a folder should succeed");
    make_array(&folder.path().join("in.zarr"));
    let json_output = |arguments: &[&str]| -> Value {
        let mut command = zarr();
        command
            .current_dir(folder.path())
            .args(["in.zarr", "3:8, ::-2"]);
        let printed = succeeds(command.args(arguments).arg("--json"));
        serde_json::from_str(&printed).expect("the text should be JSON")
    };
    let costs =
        |value: &Value| ["chunks", "requests", "bytes", "shape"].map(|name| value[name].clone());
    // The chunks are not compressed, so only rows 3 to 7 are read. Each row has 80 bytes.
    let expected = [json!(10), json!(10), json!(400), json!([5, 10])];

    for option in ["--plan", "--dry-run"] {
        let plan = json_output(&[option]);
        assert_eq!(costs(&plan["plan"]), expected, "{plan}");
        assert_eq!(plan["plan"]["output_bytes"], 200);
        assert!(plan["plan"]["peak_bytes"].as_u64() >= Some(200), "{plan}");
        assert_eq!(plan.get("read"), None);
        assert_eq!(file_names(folder.path()), ["in.zarr"]);
    }
    let read = json_output(&["out.npy", "--stats", "stats.json"]);
    assert_eq!(costs(&read["read"]), expected, "{read}");
    assert_eq!(read["read"]["dtype"], "int32");
    assert_eq!(read.get("plan"), None);
    let stats =
        fs::read_to_string(folder.path().join("stats.json")).expect("the file should be readable");
    let stats: Value = serde_json::from_str(&stats).expect("the text should be JSON");
    assert_eq!(stats, read["read"]);
    assert_eq!(
        file_names(folder.path()),
        ["in.zarr", "out.npy", "stats.json"]
    );

    let plan_and_read = json_output(&["out.npy", "--plan"]);
    assert_eq!(costs(&plan_and_read["plan"]), costs(&plan_and_read["read"]));
    // `slice explain` accepts the plan in this output.
    let plan = plan_and_read["plan"]["read_plan"].to_string();
    let mut explain = std::process::Command::new(env!("CARGO_BIN_EXE_slice"));
    let explanation = succeeds(explain.args(["explain", "--plan", &plan]));
    assert!(explanation.contains("chunks  10 of 30"), "{explanation}");
}
