//! Tests that the charts in the documentation agree with the measurements. `BLESS=1` redraws the charts.

use std::fs;

mod chart;
mod growth;

const TIMES: &str = "../../slice-core/benches/results/zen5.jsonl";

/// Draws a chart of the times in a file of `results`, and compares it with the chart in `pictures`.
fn check(times: &str, picture: &str, draw: fn(&str) -> Result<String, String>) {
    let times = format!("../../slice-core/benches/results/{times}");
    let path = format!("../../slice-core/docs/pictures/{picture}");
    let drawn = draw(&fs::read_to_string(&times).expect(&times)).expect("every line has times");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, drawn).expect(&path);
    } else {
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            drawn == kept,
            "{path} has changed: look at it, and run again with BLESS=1"
        );
    }
}

#[test]
fn the_charts_of_speed_are_current() {
    check("zen5.jsonl", "speed.svg", chart::draw);
    check("zen4.jsonl", "speed_zen4.svg", chart::draw);
}

#[test]
fn the_chart_of_growth_is_current() {
    check("growth_zen4.jsonl", "growth.svg", growth::draw);
}

#[test]
fn a_slice_that_was_not_measured_is_an_error() {
    let times = fs::read_to_string(TIMES).expect(TIMES);
    let without = times
        .lines()
        .filter(|line| !line.contains("u8 `[..., :3]`"));
    let without: Vec<&str> = without.collect();
    assert_eq!(
        chart::draw(&without.join("\n")).expect_err("a slice is missing"),
        "u8 `[..., :3]` of l2 was not measured"
    );
    assert!(chart::draw("").is_err());
}
