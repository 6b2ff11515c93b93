//! How a program ended: by itself with a code, or in trouble.

use bezzel_external::blame::Killer;
use bezzel_external::{Account, Exit, SoftLimits, Stopped};
use bezzel_solve::{Trouble, TroubleKind};

use crate::backend::program::{REFUSALS, last_words};
use crate::model::quantity::memory;

/// The exit code of a program that came to its end within these limits; else what stopped it, told
/// of `who` it is. There is no trouble where whoever asked does not want the answer any more.
pub(crate) fn code(
    who: &str,
    account: &Account,
    limits: &SoftLimits,
    file_bytes: u64,
) -> Result<i32, Option<Trouble>> {
    let killer = account.killer(limits);
    let (kind, note) = match killer {
        Killer::Nobody | Killer::Itself => match account.exit {
            Exit::Code(code @ (0 | 10 | 20)) => return Ok(code),
            exit => by_itself(exit, &last_words(&account.stderr)),
        },
        Killer::Limit(Stopped::Cancelled) => return Err(None),
        Killer::Limit(Stopped::Cpu) => (TroubleKind::Cpu, "was out of CPU time".into()),
        Killer::Limit(Stopped::Wall) => (TroubleKind::Wall, "was out of wall time".into()),
        Killer::Limit(Stopped::Memory) => (TroubleKind::Memory, "was out of memory".into()),
        Killer::Limit(Stopped::Output) => {
            (TroubleKind::Fault, "wrote more than any answer has, and was killed".into())
        }
        Killer::Limit(Stopped::Processes) => {
            (TroubleKind::Fault, "started too many processes, and was killed".into())
        }
        Killer::FileSize => {
            let most = memory(file_bytes.into());
            (TroubleKind::Fault, format!("wrote a file of more than {most}, and was killed"))
        }
        Killer::Host { .. } => (TroubleKind::Host, format!("did not end by itself: {killer}")),
    };
    Err(Some(Trouble { kind, note: format!("the {who} {note}") }))
}

/// What it means that a program ended with a code that is no answer, or by a fault.
fn by_itself(exit: Exit, said: &str) -> (TroubleKind, String) {
    let refused = said.to_lowercase();
    let is_refusal = |word: &&str| refused.contains(&word.to_lowercase());
    if REFUSALS.iter().any(is_refusal) || refused.contains("out-of-memory") {
        return (TroubleKind::Memory, format!("was refused memory: {said}"));
    }
    let how = match exit {
        Exit::Signal(signal) => format!("by signal {signal}"),
        Exit::Code(127) => "with exit code 127, as shells do that find no such program".into(),
        Exit::Code(code) if (129..=192).contains(&code) => {
            format!("with exit code {code}, as if by signal {}", code - 128)
        }
        Exit::Code(code) => format!("with exit code {code}"),
    };
    let colon = if said.is_empty() { "" } else { ": " };
    (TroubleKind::Fault, format!("ended {how}{colon}{said}"))
}
