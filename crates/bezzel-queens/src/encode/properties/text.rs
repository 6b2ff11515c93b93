//! The profile of an encoding as text for a terminal: titles, paragraphs, tables and drawings.

use std::fmt::Write;

use bezzel_encode::formula_stats::Section;
use bezzel_encode::properties::{Correct, FormProfile, LineProfile, ModelCounts, PropertyFinding};
use bezzel_encode::size::grouped;
use bezzel_encode::{Auxiliaries, Size};
use bezzel_problem::layout::{table, wrapped};

use super::profile::Profile;

impl Profile {
    /// The profile as text for a terminal.
    pub fn text(&self) -> String {
        page(self).finish()
    }
}

fn page(profile: &Profile) -> Page {
    let Profile { info, .. } = profile;
    let mut page = Page::default();
    essentials(profile, &mut page);
    if !info.idea.is_empty() {
        page.paragraph(&info.idea);
    }
    let aliases = match &info.aliases[..] {
        [] => String::new(),
        aliases => format!(" Also named {}.", aliases.join(", ")),
    };
    page.paragraph(format!("Source: {}. Revision {}.{aliases}", info.citation, info.revision));
    if !info.constraints.is_empty() {
        page.paragraph(format!("On boards: {}.", info.constraints));
    }
    if !profile.same.is_empty() {
        page.paragraph(format!("Same as: {}.", profile.same.join(", ")));
    }
    sizes(profile, &mut page);
    correct(profile, &mut page);
    if profile.line.is_some() || profile.board.is_some() {
        propagation(profile, &mut page);
        auxiliaries(profile, &mut page);
    }
    page
}

/// The name, the size and the three verdicts, a line each.
fn essentials(profile: &Profile, page: &mut Page) {
    let Profile { info, line, board, sizes, .. } = profile;
    let is_named = info.title != info.id && !info.title.is_empty();
    let title = if is_named { format!(": {}", info.title) } else { String::new() };
    let form = line.as_ref().map(|line| &line.forms[0]);
    let of_line = form.and_then(|form| form.sizes.last()).map(|(n, size)| {
        let (clauses, variables) = (grouped(size.clauses), grouped(size.variables));
        format!("{n} inputs: {clauses} clauses, {variables} variables more")
    });
    let of_board =
        |(side, size): &(u32, Size)| format!("{side} × {side}: {} clauses", grouped(size.clauses));
    let on_line = form.map(|form| {
        let propagation = if form.gap.is_none() { "complete" } else { "incomplete" };
        [propagation, word(form.auxiliaries)].map(|verdict| format!("{verdict} on one line"))
    });
    let on_board = board.as_ref().map(|board| {
        let propagation = format!("{} after one queen", board.one_queen);
        [propagation, format!("{} on boards", word(board.auxiliaries))]
    });
    let [propagation, auxiliaries] =
        [0, 1].map(|at| [&on_line, &on_board].map(|on| on.as_ref().map(|on| on[at].clone())));
    let is_correct = if profile.is_right() { profile.verdict("yes") } else { "NO".to_owned() };
    page.line(format_args!("{}{title}", info.id));
    for (name, parts) in [
        ("size", [of_line, sizes.first().map(of_board)]),
        ("correct", [Some(is_correct), None]),
        ("propagation", propagation),
        ("auxiliary", auxiliaries),
    ] {
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let text = if parts.is_empty() { "not known".to_owned() } else { parts.join("; ") };
        page.line(format_args!("{name:<11}  {text}"));
    }
    page.line(format_args!(""));
}

fn row(name: impl Into<String>, cells: impl IntoIterator<Item = String>) -> Vec<String> {
    std::iter::once(name.into()).chain(cells).collect()
}

fn numbers(size: Size) -> [String; 3] {
    [size.variables, size.clauses, size.literals].map(grouped)
}

fn sizes(profile: &Profile, page: &mut Page) {
    page.heading("Size");
    let table = |page: &mut Page, place: &str, head: &[&str], rows: Vec<Vec<String>>| {
        if rows.is_empty() {
            page.paragraph(format!("The sizes on {place} are not known."));
        } else {
            page.table(head, rows);
        }
    };
    if let Some(LineProfile { forms, .. }) = &profile.line {
        let mut rows = Vec::new();
        for FormProfile { form, sizes, .. } in forms {
            let sizes = sizes.iter();
            rows.extend(sizes.map(|&(n, size)| row(format!("{form} of {n}"), numbers(size))));
        }
        let head = ["one line", "auxiliary variables", "clauses", "literals"];
        table(page, "one line", &head, rows);
    }
    let sizes = profile.sizes.iter();
    let rows = sizes.map(|&(side, size)| row(format!("{side} × {side}"), numbers(size)));
    table(page, "boards", &["board", "variables", "clauses", "literals"], rows.collect());
    if let Some(sections) = &profile.sections {
        let mut rows: Vec<Vec<String>> = sections
            .sections
            .iter()
            .map(|section| row(section.name.clone(), numbers(section.size())))
            .collect();
        let total = sections.sections.iter().map(Section::size).sum();
        rows.push(row("all", numbers(total)));
        let head = format!("sections of {}", sections.board);
        page.table(&[&head, "variables", "clauses", "literals"], rows);
    }
}

fn correct(profile: &Profile, page: &mut Page) {
    page.heading("Correct");
    let verdict = |page: &mut Page, correct: &Correct, exhaustive: String, sampled: String| {
        if let Some(wrong) = &correct.wrong {
            return finding(page, "NO", wrong);
        }
        let undecided = match correct.undecided {
            0 => String::new(),
            undecided => format!(" Of these the search gave up {undecided}."),
        };
        let larger = grouped(correct.sampled.into());
        page.paragraph(format!("{exhaustive}; {larger} larger {sampled}.{undecided}"));
    };
    if let Some(line) = &profile.line {
        let max = line.correct.exhaustive;
        verdict(
            page,
            &line.correct,
            format!(
                "On one line: yes. Every assignment of up to {max} inputs, as at most one and as exactly one"
            ),
            format!("ones, right and wrong, of up to {} inputs", line.correct.largest),
        );
    }
    match &profile.board {
        Some(board) => verdict(
            page,
            &board.correct,
            format!(
                "On boards: yes. Every model on boards to side {}, on a torus and for rooks",
                board.correct.exhaustive
            ),
            format!("placements, right and wrong, on boards to side {}", board.correct.largest),
        ),
        None => page.paragraph("It takes no ordinary board, so no board was tried."),
    }
}

/// A finding and its drawing.
fn finding(page: &mut Page, word: &str, PropertyFinding { what, drawing }: &PropertyFinding) {
    page.paragraph(format!("{word}: {what}."));
    page.drawing(drawing);
}

fn propagation(profile: &Profile, page: &mut Page) {
    page.heading("Unit propagation");
    for form in profile.line.iter().flat_map(|line| &line.forms) {
        let FormProfile { form, tried, gap, .. } = form;
        match gap {
            None => page.paragraph(format!(
                "One line, {form}: complete (arc-consistent, GAC). After every partial assignment \
                 of up to {tried} inputs it finds every implied literal and every conflict."
            )),
            Some(gap) => finding(page, "One line: incomplete", gap),
        }
    }
    let Some(board) = &profile.board else { return };
    let declared = profile.info.propagation;
    let kept = match () {
        () if board.one_queen == declared => "as declared",
        () if profile.info.bounds && board.one_queen < declared => "stronger than declared",
        () => "WEAKER than declared",
    };
    page.paragraph(format!(
        "One queen, one attacked square, at side 8: {}, {kept}.",
        board.one_queen
    ));
}

/// The verdict on auxiliary variables, in a word.
fn word(auxiliaries: Auxiliaries) -> &'static str {
    match auxiliaries {
        Auxiliaries::None => "none",
        Auxiliaries::Defined => "determined",
        Auxiliaries::Free => "free",
    }
}

fn auxiliaries(profile: &Profile, page: &mut Page) {
    page.heading("Auxiliary variables");
    let mut verdicts = Vec::new();
    if let Some(line) = &profile.line {
        // Groups of more inputs than were tried have their variables beyond the tried sizes.
        verdicts.extend(line.forms.iter().map(|form| {
            let FormProfile { form, tried, auxiliaries, .. } = form;
            format!("{form} of up to {tried} inputs: {}", word(*auxiliaries))
        }));
    }
    if let Some(board) = &profile.board {
        let side = board.models.iter().map(|count| count.n).max().unwrap_or_default();
        verdicts.push(format!("on boards to side {side}: {}", word(board.auxiliaries)));
    }
    let verdicts = verdicts.join("; ");
    let mut text = verdicts[..verdicts.len().min(1)].to_uppercase();
    text += verdicts.get(1..).unwrap_or_default();
    page.paragraph(format!("{text}. Models for each solution:"));
    if let Some(line) = &profile.line {
        let head: Vec<String> = std::iter::once("one line, n =".into())
            .chain(line.forms[0].models.iter().map(|count| count.n.to_string()))
            .collect();
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        let rows = line.forms.iter().map(|form| {
            let shown = form.models.iter().map(|count| of_solutions(*count));
            row(format!("models of {}", form.form), shown)
        });
        page.table(&head, rows.collect());
    }
    if let Some(board) = &profile.board {
        let rows = board.models.iter().map(|count| {
            let per =
                count.models.map_or("–".into(), |models| per_solution(models, count.solutions));
            row(
                format!("side {}", count.n),
                [
                    count.auxiliary.to_string(),
                    count.solutions.to_string(),
                    count.models.map_or("not counted".into(), grouped),
                    per,
                ],
            )
        });
        let head = ["board", "auxiliary variables", "solutions", "models", "models per solution"];
        page.table(&head, rows.collect());
    }
}

/// The number of models and of solutions, as in `14 of 8`.
fn of_solutions(count: ModelCounts) -> String {
    match count.models {
        Some(models) => format!("{} of {}", grouped(models), count.solutions),
        None => "not counted".into(),
    }
}

fn per_solution(models: u128, solutions: u64) -> String {
    let solutions = u128::from(solutions.max(1));
    let (whole, rest) = (models / solutions, models % solutions);
    if rest == 0 || whole >= 1000 {
        grouped(whole)
    } else {
        format!("{}.{}", grouped(whole), rest * 10 / solutions)
    }
}

/// The page, from the top.
#[derive(Default)]
pub(super) struct Page(String);

impl Page {
    pub(super) fn heading(&mut self, text: &str) {
        self.line(format_args!("{text}\n{}\n", "-".repeat(text.chars().count())));
    }

    pub(super) fn paragraph(&mut self, text: impl AsRef<str>) {
        self.0 += &wrapped(text.as_ref(), 0);
        self.0 += "\n\n";
    }

    /// A row of heads, and rows of cells; cells after the first are aligned to the right.
    pub(super) fn table(&mut self, head: &[&str], rows: Vec<Vec<String>>) {
        let head = head.iter().map(ToString::to_string).collect();
        let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
        for line in table(&rows, |at| at > 0) {
            self.line(format_args!("  {line}"));
        }
        self.0.push('\n');
    }

    /// Lines whose characters are aligned.
    pub(super) fn drawing(&mut self, lines: &str) {
        for line in lines.lines() {
            self.line(format_args!("    {line}"));
        }
        if !lines.is_empty() {
            self.0.push('\n');
        }
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.0, "{line}").expect("a string takes all text");
    }

    /// The text, its last line ended.
    pub(super) fn finish(self) -> String {
        self.0.trim_end().to_owned() + "\n"
    }
}
