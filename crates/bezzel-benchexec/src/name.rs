//! Names of tasks and run definitions: what a person reads off them, and a digest by which results
//! find back.
//!
//! They become names of files and of log files in shells, globs, XML and YAML, so they are made of
//! lower-case letters, digits, hyphens, points and underscores alone.

use bezzel_encode::Numbering;

use bezzel_lab::job::Job;

/// The longest part of a name. BenchExec joins the name of the run definition, that of the task and
/// `.log` to that of a file, which may have 255 bytes.
const LONGEST: usize = 48;

/// Digits of the digest: 48 bits tell apart as many formulas as a plan can have.
const DIGITS: usize = 12;

/// What a formula's files are called, as in `8_pairwise_random-3_5f0c3a7e91d2`: its board, its
/// encoding with what is set beside it, its numbering, and the digest of its clauses.
pub(super) fn formula(job: &Job, clause_digest: &str) -> String {
    let digest = &clause_digest[..clause_digest.len().min(DIGITS)];
    format!("{}_{digest}", cell(job))
}

/// The part of a formula's name that does not depend on its clauses.
pub(super) fn cell(job: &Job) -> String {
    let board = plain(&job.instance.to_string());
    let encoding = plain(&job.encoding_label());
    format!("{board}_{encoding}_{}", numbering(&job.numbering))
}

/// The kind of the numbering with its seeds, each once.
fn numbering(numbering: &Numbering) -> String {
    let Numbering { variables, literals, polarity, clauses, .. } = *numbering;
    let mut seeds: Vec<u64> =
        [variables, literals, polarity, clauses].into_iter().flatten().collect();
    seeds.sort_unstable();
    seeds.dedup();
    seeds.iter().fold(plain(&numbering.id()), |name, seed| format!("{name}-{seed}"))
}

/// The text as a part of a name: what is no letter or digit becomes one hyphen.
pub(super) fn plain(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            name.push(c.to_ascii_lowercase());
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    name.truncate(LONGEST);
    name.truncate(name.trim_end_matches('-').len());
    name
}

/// Names as they are given, a number behind those that were given before.
#[derive(Debug, Default)]
pub(super) struct Given(std::collections::HashSet<String>);

impl Given {
    /// This name, or the first of `name_2`, `name_3` and so on that nothing has yet.
    pub(super) fn give(&mut self, name: &str) -> String {
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
        assert_eq!(plain(&"a ".repeat(99)).len(), LONGEST - 1);
        assert_eq!(plain("?"), "");
    }

    #[test]
    fn a_name_is_given_once() {
        let mut given = Given::default();
        let names = ["a", "a", "a_2", "a", "b"].map(|name| given.give(name));
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
