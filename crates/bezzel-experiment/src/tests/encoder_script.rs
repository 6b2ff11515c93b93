//! Programs that encode, as real shell scripts.

use std::fs;

use bezzel_experiment::Limits;
use tempfile::TempDir;

/// A shell script for pairwise. It records each start in a file beside it.
pub(crate) const PAIRWISE: &str = r#"
read name version
[ "$name $version" = "bezzel-encoder 1" ] || exit 9
echo started >> "$1/starts"
while read word n; do
    echo "c $word $n"
    echo "p cnf $n $((n * (n - 1) / 2))"
    i=1
    while [ $i -le $n ]; do
        j=$((i + 1))
        while [ $j -le $n ]; do echo "-$i -$j 0"; j=$((j + 1)); done
        i=$((i + 1))
    done
done
"#;

pub(crate) const QUICK: Limits =
    Limits { cpu_s: 600.0, wall_s: 600.0, memory_bytes: 256 << 20, nodes: None };

/// A script in a folder of its own; its command line is the name of an encoding.
pub(crate) struct Script {
    pub(crate) folder: TempDir,
}

impl Script {
    pub(crate) fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("encoder.sh"), text).unwrap();
        Self { folder }
    }

    pub(crate) fn name(&self) -> String {
        let folder = self.folder.path().display();
        format!("{{command: \"sh {folder}/encoder.sh {folder}\"}}")
    }

    /// The name of the encoding of whole instances.
    pub(crate) fn of_instances(&self) -> String {
        self.name().replace('}', ", kind: board}")
    }
}
