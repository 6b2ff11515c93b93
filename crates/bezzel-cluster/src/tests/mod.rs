mod lists;
mod scripts;
mod slurm;

use std::path::PathBuf;

use super::JobArray;

/// Returns an array with all options.
fn array() -> JobArray {
    JobArray {
        name: "first-look".into(),
        token: "1f00ba5e".into(),
        shards: 9,
        max_running: Some(2),
        cpus: 2,
        memory_bytes: (9 << 28) - 1,
        minutes: 90,
        merge_memory_bytes: 2 << 30,
        merge_minutes: 60,
        partition: Some("long".into()),
        account: Some("queens".into()),
        programs: false,
        whole_nodes: true,
        program: "/opt/bezzel/bin/bezzel".into(),
        submission: PathBuf::from("/home/ada/experiments/first-look/shards/0002"),
        root: "/home/ada".into(),
        directory: "/home/ada".into(),
    }
}
