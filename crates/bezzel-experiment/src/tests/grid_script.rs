//! A program that encodes grids, as a real shell script.

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
