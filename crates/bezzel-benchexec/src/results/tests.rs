//! Results of BenchExec, and invalid files.

use std::io::Write;

use super::*;

/// Results in the form in which BenchExec writes them.
const TEXT: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE result
  PUBLIC '+//IDN sosy-lab.org//DTD BenchExec result 3.12//EN'
  'https://www.sosy-lab.org/benchexec/result-3.12.dtd'>
<result benchmarkname="cadical" date="2026-01-02 03:04:05 UTC" tool="cadical" version="1.5.3"
    starttime="2026-01-02T03:04:05.5+00:00" toolmodule="bezzel_tools.cadical"
    generator="BenchExec 3.35" memlimit="2147483648B" timelimit="10s" options="-q" block="0"
    name="cadical-1.0">
  <columns><column title="status"/><column title="cputime"/></columns>
  <systeminfo hostname="h">
    <os name="Linux"/><cpu model="A &amp; B" cores="2" frequency="1Hz"/><ram size="100B"/>
    <environment><var name="PATH">/bin</var></environment>
  </systeminfo>
  <run name="../tasks/a.yml" files="[../formulas/a.cnf.xz]">
    <column title="cputime" value="0.25s"/>
    <column title="memory" value="786432B"/>
    <column title="status" value="true"/>
    <column title="walltime" value="0.5s"/>
    <column title="category" value="correct" hidden="true"/>
    <column title="returnvalue" value="10" hidden="true"/>
    <column title="of another version" value="?" hidden="true"/>
  </run>
  <run name="../tasks/b.yml"/>
  <column title="cputime" value="0.25s"/>
</result>
"#;

fn text(text: &str) -> String {
    text.to_owned()
}

#[test]
fn results_are_read_as_benchexec_writes_them() {
    let results = parse(TEXT.as_bytes()).unwrap();
    assert_eq!(results.name.as_deref(), Some("cadical-1"));
    assert_eq!(results.tool_module, "bezzel_tools.cadical");
    assert_eq!(results.version.as_deref(), Some("1.5.3"));
    assert_eq!(results.time_limit.as_deref(), Some("10s"));
    let machine = Machine {
        system: Some(text("Linux")),
        cpu_model: Some(text("A & B")),
        cores: Some(text("2")),
        memory: Some(text("100B")),
    };
    assert_eq!(results.machine, machine);
    let run = Run {
        name: "../tasks/a.yml".into(),
        status: Some(text("true")),
        category: Some(text("correct")),
        cpu: Some(text("0.25s")),
        wall: Some(text("0.5s")),
        memory: Some(text("786432B")),
        return_value: Some(text("10")),
        ..Run::default()
    };
    let undone = Run { name: "../tasks/b.yml".into(), ..Run::default() };
    assert_eq!(results.runs, [run, undone]);
}

#[test]
fn results_that_were_cut_anywhere_are_refused() {
    let end = TEXT.rfind('>').unwrap();
    let mut truncated = 0;
    for cut in 0..=end {
        match parse(&TEXT.as_bytes()[..cut]) {
            Err(ResultsError::Truncated) => truncated += 1,
            Err(ResultsError::Xml { .. }) => {}
            other => panic!("cut at {cut}: {other:?}"),
        }
    }
    assert!(truncated > end * 3 / 4, "{truncated} of {end}");
    // Truncated before or after compression.
    let mut packed = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    packed.write_all(TEXT.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.results.xml.bz2");
    std::fs::write(&path, &packed).unwrap();
    assert_eq!(read(&path).unwrap(), parse(TEXT.as_bytes()).unwrap());
    std::fs::write(&path, &packed[..packed.len() - 20]).unwrap();
    assert!(read(&path).is_err());
}

#[test]
fn a_file_that_is_no_result_of_benchexec_is_refused() {
    let refused = |text: &str| match parse(text.as_bytes()) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("taken: {}", shortened(text)),
    };
    assert!(refused("<html></html>").contains("begins with <html>"));
    assert!(refused("p cnf 1 1\n1 0\n").contains("not XML"));
    assert!(refused("<result/>").contains("has no `toolmodule`"));
    assert!(refused("<result toolmodule='a'><run/></result>").contains("<run>"));
    assert!(refused("<result toolmodule='a'></rslt>").contains("not XML"));
    assert!(refused("<result toolmodule='a'/><result toolmodule='a'/>").contains("second"));
    assert!(refused(&"<a>".repeat(3)).contains("begins with <a>"));
    let deep = format!("<result toolmodule='a'>{}", "<a>".repeat(99));
    assert!(refused(&deep).contains("too deep"));
    let long = format!("<result toolmodule='{}'/>", "a".repeat(MAX_ELEMENT_BYTES + 10_000));
    assert!(refused(&long).contains("longer than"));
}

#[test]
fn entities_are_not_obeyed() {
    let text = "<!DOCTYPE result [<!ENTITY a 'aaaa'><!ENTITY f SYSTEM 'file:///etc/passwd'>]>\
                    <result toolmodule='&f;'/>";
    let refused = parse(text.as_bytes()).unwrap_err().to_string();
    assert!(refused.contains("not XML"), "{refused}");
}

#[test]
fn results_with_a_wrong_byte_anywhere_are_refused_or_hold_no_more_than_before() {
    let mut refused = 0;
    for at in 0..TEXT.len() {
        for byte in [b'<', b'>', b'"', b'&', b'/', 0, 0xff] {
            let mut bytes = TEXT.as_bytes().to_vec();
            bytes[at] = byte;
            match parse(&bytes[..]) {
                Ok(results) => assert!(results.runs.len() <= 2, "{at}"),
                Err(_) => refused += 1,
            }
        }
    }
    // Most of the text consists of values, which may contain most bytes.
    assert!(refused > TEXT.len(), "{refused}");
}
