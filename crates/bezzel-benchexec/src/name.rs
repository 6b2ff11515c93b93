//! Names of tasks and run definitions: a readable part, and a digest that identifies the clauses of a result.
//!
//! They become names of files and of log files in shells, globs, XML and YAML, so they consist of lower-case
//! letters, digits, hyphens, points and underscores only.

use bezzel_encode::Numbering;

use bezzel_experiment::job::Job;

/// The length of the longest part of a name. BenchExec concatenates the names of the run definition and the task
/// and `.log` to a file name, which may have 255 bytes.
const MAX_LENGTH: usize = 48;

/// The number of hexadecimal digits of the digest: 48 bits suffice for the formulas of a plan.
const DIGITS: usize = 12;

/// Returns the name of a formula's files, as in `8_pairwise_random-3_5f0c3a7e91d2`: its board, its encoding with
/// its settings, its numbering, and the digest of its clauses.
pub(super) fn formula(job: &Job, clause_digest: &str) -> String {
    let digest = &clause_digest[..clause_digest.len().min(DIGITS)];
    format!("{}_{digest}", cell(job))
}

/// Returns the part of a formula's name that does not depend on its clauses.
pub(super) fn cell(job: &Job) -> String {
    let board = plain(&job.instance.to_string());
    let encoding = plain(&job.encoding_label());
    format!("{board}_{encoding}_{}", numbering(&job.numbering))
}

/// Returns the kind of the numbering with its seeds, each once.
fn numbering(numbering: &Numbering) -> String {
    let Numbering { variables, literals, polarity, clauses, .. } = *numbering;
    let mut seeds: Vec<u64> =
        [variables, literals, polarity, clauses].into_iter().flatten().collect();
    seeds.sort_unstable();
    seeds.dedup();
    seeds.iter().fold(plain(&numbering.id()), |name, seed| format!("{name}-{seed}"))
}

/// Returns the text as a part of a name: other characters than letters and digits become one hyphen.
pub(super) fn plain(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            name.push(c.to_ascii_lowercase());
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    name.truncate(MAX_LENGTH);
    name.truncate(name.trim_end_matches('-').len());
    name
}

/// The names given so far. A repeated name gets a number at its end.
#[derive(Debug, Default)]
pub(super) struct UniqueNames(std::collections::HashSet<String>);

impl UniqueNames {
    /// Returns this name, or the first of `name_2`, `name_3` and so on that is free.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let further = (2..).map(|number| format!("{name}_{number}"));
        let free =
            std::iter::once(name.to_owned()).chain(further).find(|name| !self.0.contains(name));
        let free = free.expect("numbers do not end");
        self.0.insert(free.clone());
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_of_letters_that_files_and_shells_take() {
        assert_eq!(plain("torus 12 with 1,4 placed"), "torus-12-with-1-4-placed");
        assert_eq!(plain("{rows: product, columns: Ω}"), "rows-product-columns");
        assert_eq!(plain("../../etc/passwd"), "etc-passwd");
        assert_eq!(plain(&"a ".repeat(99)).len(), MAX_LENGTH - 1);
        assert_eq!(plain("?"), "");
    }

    #[test]
    fn a_name_is_given_once() {
        let mut given = UniqueNames::default();
        let names = ["a", "a", "a_2", "a", "b"].map(|name| given.unique(name));
        assert_eq!(names, ["a", "a_2", "a_2_2", "a_3", "b"]);
    }

    #[test]
    fn the_name_of_a_numbering_tells_its_seeds() {
        assert_eq!(numbering(&Numbering::AS_GENERATED), "as-generated");
        assert_eq!(numbering(&Numbering::random(7)), "random-7");
        let both = Numbering { polarity: Some(3), ..Numbering::random(7) };
        assert_eq!(numbering(&both), "random-polarity-3-7");
    }
}
