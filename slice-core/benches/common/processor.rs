//! Describes the processor, for the output of the benchmarks.

use std::fs::read_to_string;

/// Returns a sentence that gives the name and the caches of the processor. Both are read from files that exist only on
/// Linux.
pub fn describe() -> String {
    let mut words = vec![name()];
    words.extend((0..).map_while(cache));
    format!("Processor: {}.", words.join(", "))
}

/// Returns the vendor, family, model and name of the processor, or `unknown`.
pub fn name() -> String {
    let cpuinfo = read_to_string("/proc/cpuinfo").unwrap_or_default();
    // The first four fields exist on x86, and the others on ARM.
    let fields = [
        ("vendor_id", ""),
        ("cpu family", "family "),
        ("model", "model "),
        ("model name", ""),
        ("CPU implementer", "implementer "),
        ("CPU part", "part "),
    ];
    let words: Vec<String> = fields
        .iter()
        .filter_map(|(key, label)| Some(format!("{label}{}", field(&cpuinfo, key)?)))
        .collect();
    match words.is_empty() {
        true => "unknown".to_owned(),
        false => words.join(", "),
    }
}

/// Returns the value of the first field with the name `key`.
fn field<'a>(cpuinfo: &'a str, key: &str) -> Option<&'a str> {
    cpuinfo.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == key).then_some(value.trim())
    })
}

/// Describes one cache of the first core, such as `L1d 48K`.
fn cache(index: usize) -> Option<String> {
    let read = |name: &str| {
        let path = format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{name}");
        Some(read_to_string(path).ok()?.trim().to_owned())
    };
    let kind = match read("type")?.as_str() {
        "Data" => "d",
        "Instruction" => "i",
        _ => "",
    };
    Some(format!("L{}{kind} {}", read("level")?, read("size")?))
}
