//! The chart of the README shows what was measured. `BLESS=1` draws it again.

use std::fs;

mod chart;

const TIMES: &str = "../../slice-core/benches/results/zen5.jsonl";
const CHART: &str = "../../slice-core/docs/pictures/speed.svg";

#[test]
fn the_chart_of_speed() {
    let times = fs::read_to_string(TIMES).expect(TIMES);
    let drawn = chart::draw(&times).expect("times of every slice");
    if std::env::var_os("BLESS").is_some() {
        fs::write(CHART, drawn).expect(CHART);
    } else {
        let kept = fs::read_to_string(CHART).unwrap_or_default();
        assert!(
            drawn == kept,
            "{CHART} has changed: look at it, and run again with BLESS=1"
        );
    }
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
