//! The line under an answer that states its evidence: runs, their verdicts, noise, and the level of the intervals.

use bezzel_experiment::quantity::grouped;
use bezzel_experiment::row::Finding;
use bezzel_experiment::{ProofRecord, Row, Verdict};
use bezzel_solve::ProofFormat;

use crate::analysis::Analysis;
use crate::answer::AuthorAnswer;
use crate::comparison::first_numbering;
use crate::number::count;
use crate::row_statistics::cell::Counts;
use crate::table::plain::wrapped;

/// The line, each part with the id of the part of the page that has the details.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustLine {
    parts: Vec<(String, Option<&'static str>)>,
}

/// The parts that are trusted of an answer that VeriPB checked, by whether its proof starts from a translation.
const FROM_FILE: [(bool, &str); 2] = [
    (
        false,
        "proved from the constraints of the file by VeriPB: encoder and solver are not trusted",
    ),
    (
        true,
        "proved by VeriPB from a translation of the instance to OPB: the translation is trusted, encoder and solver \
         are not",
    ),
];

/// The part of a page with the conditions.
const CONDITIONS: &str = "conditions";

impl TrustLine {
    /// The line of a record, below the answer of its author or the computed one.
    pub(crate) fn new(analysis: &Analysis<'_>, answer: Option<&AuthorAnswer>) -> Self {
        let record = analysis.record;
        let counts = Counts::of(&record.rows.iter().collect::<Vec<_>>());
        let runs = match record.planned {
            planned if planned > counts.rows => {
                format!("{} of {}", grouped(counts.rows as u128), count(planned, "run"))
            }
            _ => count(counts.rows, "run"),
        };
        let imported = record.rows.iter().filter(|row| row.verdict == Verdict::Imported).count();
        let has_own = imported < counts.rows || imported == 0;
        let without = counts.rows - counts.solved - counts.wrong;
        let wrong = if counts.wrong > 0 { "wrong" } else { CONDITIONS };
        let mut parts = vec![(runs, Some(if counts.rows > 0 { "runs" } else { CONDITIONS }))];
        if imported > 0 {
            let imported = grouped(imported as u128);
            parts.push((format!("{imported} imported, none verified here"), Some(CONDITIONS)));
        }
        if has_own {
            let verified = count(counts.verified, "answer");
            parts.push((format!("{verified} verified"), Some(CONDITIONS)));
        }
        for (is_translated, what) in FROM_FILE {
            let of_file = |row: &&Row| {
                let is_it = |proof: &ProofRecord| {
                    (proof.format, proof.finding) == (ProofFormat::Veripb, Finding::Accepted)
                        && proof.translated == is_translated
                };
                row.verdict == Verdict::Verified && row.proof.as_ref().is_some_and(is_it)
            };
            let proved = record.rows.iter().filter(of_file).count();
            if proved > 0 {
                parts.push((format!("{} {what}", count(proved, "answer")), Some(CONDITIONS)));
            }
        }
        if counts.unchecked > 0 {
            parts.push((
                format!("{} unchecked", grouped(counts.unchecked as u128)),
                Some(CONDITIONS),
            ));
        }
        if has_own {
            parts.push((format!("{} wrong", grouped(counts.wrong as u128)), Some(wrong)));
        }
        if without > 0 {
            parts.push((
                format!("{} without an answer", grouped(without as u128)),
                Some(CONDITIONS),
            ));
        }
        // Only times have a noise.
        let timed = || analysis.rows(|row| row.job.task.backend().is_some());
        if !timed().is_empty() {
            let noise = match &record.readings[..] {
                [] => "noise of the machine not measured".to_owned(),
                _ => format!("noise of the sessions {}", analysis.noise.words(timed())),
            };
            parts.push((noise, Some(CONDITIONS)));
        }
        let level = match answer {
            Some(answer) => answer.level.clone(),
            None => level_of_rankings(analysis),
        };
        parts.extend(level.map(|level| (level, None)));
        Self { parts }
    }

    /// The parts, each with the id of the part of the page that has the details.
    pub(crate) fn parts(&self) -> &[(String, Option<&'static str>)] {
        &self.parts
    }

    /// The line as plain text.
    pub fn text(&self) -> String {
        let parts: Vec<&str> = self.parts.iter().map(|(text, _)| text.as_str()).collect();
        format!("{}.", parts.join("; "))
    }

    /// The line as plain text, in lines of at most `width` characters.
    pub fn wrapped(&self, width: usize) -> String {
        wrapped(&self.text(), width).trim_end().to_owned()
    }
}

/// The level of the intervals of the ranking, which is the computed answer.
fn level_of_rankings(analysis: &Analysis<'_>) -> Option<String> {
    let numbering = first_numbering(analysis);
    let shown = analysis.rankings().iter().filter(|it| it.numbering == numbering);
    let pairs = shown.map(|it| it.comparison.pairs()).max()?;
    let together =
        if pairs > 1 { format!(", simultaneous for {pairs} pairs") } else { String::new() };
    Some(format!("95 % intervals{together}"))
}
