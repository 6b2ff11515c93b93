//! A solver that misbehaves as its mode demands: `fake_solver MODE FORMULA [PROOF [OTHER-PROOF]]`.
//!
//! Tests run it to check that no wrong answer is accepted and that no misbehaviour disturbs a run. It solves small
//! formulas by unit propagation and splitting, so that a mode can give the right answer.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::process::{Command, ExitCode};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Signal, getpid, kill_process, setsid};
use rustix::time::{ClockId, clock_gettime};

/// Clauses of literals in DIMACS numbering.
struct Formula {
    variables: i32,
    clauses: Vec<Vec<i32>>,
}

impl Formula {
    fn read(path: &str) -> io::Result<Self> {
        let text = fs::read_to_string(path)?;
        let mut formula = Self { variables: 0, clauses: Vec::new() };
        for line in text.lines().filter(|line| !line.starts_with('c')) {
            let mut words = line.split_whitespace();
            if line.starts_with('p') {
                formula.variables = words.nth(2).and_then(|word| word.parse().ok()).unwrap_or(0);
            } else {
                let lits = words.filter_map(|word| word.parse().ok()).take_while(|&lit| lit != 0);
                formula.clauses.push(lits.collect());
            }
        }
        Ok(formula)
    }

    /// A value for each variable, if there is a model.
    fn solve(&self) -> Option<Vec<bool>> {
        let values = self.extend(vec![None; self.variables as usize + 1])?;
        Some(values.into_iter().map(|value| value == Some(true)).collect())
    }

    fn extend(&self, mut values: Vec<Option<bool>>) -> Option<Vec<Option<bool>>> {
        let mut split = None;
        loop {
            let mut unit = None;
            split = split.filter(|&lit: &i32| values[lit.unsigned_abs() as usize].is_none());
            for clause in &self.clauses {
                let value = |&lit: &i32| {
                    values[lit.unsigned_abs() as usize].map(|value| value == (lit > 0))
                };
                if clause.iter().any(|lit| value(lit) == Some(true)) {
                    continue;
                }
                let mut open = clause.iter().filter(|lit| value(lit).is_none());
                match (open.next(), open.next()) {
                    (None, _) => return None,
                    (Some(&lit), None) => unit = Some(lit),
                    (Some(&lit), Some(_)) => split = split.or(Some(lit)),
                }
            }
            let Some(lit) = unit else { break };
            values[lit.unsigned_abs() as usize] = Some(lit > 0);
        }
        let Some(lit) = split else { return Some(values) };
        [true, false].into_iter().find_map(|is| {
            let mut values = values.clone();
            values[lit.unsigned_abs() as usize] = Some(is == (lit > 0));
            self.extend(values)
        })
    }
}

/// The literals of a model.
fn literals(model: &[bool]) -> Vec<i32> {
    let values = model.iter().zip(0..).skip(1);
    values.map(|(&holds, variable)| if holds { variable } else { -variable }).collect()
}

fn sat(lits: &[i32], end: &str) -> String {
    let words: Vec<String> = lits.iter().map(i32::to_string).collect();
    format!("s SATISFIABLE\nv {}{end}\n", words.join(" "))
}

#[expect(clippy::print_stderr, reason = "it is a program")]
fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let argument = |index: usize| arguments.get(index).map_or("", String::as_str);
    match misbehave(argument(0), argument(1), argument(2), argument(3)) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("fake_solver: {error}");
            ExitCode::from(1)
        }
    }
}

#[expect(clippy::print_stdout, clippy::too_many_lines, reason = "it is a program, and a list")]
fn misbehave(mode: &str, formula: &str, proof: &str, other: &str) -> io::Result<u8> {
    let truth = || -> io::Result<(u8, Vec<i32>)> {
        Ok(match Formula::read(formula)?.solve() {
            Some(model) => (10, literals(&model)),
            None => (20, Vec::new()),
        })
    };
    // The right answer, whose model `write` formats.
    let answer = |write: &dyn Fn(&[i32]) -> String| -> io::Result<u8> {
        let (code, lits) = truth()?;
        if code == 10 {
            print!("{}", write(&lits));
        } else {
            println!("s UNSATISFIABLE");
        }
        io::stdout().flush()?;
        Ok(code)
    };
    let right = || answer(&|lits| sat(lits, " 0"));
    // The right answer with a changed model.
    let changed = |change: &dyn Fn(&mut Vec<i32>)| {
        answer(&|lits| {
            let mut lits = lits.to_vec();
            change(&mut lits);
            sat(&lits, " 0")
        })
    };
    let say = |text: &str, code: u8| -> io::Result<u8> {
        print!("{text}");
        io::stdout().flush()?;
        Ok(code)
    };
    match mode {
        "right" => right(),
        "slow" => {
            thread::sleep(Duration::from_millis(300));
            right()
        }
        "statistics" => {
            print!("c conflicts: 3\nc decisions: 5\nc propagations: 70\nc restarts: 0\n");
            right()
        }
        "result-file" => {
            let (code, lits) = truth()?;
            println!("conflicts             : 7              (8386 /sec)");
            let words: Vec<String> = lits.iter().map(i32::to_string).collect();
            let text = format!("SAT\n{} 0\n", words.join(" "));
            fs::write(proof, if code == 10 { text.as_str() } else { "UNSAT\n" })?;
            Ok(code)
        }
        "no-result-file" => Ok(truth()?.0),

        "wrong-model" => changed(&|lits| lits.iter_mut().for_each(|lit| *lit = lit.abs())),
        // One queen moves by one column: the answer is still a model, but it breaks the rules of the board.
        "moved-queen" => changed(&|lits| {
            let at = lits.iter().position(|&lit| lit > 0).unwrap_or(0);
            let next = if at == 0 { 1 } else { at - 1 };
            (lits[at], lits[next]) = (-lits[at].abs(), lits[next].abs());
        }),
        "partial-model" => changed(&|lits| lits.truncate(lits.len() / 2)),
        "missing-variables" => changed(&|lits| lits.retain(|&lit| lit > 0)),
        "empty-model" => say("s SATISFIABLE\nv 0\n", 10),
        "no-verdict" => say("", 10),
        "unsat" => say("s UNSATISFIABLE\n", 20),
        "unknown" => say("s UNKNOWN\n", 0),
        "silent" => Ok(0),

        "garbage" => say("Segmentation fault, or so it says\n", 10),
        "binary" => {
            io::stdout().write_all(&[0, 255, 254, b'\n', b'v', b' ', 0, 195, 40, b'\n'])?;
            say("s UNSATISFIABLE\n", 20)
        }
        "flood" => {
            let block =
                b"c nothing but comments, over and over again, for ever and ever, amen...\n"
                    .repeat(1000);
            let mut out = io::stdout().lock();
            (0..1 << 30).step_by(block.len()).try_for_each(|_| out.write_all(&block))?;
            Ok(20)
        }
        "long-line" => {
            let mut out = io::stdout().lock();
            out.write_all(b"s SATISFIABLE\nv")?;
            let block = b" 0000000".repeat(1000);
            (0..100_000_000).step_by(block.len()).try_for_each(|_| out.write_all(&block))?;
            Ok(10)
        }
        "long-comment" => {
            let mut out = io::stdout().lock();
            out.write_all(b"c ")?;
            let block = [b'x'; 8000];
            (0..30_000_000).step_by(block.len()).try_for_each(|_| out.write_all(&block))?;
            out.write_all(b"\n")?;
            drop(out);
            right()
        }

        "hang" => {
            thread::sleep(Duration::from_mins(10));
            right()
        }
        "busy" => {
            let start = Instant::now();
            let mut number = 1_u64;
            while start.elapsed() < Duration::from_mins(10) {
                number = std::hint::black_box(number.wrapping_mul(3));
            }
            right()
        }
        // The answer is right, but comes after the limit.
        "late" => {
            let mut number = 1_u64;
            while clock_gettime(ClockId::ThreadCPUTime).tv_sec < 2 {
                number = std::hint::black_box(number.wrapping_mul(3));
            }
            right()
        }
        "ignore-term" => {
            // Ignored signals stay ignored in a program that is executed.
            let this = env::current_exe()?;
            let status = Command::new("/bin/sh")
                .args(["-c", "trap '' TERM INT HUP XCPU; exec \"$0\" hang"])
                .arg(this)
                .status()?;
            Ok(u8::try_from(status.code().unwrap_or(1)).unwrap_or(1))
        }
        "fork" => {
            Command::new(env::current_exe()?).arg("hang").spawn()?;
            right()
        }
        "escape" => {
            // The grandchild runs in a session of its own and has no parent.
            Command::new(env::current_exe()?).arg("escaped").spawn()?.wait()?;
            right()
        }
        "escaped" => {
            setsid()?;
            Command::new(env::current_exe()?).arg("hang").env_clear().spawn()?;
            Ok(0)
        }
        "segfault" | "abort" | "kill" => {
            let signal = match mode {
                "segfault" => Signal::SEGV,
                "abort" => Signal::ABORT,
                _ => Signal::KILL,
            };
            // Rust's handler for stack overflows lets the first signal of a kind pass.
            for _ in 0..100 {
                kill_process(getpid(), signal)?;
                thread::sleep(Duration::from_millis(10));
            }
            Ok(0)
        }
        "eat-memory" => {
            let mut eaten: Vec<Vec<u8>> = Vec::new();
            for _ in 0..4096 {
                eaten.push(vec![1; 1 << 20]);
            }
            thread::sleep(Duration::from_mins(10));
            Ok(u8::from(eaten.is_empty()))
        }

        "forged-proof" => {
            let clauses = Formula::read(formula)?.clauses.len();
            fs::write(proof, format!("{} 0 1 2 0\n", clauses + 1))?;
            say("s UNSATISFIABLE\n", 20)
        }
        "empty-proof" => {
            fs::write(proof, "")?;
            say("s UNSATISFIABLE\n", 20)
        }
        "garbage-proof" => {
            fs::write(proof, "this is no proof\n")?;
            say("s UNSATISFIABLE\n", 20)
        }
        "other-proof" => {
            fs::copy(other, proof)?;
            say("s UNSATISFIABLE\n", 20)
        }
        "truncated-proof" => {
            let bytes = fs::read(other)?;
            fs::write(proof, &bytes[..bytes.len() / 2])?;
            say("s UNSATISFIABLE\n", 20)
        }
        mode => match mode.strip_prefix("exit-").and_then(|code| code.parse().ok()) {
            Some(code) => {
                right()?;
                Ok(code)
            }
            None => Err(io::Error::other(format!("unknown mode `{mode}`"))),
        },
    }
}
