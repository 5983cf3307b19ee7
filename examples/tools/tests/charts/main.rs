//! Tests that the charts in the documentation agree with the measurements. If the environment variable `BLESS` is set,
//! the tests redraw the charts instead.

use std::fs;

mod chart;
mod growth;

const TIMES_FILE: &str = "../../slice-core/benches/results/zen5.jsonl";

/// Draws a chart of the times in `results/{times}`, and compares the chart with `slice-core/{picture}`. If `BLESS` is
/// set, overwrites this file instead.
fn check_chart(times: &str, picture: &str, draw: fn(&str) -> Result<String, String>) {
    let times = format!("../../slice-core/benches/results/{times}");
    let path = format!("../../slice-core/{picture}");
    let svg =
        draw(&fs::read_to_string(&times).expect(&times)).expect("the chart should be drawable");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, svg).expect(&path);
    } else {
        let expected = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            svg == expected,
            "{path} is out of date: review the change, then run again with BLESS=1"
        );
    }
}

#[test]
fn speed_charts_are_up_to_date() {
    check_chart("zen5.jsonl", "docs/pictures/speed.svg", chart::draw);
    check_chart("zen4.jsonl", "benches/speed_zen4.svg", chart::draw);
}

#[test]
fn growth_chart_is_up_to_date() {
    check_chart(
        "growth_zen4.jsonl",
        "docs/pictures/growth.svg",
        growth::draw,
    );
}

#[test]
fn charts_with_unmeasured_slices_are_rejected() {
    let times = fs::read_to_string(TIMES_FILE).expect(TIMES_FILE);
    let remaining_rows = times
        .lines()
        .filter(|line| !line.contains("u8 `[..., :3]`"));
    let remaining_rows: Vec<&str> = remaining_rows.collect();
    assert_eq!(
        chart::draw(&remaining_rows.join("\n")).expect_err("a slice is missing"),
        "u8 `[..., :3]` was not measured in size class `l2`"
    );
    assert!(chart::draw("").is_err());
}
