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

/// A shell script for grids whose rows hold one and whose columns hold at most one, by pairs of places. `words` are the
/// names of the words of a request. The script refuses the requests for which `refused` is true.
pub(crate) fn pairs_of_grids(words: &str, refused: &str, why: &str) -> String {
    format!(
        r#"
read greeting
while read {words}; do
    if [ {refused} ]; then echo "unfit {why}"; continue; fi
    pairs=
    count=$rows
    for r in $(seq $rows); do
        row=
        for c in $(seq $columns); do
            a=$(((r - 1) * columns + c))
            row="$row $a"
            for d in $(seq $((c + 1)) $columns); do
                pairs="$pairs -$a -$(((r - 1) * columns + d)) 0"; count=$((count + 1))
            done
            for s in $(seq $((r + 1)) $rows); do
                pairs="$pairs -$a -$(((s - 1) * columns + c)) 0"; count=$((count + 1))
            done
        done
        pairs="$pairs $row 0"
    done
    echo "p cnf $((rows * columns)) $count"
    echo $pairs
done
"#
    )
}

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
