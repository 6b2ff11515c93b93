//! Faults of YAML in plain words, each with its correction. The words of the parser name parts of its grammar.

use serde_yaml::granit_parser::ErrorKind as Kind;

const COLUMNS: &str = "the keys of a map begin in the same column, and so do the `-` of a list; what belongs to a key is \
                       indented further than the key";
const QUOTES: &str = "put text with special characters into single quotes";

/// The fault and its correction.
pub(super) fn in_words(kind: &Kind) -> (String, &'static str) {
    let (fault, correction) = match kind {
        Kind::ExpectedBlockMappingKey | Kind::InvalidIndentation => {
            ("this line does not fit the indentation of the lines above", COLUMNS)
        }
        Kind::MappingValueNotAllowed | Kind::MappingKeyNotAllowed => (
            "a key and its value cannot stand here",
            "check the indentation; text that holds `: ` needs quotes",
        ),
        Kind::ExpectedBlockSequenceEntry
        | Kind::BlockSequenceEntryNotAllowed
        | Kind::InvalidBlockEntryWhitespace => (
            "an item of a list must begin here",
            "each item begins with `- `, in the same column; text that begins with `-` needs quotes",
        ),
        Kind::BlockEntryInFlowCollection | Kind::PlainScalarStartsWithDashFlowIndicator => (
            "`-` cannot begin an item within brackets",
            "write `[a, b]`, or one item on each line after `- `",
        ),
        Kind::SimpleKeyExpected | Kind::InvalidSimpleKey => {
            ("this key has no colon on its line", "write `key: value`")
        }
        Kind::InvalidMappingValueWhitespace
        | Kind::InvalidColonPlacement
        | Kind::FlowMappingValueAdjacentCollection => (
            "a colon cannot stand here",
            "close the brackets before it; a blank follows the colon after a key; text with a colon needs quotes",
        ),
        Kind::ExpectedFlowMappingSeparator => {
            ("`,` or `}` must stand here", "commas separate the entries between braces")
        }
        Kind::ExpectedFlowSequenceSeparator => {
            ("`,` or `]` must stand here", "commas separate the items between brackets")
        }
        Kind::MismatchedFlowCollectionEnd { open, close } => {
            let fault = format!("`{open}` is closed by `{close}`");
            return (fault, "close each bracket by its own kind");
        }
        Kind::MisplacedFlowCollectionEnd => {
            ("this bracket closes none", "remove it, or open one before it")
        }
        Kind::UnclosedFlowCollection { open } => {
            return (format!("`{open}` is not closed"), "close it, or check what stands inside");
        }
        Kind::InvalidFlowScalarIndent => {
            ("this line within brackets is not indented", "indent it further than the key")
        }
        Kind::UnexpectedEof
        | Kind::UnexpectedEofFlowSequence
        | Kind::UnexpectedEofFlowMapping
        | Kind::UnexpectedEofImplicitFlowMapping
        | Kind::UnexpectedEofBlockSequence
        | Kind::UnexpectedEofBlockMapping => {
            ("the file ends before its last value ends", "close quotes and brackets")
        }
        Kind::UnclosedQuotedScalar
        | Kind::InvalidQuotedScalarIndent
        | Kind::DocumentIndicatorInQuotedScalar => ("quotes are not closed", "close the quotes"),
        Kind::InvalidTrailingSingleQuotedScalar | Kind::InvalidTrailingDoubleQuotedScalar => (
            "text follows the closing quotes",
            "within single quotes a single quote is written twice; within double quotes `\\\"` is one",
        ),
        Kind::UnknownQuotedScalarEscape
        | Kind::InvalidQuotedScalarHexEscape
        | Kind::InvalidLowSurrogateHexEscape
        | Kind::InvalidLowSurrogate
        | Kind::MissingLowSurrogate
        | Kind::UnpairedLowSurrogate
        | Kind::InvalidUnicodeEscape => (
            "after a backslash in double quotes stands no known escape",
            "write `\\\\` for a backslash, or use single quotes",
        ),
        Kind::TabNotAllowed
        | Kind::TabInBlockIndentation
        | Kind::TabInIndentation
        | Kind::TabAtBlockScalarStart
        | Kind::TabInPlainScalar => ("a tab cannot stand here", "indent by blanks, not by tabs"),
        Kind::UnexpectedCharacter { character } => {
            return (
                format!("text cannot begin with `{character}`"),
                "text that begins so needs quotes",
            );
        }
        Kind::MissingAnchorOrAliasName | Kind::UnknownAnchor => (
            "`*` and `&` name other places in YAML, and no name follows",
            "text that begins with `*` or `&` needs quotes",
        ),
        Kind::InvalidBlockScalarHeader
        | Kind::ZeroBlockScalarIndent
        | Kind::InvalidBlockScalarIndent => (
            "`|` and `>` begin a text on the lines below, and this is none",
            "indent these lines further than the key; text that begins with `|` or `>` needs quotes",
        ),
        Kind::CommentInterceptedScalar | Kind::CommentNotSeparated => (
            "a comment cannot stand here",
            "a blank stands before `#`; text that holds `#` needs quotes",
        ),
        _ => ("YAML cannot be read here", QUOTES),
    };
    (fault.to_owned(), correction)
}
