//! How command lines end.

use bezzel_external::Exit;

use crate::{AMPLE, Bench, run};

#[test]
fn codes_are_told_as_they_are() {
    for code in [0, 1, 10, 20, 77, 255] {
        let account = run(&format!("exit {code}"), AMPLE);
        assert_eq!((account.exit, account.stopped), (Exit::Code(code), None));
    }
}

#[test]
fn what_it_writes_is_in_the_file() {
    let bench = Bench::new("echo s SATISFIABLE; echo words >&2", AMPLE);
    let account = bench.run();
    assert_eq!(bench.text(), "s SATISFIABLE\n");
    assert_eq!((account.output_bytes, account.stderr.text().as_str()), (14, "words\n"));
}
