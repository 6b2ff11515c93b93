//! Links in an experiment's folder, which may come from any source.

use std::fs;
use std::os::unix::fs::symlink;

use super::{CONFIG_TEXT, row};
use crate::results::store::{CALIBRATION, NEW, ROWS, RUNNER, Store, TORN};

#[test]
fn evidence_is_not_written_through_a_link() {
    for name in [ROWS, CALIBRATION, TORN, NEW, RUNNER] {
        for is_there in [true, false] {
            let folder = tempfile::tempdir().unwrap();
            let (own, target) = (folder.path().join("t"), folder.path().join("target"));
            fs::create_dir(&own).unwrap();
            fs::write(own.join(ROWS), "a torn line").unwrap();
            if is_there {
                fs::write(&target, "precious").unwrap();
            }
            let _ = fs::remove_file(own.join(name));
            symlink(&target, own.join(name)).unwrap();
            let kept = Store::open(&own, CONFIG_TEXT, &[])
                .and_then(|(mut store, _)| store.append_reading(&row(1)));
            match kept {
                // The lock counts, even without the name of its holder.
                Ok(()) => assert_eq!(name, RUNNER),
                Err(error) => {
                    let expected = format!("{name}`: it is a symbolic link");
                    let message = error.to_string();
                    assert!(name == NEW || message.contains(&expected), "{name}: {message}");
                }
            }
            let text = fs::read_to_string(&target).ok();
            assert_eq!(text.as_deref(), is_there.then_some("precious"), "{name}");
        }
    }
}
