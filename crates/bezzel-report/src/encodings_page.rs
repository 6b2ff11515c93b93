//! The page of encodings beside the index of reports: all encoders of at most one and at most k, with their exact sizes.

use std::iter::successors;

use bezzel_encode::amk::Limit;
use bezzel_encode::registry::Registry;
use bezzel_encode::size::grouped;
use bezzel_encode::{AtMostOne, EncodingInfo, Size};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::json;

use crate::page::{SCRIPT_OF_ENCODINGS, head, policy_of, start, style_of_index};

/// The name of the page of encodings, beside the index of reports.
pub const FILE: &str = "encodings.html";
/// The largest numbers of literals that the page has for k = 1, and for larger k.
const MAX_LITERALS: [u64; 2] = [1_000, 128];
/// The number of literals that is shown first, and without the script.
const LITERALS: u64 = 100;
/// Numbers from here on are not whole in JavaScript.
const MAX_EXACT: u128 = 1 << 53;

/// An encoder, and the sizes as the script reads them.
struct Encoder {
    info: EncodingInfo,
    /// The document with its source, and the heading.
    document: String,
    /// The encoder of larger k; none if k is 1.
    of_bounds: Option<EncodingInfo>,
    first: Option<Size>,
    /// Variables and clauses for k = 1, 2 and so on, each from k + 1 literals on.
    sizes: Vec<[String; 2]>,
}

impl Encoder {
    fn new(encoding: &dyn AtMostOne, is_listed: bool) -> Self {
        let bounds = encoding.of_bounds();
        let of_bounds = bounds.map(bezzel_encode::AtMostK::about);
        let one = packed((2..=MAX_LITERALS[0]).map(|n| encoding.size(n)));
        let larger = bounds.into_iter().flat_map(|encoder| {
            let size = move |k| move |n| Limit::AtMost.size(encoder, n, k);
            (2..MAX_LITERALS[1]).map(move |k| packed((k + 1..=MAX_LITERALS[1]).map(size(k))))
        });
        let sizes = [one].into_iter().chain(larger).collect();
        let (info, first) = (encoding.info(), encoding.size(LITERALS));
        let of_listed = || format!("sources#{}", info.name());
        let document = if is_listed { of_listed() } else { "at-most-k#sources".to_owned() };
        Self { info, document, of_bounds, first, sizes }
    }
}

/// Both numbers of these sizes as differences in base 36, with the number of times that each occurs in a row. An unknown
/// number is a `?`.
fn packed(sizes: impl Iterator<Item = Option<Size>>) -> [String; 2] {
    let sizes: Vec<Option<Size>> = sizes.collect();
    [|size: Size| size.variables, |size: Size| size.clauses].map(|number| {
        let mut last = 0;
        let mut tokens: Vec<(String, u64)> = Vec::new();
        for size in &sizes {
            let exact = size.map(number).filter(|number| *number < MAX_EXACT);
            let token = exact.map_or("?".into(), |number| {
                let difference = number as i64 - std::mem::replace(&mut last, number as i64);
                let sign = if difference < 0 { "-" } else { "" };
                format!("{sign}{}", base_36(difference.unsigned_abs()))
            });
            match tokens.last_mut().filter(|(known, _)| *known == token) {
                Some((_, times)) => *times += 1,
                None => tokens.push((token, 1)),
            }
        }
        let times = |times| if times == 1 { String::new() } else { format!("*{}", base_36(times)) };
        let tokens = tokens.into_iter().map(|(token, number)| token + &times(number));
        tokens.collect::<Vec<_>>().join(",")
    })
}

fn base_36(number: u64) -> String {
    let digits = successors(Some(number), |rest| Some(rest / 36).filter(|rest| *rest > 0));
    let digits: Vec<char> =
        digits.filter_map(|rest| char::from_digit((rest % 36) as u32, 36)).collect();
    digits.into_iter().rev().collect()
}

/// The page.
pub(crate) fn page() -> String {
    let registry = Registry::standard();
    let listed = registry.at_most_ones().iter().map(|encoding| (encoding, true));
    let all = listed.chain(registry.unlisted().iter().map(|encoding| (encoding, false)));
    // An encoder of sums has the clauses of another one for a bound without weights; `native` has none.
    let all = all.filter(|(it, _)| it.of_sums().is_none() && !it.info().cardinality);
    let all: Vec<Encoder> = all.map(|(it, is_listed)| Encoder::new(&**it, is_listed)).collect();
    let sizes: Vec<_> = all.iter().map(|encoder| &encoder.sizes).collect();
    let style = style_of_index();
    let policy = policy_of(&style, SCRIPT_OF_ENCODINGS);
    html! {
        (DOCTYPE)
        html lang="en" {
            (head("Encodings", &style, &policy))
            body {
                div.layout.index {
                    header {
                        p.kicker { a href="index.html" { "Bezzel reports" } (start("../")) }
                        h1 { "Encodings of at most one and at most k" }
                    }
                    main {
                        p.lead {
                            "At most k of n literals are true. Variables are the auxiliary ones. The sizes are exact, and tests \
                             compare them with the clauses. Unit propagation is " em { "complete" } " if it finds every implied literal. "
                            "The assignment of the literals determines auxiliary variables that are " em { "defined" } "."
                        }
                        div.numbers hidden {
                            label { "n " input #n type="number" min="2" max=(MAX_LITERALS[0]) value=(LITERALS); }
                            label { "k " input #k type="number" min="1" max=(MAX_LITERALS[1] - 1) value="1"; }
                            label { "Encodings with " input.wide #words type="search" placeholder="any words"; }
                            output #found {}
                        }
                        p.notes #limit hidden {
                            "The page has sizes for k from 1 to n − 1: for n up to " (grouped(MAX_LITERALS[0].into()))
                            ", and for k above 1 up to " (MAX_LITERALS[1]) ". For larger n, " code {
                                "printf 'bezzel-encoder 1\\nat-most K N\\n' | bezzel encoder ID"
                            } " prints the clauses."
                        }
                        div.scroll tabindex="0" role="region" aria-label="Encodings" {
                            table.data.encodings {
                                thead { tr {
                                    th scope="col" { "Encoding" }
                                    @for head in ["Variables", "Clauses"] { th.number scope="col" { (head) } }
                                    @for head in ["Propagation", "Auxiliary", "Idea and source"] { th scope="col" { (head) } }
                                } }
                                tbody { @for encoder in &all { (row(encoder)) } }
                            }
                        }
                    }
                    footer {
                        code { "bezzel show ID --k K" } " prints the profile of one, and " code { "bezzel check ID" } " tests it."
                    }
                }
                script #sizes type="application/json" {
                    (PreEscaped(json!({"limits": MAX_LITERALS, "sizes": sizes}).to_string()))
                }
                script { (PreEscaped(SCRIPT_OF_ENCODINGS)) }
            }
        }
    }
    .into_string()
}

fn row(Encoder { info, document, of_bounds, first, .. }: &Encoder) -> Markup {
    let number =
        |number: fn(Size) -> u128| first.map_or("–".into(), |size| grouped(number(size)));
    html! {
        tr {
            // The site of the documents makes it a link.
            th scope="row" { a data-doc=(document) { (info.id) } }
            td.number { (number(|size| size.variables)) }
            td.number { (number(|size| size.clauses)) }
            td { (by_bound(info, of_bounds.as_ref(), |it| html! { (it.propagation) })) }
            td { (by_bound(info, of_bounds.as_ref(), |it| html! { (it.auxiliaries) })) }
            td.words {
                (by_bound(info, of_bounds.as_ref(), |it| html! {
                    b { (it.title) } " " (it.idea) " " span.missing { (it.citation) }
                }))
            }
        }
    }
}

/// A text on an encoder at k = 1, and at larger k if it differs. The script shows one of both.
fn by_bound(
    one: &EncodingInfo,
    larger: Option<&EncodingInfo>,
    text: impl Fn(&EncodingInfo) -> Markup,
) -> Markup {
    let (one, larger) = (text(one), larger.map(text));
    match larger.filter(|larger| larger.0 != one.0) {
        Some(larger) => html! {
            span data-k="1" { span.at { "k = 1: " } (one) }
            span data-k="2" { span.at { "; k > 1: " } (larger) }
        },
        None => one,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_packed_as_differences_with_their_repetitions() {
        let sizes = [Some((3, 40)), Some((5, 40)), Some((7, 3)), None, Some((7, 1 << 60))];
        let sizes = sizes.map(|size| size.map(|(one, two)| Size::new(one, two, 0)));
        assert_eq!(packed(sizes.into_iter()), ["3,2*2,?,0", "14,0,-11,?*2"]);
    }
}
