//! Compressed files read by gzip and xz.

use std::process::Command;

use crate::outside::tools::output;
use crate::program::is_installed;

#[test]
#[ignore = "second tier: it runs programs of others"]
fn gzip_and_xz_unpack_what_is_packed_by_the_ending_of_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let encode = |name: &str| {
        let path = folder.path().join(name);
        let result = Command::new(env!("CARGO_BIN_EXE_bezzel"))
            .args(["encode", "30", "--encoding", "product", "-o"])
            .arg(&path)
            .output()
            .unwrap();
        assert_eq!(result.status.code(), Some(0), "{}", String::from_utf8_lossy(&result.stderr));
        path
    };
    // One line names the command, and differs.
    let rest = |text: &str| text.split_once("\nc encoding").unwrap().1.to_owned();
    let plain = std::fs::read_to_string(encode("queens.cnf")).unwrap();
    for (program, ending) in [("gzip", "gz"), ("xz", "xz")] {
        let packed = encode(&format!("queens.cnf.{ending}"));
        let size = packed.metadata().unwrap().len() as usize;
        assert!(size < plain.len() / 3, "{size} of {} bytes", plain.len());
        if is_installed(program) {
            let unpacked = output(program, &["-dc"], &packed);
            assert!(rest(&unpacked) == rest(&plain), "{program}");
        }
    }
}
