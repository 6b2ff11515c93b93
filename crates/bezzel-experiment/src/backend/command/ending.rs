//! The end of a program: an exit code, or a failure.

use bezzel_process::EndCause;
use bezzel_process::{Exit, SoftLimits, StopReason, SupervisedOutcome};
use bezzel_solve::{SolverError, SolverErrorKind};

use crate::backend::program::{REFUSALS, stderr_tail};
use crate::model::quantity::memory;

/// Returns the exit code of a program that came to its end within these limits. Returns the reason of its stop if
/// not, in a note that names the program `who`; `Err(None)` if the job was cancelled. With `any`, all exit codes are
/// taken but those of shells for failures.
pub(crate) fn code(
    who: &str,
    account: &SupervisedOutcome,
    limits: &SoftLimits,
    file_bytes: u64,
    any: bool,
) -> Result<i32, Option<SolverError>> {
    let killer = account.end_cause(limits);
    let (kind, note) = match killer {
        EndCause::Exited | EndCause::Fault => match account.exit {
            Exit::Code(code @ (0 | 10 | 20)) => return Ok(code),
            Exit::Code(code) if any && !matches!(code, 126 | 127 | 129..=192) => return Ok(code),
            exit => by_itself(exit, &stderr_tail(&account.stderr)),
        },
        EndCause::Limit(StopReason::Cancelled) => return Err(None),
        EndCause::Limit(StopReason::Cpu) => (SolverErrorKind::Cpu, "was out of CPU time".into()),
        EndCause::Limit(StopReason::Wall) => (SolverErrorKind::Wall, "was out of wall time".into()),
        EndCause::Limit(StopReason::Memory) => {
            (SolverErrorKind::Memory, "was out of memory".into())
        }
        EndCause::Limit(StopReason::Output) => {
            (SolverErrorKind::Fault, "wrote more than an answer may have, and was killed".into())
        }
        EndCause::Limit(StopReason::Processes) => {
            (SolverErrorKind::Fault, "started too many processes, and was killed".into())
        }
        EndCause::FileSize => {
            let max = memory(file_bytes.into());
            (SolverErrorKind::Fault, format!("wrote a file of more than {max}, and was killed"))
        }
        EndCause::Host { .. } => (SolverErrorKind::Host, format!("was {killer}")),
    };
    Err(Some(SolverError { kind, note: format!("the {who} {note}") }))
}

/// Returns the failure of a program that ended by a signal or with a code that is no answer.
fn by_itself(exit: Exit, stderr: &str) -> (SolverErrorKind, String) {
    let refused = stderr.to_lowercase();
    let is_refusal = |word: &&str| refused.contains(&word.to_lowercase());
    if REFUSALS.iter().any(is_refusal) || refused.contains("out-of-memory") {
        return (SolverErrorKind::Memory, format!("was refused memory: {stderr}"));
    }
    let how = match exit {
        Exit::Signal(signal) => format!("by signal {signal}"),
        Exit::Code(127) => "with exit code 127, which shells use if a program is not found".into(),
        Exit::Code(code) if (129..=192).contains(&code) => {
            format!("with exit code {code}, as if by signal {}", code - 128)
        }
        Exit::Code(code) => format!("with exit code {code}"),
    };
    let colon = if stderr.is_empty() { "" } else { ": " };
    (SolverErrorKind::Fault, format!("ended {how}{colon}{stderr}"))
}
