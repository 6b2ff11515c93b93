//! Text for LaTeX: it contains no command, and every character has a glyph in pdfLaTeX's own fonts.

use std::fmt::Write;

use crate::escape::plain;

/// The spelling of characters that are not ASCII, or that have a meaning in LaTeX.
const SPELLED: &[(char, &str)] = &[
    ('\\', "\\textbackslash{}"),
    ('{', "\\{"),
    ('}', "\\}"),
    ('#', "\\#"),
    ('$', "\\$"),
    ('%', "\\%"),
    ('&', "\\&"),
    ('_', "\\_"),
    ('~', "\\textasciitilde{}"),
    ('^', "\\textasciicircum{}"),
    // Its glyph is another one in the oldest encoding of fonts. The same holds for the next three.
    ('"', "{\\ttfamily\\char34}"),
    ('<', "\\ensuremath{<}"),
    ('>', "\\ensuremath{>}"),
    ('|', "\\ensuremath{|}"),
    ('`', "\\`{}"),
    ('\u{a0}', "~"),
    ('°', "\\ensuremath{^\\circ}"),
    ('±', "\\ensuremath{\\pm}"),
    ('·', "\\ensuremath{\\cdot}"),
    ('×', "\\ensuremath{\\times}"),
    ('÷', "\\ensuremath{\\div}"),
    ('¬', "\\ensuremath{\\neg}"),
    ('µ', "\\ensuremath{\\mu}"),
    ('§', "\\S{}"),
    ('−', "\\ensuremath{-}"),
    ('∞', "\\ensuremath{\\infty}"),
    ('≤', "\\ensuremath{\\le}"),
    ('≥', "\\ensuremath{\\ge}"),
    ('≠', "\\ensuremath{\\ne}"),
    ('≈', "\\ensuremath{\\approx}"),
    ('√', "\\ensuremath{\\surd}"),
    ('∑', "\\ensuremath{\\sum}"),
    ('∨', "\\ensuremath{\\vee}"),
    ('∧', "\\ensuremath{\\wedge}"),
    ('⊕', "\\ensuremath{\\oplus}"),
    ('→', "\\ensuremath{\\to}"),
    ('←', "\\ensuremath{\\gets}"),
    ('↔', "\\ensuremath{\\leftrightarrow}"),
    ('⌈', "\\ensuremath{\\lceil}"),
    ('⌉', "\\ensuremath{\\rceil}"),
    ('⌊', "\\ensuremath{\\lfloor}"),
    ('⌋', "\\ensuremath{\\rfloor}"),
    ('–', "--"),
    ('—', "---"),
    ('…', "\\dots{}"),
    ('‘', "\\textquoteleft{}"),
    ('’', "\\textquoteright{}"),
    ('“', "\\textquotedblleft{}"),
    ('”', "\\textquotedblright{}"),
    ('ß', "\\ss{}"),
    ('ł', "\\l{}"),
    ('Ł', "\\L{}"),
    ('ø', "\\o{}"),
    ('Ø', "\\O{}"),
    ('å', "\\aa{}"),
    ('Å', "\\AA{}"),
    ('æ', "\\ae{}"),
    ('Æ', "\\AE{}"),
];

const GREEK: &str = "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ";
const GREEK_NAMES: [&str; 33] = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
    "lambda", "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi",
    "omega", "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega",
];

/// Digits and signs above and below the line, in the order of `0123456789+-()n`.
const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ";
const LOWERED: &str = "₀₁₂₃₄₅₆₇₈₉₊₋₍₎ₙ";
const LEVEL: &str = "0123456789+-()n";

/// Accents: the command and pairs of an accented letter and the bare one.
const ACCENTS: &[(char, &str)] = &[
    ('\'', "áaéeíióoúuýyÁAÉEÍIÓOÚUÝYćcńnśsźzĆCŃNŚSŹZ"),
    ('`', "àaèeìiòoùuÀAÈEÌIÒOÙU"),
    ('^', "âaêeîiôoûuÂAÊEÎIÔOÛU"),
    ('"', "äaëeïiöoüuÿyÄAËEÏIÖOÜU"),
    ('~', "ãañnõoÃAÑNÕO"),
    ('v', "čcďděeňnřršsťtžzČCĎDĚEŇNŘRŠSŤTŽZ"),
    ('H', "őoűuŐOŰU"),
    ('c', "çcşsÇCŞS"),
    ('.', "żzŻZ"),
];

/// Text for LaTeX, in a paragraph, a caption or a cell of a table, in ASCII. An unknown character becomes its number,
/// as in `U+7687`.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    let mut last = ' ';
    for letter in plain(text).chars() {
        // LaTeX would draw two of these as one other sign.
        if letter == last && matches!(letter, '-' | ',' | '\'') {
            escaped.push_str("{}");
        }
        last = letter;
        match spelled(letter) {
            Some(spelled) => escaped.push_str(&spelled),
            None if letter == ' ' || letter.is_ascii_graphic() => escaped.push(letter),
            // Writing to a string cannot fail.
            None => drop(write!(escaped, "{{\\ttfamily U+{:04X}}}", u32::from(letter))),
        }
    }
    escaped
}

fn spelled(letter: char) -> Option<String> {
    // Most letters need no search.
    if letter.is_ascii_alphanumeric() || letter == ' ' {
        return None;
    }
    if let Some((_, spelled)) = SPELLED.iter().find(|(known, _)| *known == letter) {
        return Some((*spelled).to_owned());
    }
    if letter.is_ascii() {
        return None;
    }
    if let Some(place) = GREEK.chars().position(|known| known == letter) {
        return Some(format!("\\ensuremath{{\\{}}}", GREEK_NAMES[place]));
    }
    for (shifted, sign) in [(RAISED, '^'), (LOWERED, '_')] {
        if let Some(place) = shifted.chars().position(|known| known == letter) {
            let level = LEVEL.chars().nth(place)?;
            return Some(format!("\\ensuremath{{{sign}{{{level}}}}}"));
        }
    }
    for (accent, pairs) in ACCENTS {
        let mut pairs = pairs.chars();
        while let (Some(accented), Some(bare)) = (pairs.next(), pairs.next()) {
            if accented == letter {
                let bare = if bare == 'i' { "\\i".into() } else { bare.to_string() };
                return Some(format!("\\{accent}{{{bare}}}"));
            }
        }
    }
    None
}

/// The text as a line that LaTeX ignores. Characters that are not ASCII are removed.
pub(super) fn comment(text: &str) -> String {
    let ascii = |letter: char| if letter.is_ascii() { letter } else { '?' };
    format!("% {}\n", plain(text).chars().map(ascii).collect::<String>().trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_escaped_text_is_a_command_or_beyond_ascii() {
        assert_eq!(escaped("50% of_a&b #1 {x} $"), "50\\% of\\_a\\&b \\#1 \\{x\\} \\$");
        assert_eq!(escaped("\\end{x}"), "\\textbackslash{}end\\{x\\}");
        assert_eq!(escaped("~^"), "\\textasciitilde{}\\textasciicircum{}");
        assert_eq!(escaped("11N² − 18N"), "11N\\ensuremath{^{2}} \\ensuremath{-} 18N");
        assert_eq!(
            escaped("ψ₁ × ⌈n⌉"),
            "\\ensuremath{\\psi}\\ensuremath{_{1}} \\ensuremath{\\times} \\ensuremath{\\lceil}n\\ensuremath{\\rceil}"
        );
        assert_eq!(escaped("Erdős, naïve"), "Erd\\H{o}s, na\\\"{\\i}ve");
        assert_eq!(escaped("--plan"), "-{}-plan");
        assert_eq!(escaped("皇\u{202e}"), "{\\ttfamily U+7687}{\\ttfamily U+FFFD}");
        let all: String = ('\u{0}'..'\u{3000}').collect();
        assert!(escaped(&all).is_ascii());
    }

    #[test]
    fn every_greek_letter_has_its_name() {
        assert_eq!(GREEK.chars().count(), GREEK_NAMES.len());
        assert_eq!(spelled('Ω').as_deref(), Some("\\ensuremath{\\Omega}"));
        assert_eq!(spelled('π').as_deref(), Some("\\ensuremath{\\pi}"));
        assert_eq!([RAISED, LOWERED, LEVEL].map(|signs| signs.chars().count()), [15; 3]);
    }

    #[test]
    fn a_comment_is_one_line() {
        assert_eq!(comment("a\nb × c  "), "% a b ? c\n");
    }
}
