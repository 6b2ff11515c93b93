//! Handwritten outputs: accepted answers, and refused ones with the reason.

use std::fmt::Write;

use bezzel_encode::Lit;
use bezzel_encode::format::read::AnswerForm;
use bezzel_solve::{Answer, Effort};

use super::super::answer;

/// Reads an answer about three variables with this exit code. Returns the answer and its model.
fn read_form(
    form: AnswerForm<'_>,
    mut text: &[u8],
    code: i32,
) -> Result<(Answer, Option<[bool; 3]>), String> {
    let parsed = answer::read(&mut text, form, 3, &mut Effort::default());
    let answered = parsed.and_then(|parsed| answer::agreed(parsed, code))?;
    let model = answered.1.map(|model| [0, 1, 2].map(|index| model.holds(Lit::positive(index))));
    Ok((answered.0, model))
}

fn read(output: &[u8], code: i32) -> Result<(Answer, Option<[bool; 3]>), String> {
    read_form(AnswerForm::Competition(""), output, code)
}

fn read_file(result: &[u8], code: i32) -> Result<(Answer, Option<[bool; 3]>), String> {
    read_form(AnswerForm::MiniSat, result, code)
}

#[test]
fn answers_are_read_in_every_form_that_competitions_allow() {
    let model = Some([true, false, true]);
    for (output, code, expected) in [
        ("s SATISFIABLE\nv 1 -2 3 0\n", 10, (Answer::Sat, model)),
        (
            "c hello\ns SATISFIABLE\nc between\nv 1 -2\nv 3\nv 0\nc after\n",
            10,
            (Answer::Sat, model),
        ),
        // The model may be before the verdict, lines may end in CRLF, the last line need not end.
        ("v 1 -2 3 0\ns SATISFIABLE", 10, (Answer::Sat, model)),
        ("s SATISFIABLE\r\nv 1 -2\r\nv 3 0\r\n", 10, (Answer::Sat, model)),
        ("\n\ns  SATISFIABLE \n\nv\t1\t-2   3\nv\nv 0", 10, (Answer::Sat, model)),
        // A variable without a value is false.
        ("s SATISFIABLE\nv 3 1 0\n", 10, (Answer::Sat, model)),
        ("s SATISFIABLE\nv 0\n", 10, (Answer::Sat, Some([false; 3]))),
        ("c\nc--- x\ns UNSATISFIABLE\n", 20, (Answer::Unsat, None)),
        ("s UNKNOWN\n", 0, (Answer::Unknown, None)),
        ("s INDETERMINATE\n", 0, (Answer::Unknown, None)),
        ("c UNKNOWN\n", 0, (Answer::Unknown, None)),
        ("", 0, (Answer::Unknown, None)),
    ] {
        assert_eq!(read(output.as_bytes(), code), Ok(expected), "{output:?}");
    }
    for (result, code, expected) in [
        ("SAT\n1 -2 3 0\n", 10, (Answer::Sat, model)),
        ("SAT\r\n1 -2 3 0", 10, (Answer::Sat, model)),
        ("SAT\n1 3\n0\n", 10, (Answer::Sat, model)),
        ("UNSAT\n", 20, (Answer::Unsat, None)),
        ("UNSAT", 20, (Answer::Unsat, None)),
        ("INDET\n", 0, (Answer::Unknown, None)),
        ("", 0, (Answer::Unknown, None)),
    ] {
        assert_eq!(read_file(result.as_bytes(), code), Ok(expected), "{result:?}");
    }
}

#[test]
fn an_invalid_answer_is_refused_with_the_reason() {
    let long = format!("s SATISFIABLE\nv {}1 0\n", "0".repeat(2_000));
    let padded = format!("s UNSATISFIABLE{}NOT\n", " ".repeat(300));
    let cases: [(&[u8], i32, &str); 37] = [
        (
            padded.as_bytes(),
            20,
            "line 1, column 1 of its answer: a verdict of 200 characters or more",
        ),
        (b"s SATISFIABLE\n", 10, "without a model"),
        (b"", 10, "ended with exit code 10 and without a verdict"),
        (b"c nothing\n", 20, "without a verdict"),
        (b"v 1 -2 3 0\n", 10, "a model, but without a verdict"),
        (b"v 1 -2 3 0\n", 0, "without a verdict"),
        (
            b"s SATISFIABLE\nv 1 -2 3 0\n",
            0,
            "answered `satisfiable` and ended with exit code 0, not 10",
        ),
        (b"s SATISFIABLE\nv 1 -2 3 0\n", 20, "exit code 20, not 10"),
        (b"s UNSATISFIABLE\n", 10, "answered `unsatisfiable` and ended with exit code 10, not 20"),
        (b"s UNSATISFIABLE\n", 0, "exit code 0, not 20"),
        (b"s UNKNOWN\n", 10, "exit code 10, not 0"),
        (
            b"s SATISFIABLE\ns UNSATISFIABLE\n",
            20,
            "line 2, column 1 of its answer: a second verdict",
        ),
        (
            b"s SATISFIABLE\nv 1 0\ns SATISFIABLE\n",
            10,
            "line 3, column 1 of its answer: a second verdict",
        ),
        (b"s UNSATISFIABLE\nv 1 -2 3 0\n", 20, "`unsatisfiable` and gave a model"),
        (b"s SATISFIABLE\nv 1 -2 3\n", 10, "not ended by a 0"),
        (b"s SATISFIABLE\nv 1 -2 3", 10, "not ended by a 0"),
        (b"s SATISFIABLE\nv 1 -2 3 0 1\n", 10, "goes on after its 0"),
        (b"s SATISFIABLE\nv 1 -2 3 0\nv -1 0\n", 10, "goes on after its 0"),
        (b"s SATISFIABLE\nv 1 -2 3 0 0\n", 10, "goes on after its 0"),
        (b"s SATISFIABLE\nv 1 -2 3 4 0\n", 10, "variable 4 in a model of a formula that has 3"),
        (b"s SATISFIABLE\nv 1 -2 3 -4294967297 0\n", 10, "variable 4294967297"),
        (b"s SATISFIABLE\nv 1 -2 3 -1 0\n", 10, "two values to variable 1"),
        (b"s SATISFIABLE\nv 1 -2 3 -2 0\n", 10, "its value to variable 2 twice"),
        (b"s SATISFIABLE\nv 1 x2 3 0\n", 10, "line 2, column 5 of its answer: `x2` in a model"),
        (b"s SATISFIABLE\nv 1 - 3 0\n", 10, "`-` in a model"),
        (b"s SATISFIABLE\nv 1 --2 3 0\n", 10, "`--2` in a model"),
        (b"s SATISFIABLE\nv 1 -2 3 -0\n", 10, "`-0` in a model"),
        (b"s SATISFIABLE\nv 1 2- 0\n", 10, "`2-` in a model"),
        (b"s SATISFIABLE\nv +1 0\n", 10, "`+1` in a model"),
        (b"s SATISFIABLE\nv 1 \x00 0\n", 10, "`\\x00` in a model"),
        (b"s SATISFIABLE\nv 1 \xff 0\n", 10, "`\\xff` in a model"),
        (b"s SATISFIABEL\nv 1 0\n", 10, "`s SATISFIABEL` is no verdict"),
        (b"s satisfiable\nv 1 0\n", 10, "`s satisfiable` is no verdict"),
        (
            b"SATISFIABLE\nv 1 0\n",
            10,
            "line 1, column 1 of its answer: `SATISFIABLE` begins with none of",
        ),
        (b" s SATISFIABLE\nv 1 0\n", 10, "` s SATISFIABLE` begins with none of"),
        (b"\x1b[31m\x00\xff\n", 0, "begins with none of"),
        (b"sSATISFIABLE\n", 10, "`sSATISFIABLE` begins with none of"),
    ];
    for (output, code, expected) in cases {
        let refused = read(output, code).unwrap_err();
        let shown = String::from_utf8_lossy(output);
        assert!(refused.contains(expected), "{shown}: {refused}");
        assert!(!refused.contains(char::is_control), "{refused:?}");
    }
    assert!(read(long.as_bytes(), 10).unwrap_err().contains("in a model"));

    for (result, code, expected) in [
        ("SAT\n", 10, "without a model"),
        ("SAT\n1 -2 3\n", 10, "not ended by a 0"),
        (
            "SAT\n1 -2 3 0\n1 0\n",
            10,
            "line 3, column 1 of its answer: the model goes on after its 0",
        ),
        ("SAT\n1 -1 0\n", 10, "two values to variable 1"),
        ("SAT\n9 0\n", 10, "variable 9"),
        ("SAT\n1 -2 3 0\n", 20, "exit code 20, not 10"),
        ("UNSAT\n1 0\n", 20, "`unsatisfiable` and gave a model"),
        ("UNSAT\nSAT\n", 20, "`SAT` in a model"),
        ("UNSA", 20, "`UNSA` is not SAT, UNSAT or INDET"),
        ("s SATISFIABLE\nv 1 0\n", 10, "`s` is not SAT, UNSAT or INDET"),
        ("", 20, "without a verdict"),
    ] {
        let refused = read_file(result.as_bytes(), code).unwrap_err();
        assert!(refused.contains(expected), "{result:?}: {refused}");
    }
}

#[test]
fn long_lines_are_quoted_in_part_and_long_models_are_read() {
    let line = "x".repeat(1_000_000);
    let refused = read(line.as_bytes(), 10).unwrap_err();
    assert!(refused.len() < 120, "{refused}");

    let variables = 200_000;
    let mut output = String::from("s SATISFIABLE\nv");
    for variable in 1..=variables {
        let sign = if variable % 3 == 0 { "" } else { "-" };
        write!(output, " {sign}{variable}").unwrap();
    }
    output.push_str(" 0\n");
    let form = AnswerForm::Competition("");
    let parsed = answer::read(&mut output.as_bytes(), form, variables, &mut Effort::default());
    let (answer, model) = answer::agreed(parsed.unwrap(), 10).unwrap();
    let model = model.unwrap();
    assert_eq!(answer, Answer::Sat);
    assert!(
        (0..variables).all(|index| model.holds(Lit::positive(index)) == ((index + 1) % 3 == 0))
    );
}
