//! The author's part of a report: hypothesis, answer, and the figures and tables to show. No plan depends on it.

use bezzel_problem::named;

use super::claim::{self, Claim, Primary};
use super::fields::{Fields, KeyRow, names};
use super::node::{Node, Value};
use super::passage::{Passage, paragraph, passage};
use super::placeholder::outside_placeholders;
use super::source::{ConfigError, Source};
use crate::model::quantity::counted;

/// The largest number of words of an answer. A placeholder counts as one word.
const MAX_WORDS: usize = 60;
/// The largest number of rows of the table of an answer.
const MAX_ROWS: usize = 8;
/// An item of the table of an answer, in messages.
const ITEM: &str = "an item of the table";

named! {
    /// The time at which a hypothesis was written.
    pub enum HypothesisTime {
        /// Before the evidence.
        Before = "before",
        /// After the evidence.
        After = "after",
    }
}

/// A hypothesis. Its outcome follows from its claims.
#[derive(Clone, Debug, PartialEq)]
pub struct Hypothesis {
    /// The hypothesis.
    pub text: String,
    /// The time at which it was written.
    pub written: HypothesisTime,
    /// The claims, each a list of those that hold together.
    pub claims: Vec<Vec<Claim>>,
    /// The reason of the outcome, with placeholders.
    pub because: Option<Passage>,
}

/// A part of an author's answer.
#[derive(Clone, Debug, PartialEq)]
pub enum AnswerPart {
    /// A text with placeholders for numbers.
    Text(Passage),
    /// Claims that hold together.
    Claims(Vec<Claim>),
    /// Claims that, if they hold together, answer the question with this word: yes or no.
    Word(&'static str, Vec<Claim>),
}

/// The words that answer a question, as keys of claims.
const WORDS: [&str; 2] = ["yes", "no"];

/// An author's answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReportAnswer {
    /// Claims, and at most sixty words of text around them.
    pub parts: Vec<AnswerPart>,
    /// The note below its table, with placeholders. It counts as a part of the sixty words.
    pub note: Option<Passage>,
    /// The headings of its table; empty if there is none.
    pub columns: Vec<String>,
    /// The rows of its table, each with a text for every column, with placeholders.
    pub rows: Vec<Vec<Passage>>,
}

impl ReportAnswer {
    /// The texts whose words are counted: those around the claims, and the note of the table.
    fn counted(&self) -> impl Iterator<Item = &Passage> {
        let texts = self.parts.iter().filter_map(|part| match part {
            AnswerPart::Text(text) => Some(text),
            AnswerPart::Claims(_) | AnswerPart::Word(..) => None,
        });
        texts.chain(&self.note)
    }

    /// All texts with placeholders: the texts, the note and the items of the table.
    pub fn passages(&self) -> impl Iterator<Item = &Passage> {
        self.counted().chain(self.rows.iter().flatten())
    }
}

/// An author's statements in a report, and the choice of its figures and tables.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReportSpec {
    /// The file that it is read from, for messages.
    pub source: Source,
    /// The comparison that decides.
    pub primary: Primary,
    /// The hypothesis.
    pub hypothesis: Option<Hypothesis>,
    /// The answer.
    pub answer: Option<ReportAnswer>,
    /// The id of the figure below the answer.
    pub lead_figure: Option<Passage>,
    /// The ids of the further figures; none if the record decides.
    pub figures: Option<Vec<Passage>>,
    /// The ids of the tables, the main table first; none for all tables.
    pub tables: Option<Vec<Passage>>,
}

impl ReportSpec {
    /// An error at a part of a passage, with its place in the file.
    pub fn error(&self, passage: &Passage, part: &str, message: impl AsRef<str>) -> ConfigError {
        match passage.place() {
            Some(place) => self.source.error(self.source.within(place, part), message),
            None => self.source.fault(message),
        }
    }
}

/// The keys of a [`ReportSpec`], in the file of a report and in the config of an experiment.
pub(super) const FIELDS: [KeyRow; 6] = [
    ("primary", "The comparison that decides, stated before the run (docs/answers.md).", ""),
    ("hypothesis", "The hypothesis of the report: a text, or a map with its claims.", ""),
    (
        "answer",
        "The answer of the report, written after the run: claims, which each report evaluates, with at most 60 words \
         of text around them (docs/answers.md).",
        "",
    ),
    ("lead_figure", "The id of the first figure of the report.", ""),
    ("figures", "The ids of the further figures of the report.", ""),
    ("tables", "The ids of the tables of the report, the main table first.", ""),
];

/// The names of the keys of a [`ReportSpec`].
pub(super) fn keys() -> Vec<&'static str> {
    names(&FIELDS).collect()
}

/// True for a key of a [`ReportSpec`].
pub(super) fn is_key(key: &str) -> bool {
    names(&FIELDS).any(|name| name == key)
}

/// The key of the table of an answer.
const TABLE: &str = "table";

/// Reads the keys of a [`ReportSpec`].
pub(super) fn read(source: &Source, fields: &Fields<'_>) -> Result<ReportSpec, ConfigError> {
    let ids = |key: &str| -> Result<Option<Vec<Passage>>, ConfigError> {
        let Some(nodes) = fields.list(key)? else { return Ok(None) };
        nodes
            .iter()
            .map(|node| passage(source, node, &format!("an id of `{key}`")))
            .collect::<Result<_, _>>()
            .map(Some)
    };
    let lead = fields.get("lead_figure");
    let primary = fields.get("primary").map(|node| claim::primary(source, node));
    Ok(ReportSpec {
        source: source.clone(),
        primary: primary.transpose()?.unwrap_or_default(),
        hypothesis: fields.get("hypothesis").map(|node| hypothesis(source, node)).transpose()?,
        answer: fields.get("answer").map(|node| answer(source, node)).transpose()?,
        lead_figure: lead.map(|node| passage(source, node, "`lead_figure`")).transpose()?,
        figures: ids("figures")?,
        tables: ids("tables")?,
    })
}

fn hypothesis(source: &Source, node: &Node) -> Result<Hypothesis, ConfigError> {
    let Value::Map(_) = node.value else {
        let text = paragraph(source, node, "`hypothesis`")?;
        return Ok(Hypothesis {
            text,
            written: HypothesisTime::Before,
            claims: Vec::new(),
            because: None,
        });
    };
    let fields =
        Fields::new(source, node, "a hypothesis", &["text", "written", "claims", "because"])?;
    let because = fields.get("because").map(|node| passage(source, node, "`because`"));
    let claims = fields.list("claims")?.unwrap_or_default().iter();
    let claims = claims.map(|node| claim::joint(source, node));
    Ok(Hypothesis {
        text: paragraph(
            source,
            fields.need("text", "text: the fastest is the smallest")?,
            "`text`",
        )?,
        written: fields
            .choice("written", &HypothesisTime::ALL.map(|written| (written.id(), written)))?
            .unwrap_or(HypothesisTime::Before),
        claims: claims.collect::<Result<_, _>>()?,
        because: because.transpose()?,
    })
}

fn answer(source: &Source, node: &Node) -> Result<ReportAnswer, ConfigError> {
    if matches!(node.value, Value::Map(_)) {
        let error = source.error(node.place, "`answer` must be text or a list, not a map");
        return Err(error.hint("its items are texts, claims and at most one `{table: …}`"));
    }
    let mut answer = ReportAnswer::default();
    for item in node.one_or_more() {
        let word = WORDS.into_iter().find(|word| item.entry(word).is_some());
        if let Some(word) = word {
            let fields = Fields::new(source, item, "an item of an answer", &[word])?;
            let claims = claim::joint(source, fields.need(word, "yes: {below: [1, 2]}")?)?;
            answer.parts.push(AnswerPart::Word(word, claims));
        } else if item.entry(TABLE).is_some() {
            let fields = Fields::new(source, item, "an item of an answer", &[TABLE])?;
            if !answer.rows.is_empty() {
                return Err(source.error(item.place, "the answer has a second table"));
            }
            read_table(source, fields.need(TABLE, "table: {…}")?, &mut answer)?;
        } else if matches!(item.value, Value::Map(_)) {
            answer.parts.push(AnswerPart::Claims(claim::joint(source, item)?));
        } else {
            answer.parts.push(AnswerPart::Text(passage(source, item, "`answer`")?));
        }
    }
    at_most(source, node, answer.counted().map(|text| words(text)).sum())?;
    Ok(answer)
}

/// Reads the table of an answer.
fn read_table(source: &Source, table: &Node, answer: &mut ReportAnswer) -> Result<(), ConfigError> {
    let fields =
        Fields::new(source, table, "the table of an answer", &["note", "columns", "rows"])?;
    let note = fields.get("note").map(|node| passage(source, node, "`note`")).transpose()?;
    fields.need("columns", "columns: [Encoding, Ratio]")?;
    let heads = fields.list("columns")?.unwrap_or_default().iter();
    let columns = heads.map(|node| paragraph(source, node, ITEM)).collect::<Result<Vec<_>, _>>()?;
    let rows = fields.need("rows", "rows: [[binary, \"{ranking | binary | Ratio}\"]]")?;
    let Value::List(listed) = &rows.value else {
        let message = format!("`rows` must be a list of lists, not {}", rows.value.kind());
        return Err(source.error(rows.place, message));
    };
    if listed.is_empty() || listed.len() > MAX_ROWS {
        let message = format!("the table has {} rows, and may have 1 to {MAX_ROWS}", listed.len());
        return Err(source.error(rows.place, message));
    }
    let row = |node: &Node| {
        let items = node.one_or_more().iter().map(|node| passage(source, node, ITEM));
        let row = items.collect::<Result<Vec<_>, _>>()?;
        if row.len() == columns.len() {
            return Ok(row);
        }
        let message = format!(
            "the row has {} for {}",
            counted(row.len(), "item"),
            counted(columns.len(), "column")
        );
        Err(source.error(node.place, message))
    };
    answer.rows = listed.iter().map(row).collect::<Result<_, _>>()?;
    (answer.note, answer.columns) = (note, columns);
    Ok(())
}

/// Refuses an answer with more than [`MAX_WORDS`] words, those of the note of its table included.
fn at_most(source: &Source, node: &Node, words: usize) -> Result<(), ConfigError> {
    if words <= MAX_WORDS {
        return Ok(());
    }
    let message = format!("the answer has {words} words, and may have {MAX_WORDS}");
    let hint = "a placeholder counts as one word, and so does each word of the table's note";
    Err(source.error(node.place, message).hint(hint))
}

/// The number of words in a text. A placeholder counts as one word.
fn words(text: &str) -> usize {
    outside_placeholders(text).collect::<Vec<_>>().join("x").split_whitespace().count()
}

#[cfg(test)]
mod tests {
    use super::super::{node, typed_number};
    use super::*;

    fn parse(text: &str) -> Result<ReportSpec, ConfigError> {
        let source = Source::new("r.yaml", text);
        let root = node::parse(&source, 0)?;
        let fields = Fields::of_file(&source, &root, "the report", &keys())?;
        let spec = read(&source, &fields)?;
        typed_number::refuse(&spec, fields.entries()).map(|()| spec)
    }

    #[test]
    fn a_text_alone_is_a_hypothesis_from_before_and_an_answer_without_a_table() {
        let spec =
            parse("hypothesis: a\nanswer: >-\n  b {t | r | c}\n  d\nfigures: times").unwrap();
        let hypothesis = spec.hypothesis.unwrap();
        assert_eq!((hypothesis.text.as_str(), hypothesis.written), ("a", HypothesisTime::Before));
        assert_eq!(spec.answer.unwrap().parts, [AnswerPart::Text("b {t | r | c} d".into())]);
        assert_eq!((spec.figures, spec.tables), (Some(vec!["times".into()]), None));
    }

    #[test]
    fn claims_of_an_answer_may_have_the_word_that_they_decide() {
        let of = |text: &str| parse(text).map(|spec| spec.answer.unwrap().parts);
        let parts =
            of("answer: [{yes: {takes_less: [a, b]}}, {no: {all: [{equivalent: [a, b]}]}}]");
        let words = parts.unwrap().into_iter().map(|part| match part {
            AnswerPart::Word(word, claims) => (word, claims.len()),
            part => panic!("{part:?}"),
        });
        assert_eq!(words.collect::<Vec<_>>(), [("yes", 1), ("no", 1)]);
        assert!(of("answer: [{yes: {takes_less: [a, b]}, no: {takes_more: [a, b]}}]").is_err());
        assert!(of("answer: [{yes: a}]").is_err());
    }

    #[test]
    fn an_answer_has_at_most_sixty_words_of_which_a_placeholder_is_one() {
        assert_eq!(words("a {t | row one | c} times, {x}-fold"), 4);
        let long = |words: usize| format!("answer: {}", vec!["w"; words].join(" "));
        assert!(parse(&long(MAX_WORDS)).is_ok());
    }

    #[test]
    fn an_answer_may_have_a_number_of_the_hypothesis_and_a_table() {
        let typed = "answer: It takes 1.73 times as long.";
        assert!(parse(typed).is_err());
        assert!(parse(&format!("{typed}\nhypothesis: It takes 1.73 times as long.")).is_ok());
        let table =
            "answer: [a, {table: {note: \"b {c}\", columns: [A, B], rows: [[a, \"{b}\"]]}}]";
        let answer = parse(table).unwrap().answer.unwrap();
        assert_eq!(answer.rows, [["a", "{b}"].map(Passage::from)]);
        assert_eq!(answer.note, Some(Passage::from("b {c}")));
    }
}
