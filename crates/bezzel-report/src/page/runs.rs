//! The parts of the page that only the script can use, in an element that browsers do not show: the bar with the
//! filter, and the part in which runs are compared. The script moves them into the page and fills their lists.

use maud::{Markup, html};

use crate::comparison::Measure;
use crate::report::Report;

/// The element, for a report with rows.
pub(super) fn parts(report: &Report<'_>) -> Markup {
    let [time, conflicts] = [Measure::Time, Measure::Conflicts].map(Measure::offset_words);
    html! {
        template id="parts" {
            li.entry { a href="#runs" { "Runs compared" } }
            p.ribbon { output {} button.reset type="button" { "Clear" } a href="#filter" { "Filter" } }
            details.bar #filter {
                summary { "Filter and mark" }
                div.switch {}
                div.picks {}
                label { "Mark in figures of encodings " select name="mark" {} }
                button.reset type="button" { "Reset" }
            }
            section id="runs" {
                h2 { "Runs compared" }
                p {
                    "These numbers are computed from the runs that the filter leaves. The filter is at the top of the page. \
                     An arm is an encoding, a solver and a numbering."
                }
                div.choices {
                    div.switch {}
                    label { "Measure " select name="measure" {} }
                    label { "Ratios to " select name="base" {} }
                }
                p.notes.several {}
                div.numbers {}
                details #every { summary.more { "List of runs" } }
                ul.notes {
                    li {
                        "Medians and quartiles count a run without an answer as longer than all others. Wrong answers enter \
                         no number. The page has values with five significant digits, and shows three."
                    }
                    li {
                        "A ratio compares two arms under one solver and one numbering. On each instance it is the ratio of \
                         their medians. The ratio of a family is the geometric mean over its instances; the ratio that is \
                         shown is the geometric mean over the families. Before all ratios " (time) " (times of solving) \
                         or " (conflicts) " are added to both medians. The ratio leaves out each instance with an unchecked \
                         answer, and each on which neither arm has an answer. If one arm has none, the ratio is a bound, \
                         with ≥ or ≤. The base counts also if the filter leaves it out."
                    }
                    li { "The filter changes no number in other tables and figures. It hides their rows and series. A note is below each number over hidden runs." }
                }
                h3 { "Scatter of two arms" }
                div.choices {
                    label { "Horizontal axis " select name="x" {} }
                    label { "Vertical axis " select name="y" {} }
                }
                div.plotted {}
                p.notes {
                    "Each mark is one instance: the medians over the runs of both arms. Arrow keys show the values of \
                     marks. Here and in other figures, a click on a mark that shows its values lists its runs. In a \
                     focused figure, Enter does so too. The filter leaves out instances, and not the chosen arms."
                }
                @if report.rows.as_ref().is_some_and(|rows| rows.contains("(#")) {
                    p.notes {
                        "In names of instances, # and six digits are the beginning of a digest of the content. They \
                         distinguish instances of the same size."
                    }
                }
                dialog aria-labelledby="runs-of" {
                    button.close type="button" { "Close" }
                    h2 id="runs-of" {}
                    p.about {}
                    p.to {
                        a { "Open this instance" }
                        span.unserved { "Open this report with bezzel serve to get a link to the page of the instance." }
                        span.large { "The page of such instances does not accept this one." }
                    }
                    p { "The command of the run with the key " code {} ":" }
                    pre tabindex="0" {}
                    div.list {}
                }
            }
        }
    }
}
