//! The page of all sizes: every encoding on one line and on boards, side by side.

use bezzel_encode::Size;
use bezzel_encode::verdict::{Dossier, SHOWN, SIDES};
use bezzel_lab::quantity::grouped;

use super::page::Page;

pub(super) fn page(dossiers: &[Dossier], link: impl Fn(&Dossier) -> String) -> Page {
    let mut page = Page::default();
    page.title("Sizes");
    page.paragraph(
        "Variables / clauses / literals, as counted; tests compare them with each encoding's closed \
         form. On one line only auxiliary variables count; boards have rows and columns that hold \
         exactly one queen, and diagonals that hold at most one.",
    );
    page.heading("At most one of n");
    let lines = dossiers.iter().filter_map(|dossier| {
        let [at_most_one, _] = &dossier.line.as_ref()?.forms;
        Some(row(link(dossier), &at_most_one.sizes))
    });
    table(&mut page, &SHOWN.map(|n| format!("n = {n}")), lines.collect());
    page.heading("Boards of side N");
    let boards = dossiers.iter().map(|dossier| row(link(dossier), &dossier.sizes));
    table(&mut page, &SIDES.map(|side| format!("N = {side}")), boards.collect());
    page
}

fn table(page: &mut Page, columns: &[String], rows: Vec<Vec<String>>) {
    let head: Vec<&str> = std::iter::once("id").chain(columns.iter().map(|name| &**name)).collect();
    page.table(&head, rows);
}

fn row<N>(link: String, sizes: &[(N, Size)]) -> Vec<String> {
    let cells = sizes.iter().map(|(_, Size { variables, clauses, literals })| {
        [variables, clauses, literals].map(|&number| grouped(number)).join(" / ")
    });
    std::iter::once(link).chain(cells).collect()
}
