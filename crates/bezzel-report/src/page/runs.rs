//! The parts of the page that only the script can use, in an element that browsers do not show: the bar with the filter,
//! and the part in which runs are compared. The script moves them into the page and fills their lists.

use maud::{Markup, html};

use crate::comparison::Measure;
use crate::report::Report;

/// The element, for a report with rows.
pub(super) fn parts(report: &Report<'_>) -> Markup {
    let noun = report.noun;
    let [time, conflicts] = [Measure::Time, Measure::Conflicts].map(Measure::offset_words);
    html! {
        template id="parts" {
            details.bar {
                summary { "Filter and mark: " output {} }
                div.picks {}
                label { "Mark in all figures " select name="mark" {} }
                button.reset type="button" { "Reset" }
            }
            section id="runs" {
                h2 { "Runs compared" }
                p { "These numbers are computed from the rows of the report that the filter at the top of the page leaves." }
                div.choices {
                    label { "Measure " select name="measure" {} }
                    label { "Ratios to " select name="base" {} }
                }
                div.numbers {}
                p.notes.several { "A ratio is over " (noun) "s with one answer: choose an answer in the filter." }
                ul.notes {
                    li {
                        "Medians and quartiles count a run without an answer as longer than all others. Wrong answers enter \
                         no number. Values in the page have five significant digits."
                    }
                    li {
                        "The ratio is the geometric mean over families of the geometric means over their " (noun) "s of the \
                         ratios of medians, under one solver and one numbering. Before that " (time) " (times of solving) \
                         or " (conflicts) " are added to both medians. A " (noun) " is left out if an answer is unchecked, \
                         or if neither arm has an answer; ≥ and ≤ are bounds where one arm has none."
                    }
                    li { "The tables and figures of the report keep their numbers. The filter hides rows and series of them, and strikes out what it does not apply to." }
                }
                h3 { "Two arms" }
                div.choices {
                    label { "To the right " select name="x" {} }
                    label { "Upwards " select name="y" {} }
                }
                div.plotted {}
                p.notes {
                    "A mark is a " (noun) ": the medians over the runs of both arms. Arrow keys show the values of marks. A \
                     click or Enter shows the runs of the mark."
                }
                dialog aria-labelledby="runs-of" {
                    button.close type="button" { "Close" }
                    h2 id="runs-of" {}
                    p.about {}
                    div.drawn {}
                    p { a { "Open this board" } }
                    div.list {}
                    p.own { "The command of the run with the key " code {} ":" }
                    p.all { "No command repeats the single run with the key " code {} ". This one repeats all runs of the report that have an answer:" }
                    pre tabindex="0" {}
                }
            }
        }
    }
}
