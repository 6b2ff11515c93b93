//! Requests to programs, and encodings that record them in place of encoding.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use bezzel_encode::amk::{AtMostK, Limit};
use bezzel_encode::bound::AtMostSum;
use bezzel_encode::registry::{Command, CommandKind};
use bezzel_encode::{
    AtMostOne, ClauseSink, Encoding, EncodingInfo, Lit, Registry, Size, Unsupported, VarMap,
};
use bezzel_problem::{EncoderRequest, Instance, Problem};

/// The first line that a program reads: the version of the protocol.
pub const GREETING: &str = "bezzel-encoder 1";

/// A request, one line of the input of a program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EncodeRequest {
    /// At most one of this number of inputs.
    AtMostOne(u64),
    /// At most `k` of `inputs` inputs.
    AtMostK {
        /// The number of inputs.
        inputs: u64,
        /// The largest number of inputs that may hold.
        k: u64,
    },
    /// A sum with these weights of at most a bound.
    Sum {
        /// The weights of the inputs, from 1 to the bound.
        weights: Vec<u64>,
        /// The bound, less than the sum of the weights.
        bound: u64,
    },
    /// The rules of an instance.
    Instance(EncoderRequest),
}

impl EncodeRequest {
    /// The number of inputs, or of candidates.
    pub(super) fn inputs(&self) -> u64 {
        match self {
            Self::AtMostOne(inputs) | Self::AtMostK { inputs, .. } => *inputs,
            Self::Sum { weights, .. } => weights.len() as u64,
            Self::Instance(request) => request.grid.places().into(),
        }
    }

    /// The request for the rules of this instance; none if programs are not asked for its kind.
    pub(super) fn of_instance(instance: &Instance) -> Option<Self> {
        instance.encoder_request().map(Self::Instance)
    }
}

/// The line in the program's input.
impl fmt::Display for EncodeRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMostOne(inputs) => write!(f, "at-most-one {inputs}"),
            Self::AtMostK { inputs, k } => write!(f, "at-most {k} {inputs}"),
            Self::Sum { weights, bound } => {
                write!(f, "sum at-most {bound} {}", weights.len())?;
                weights.iter().try_for_each(|weight| write!(f, " {weight}"))
            }
            Self::Instance(request) => f.write_str(&request.words),
        }
    }
}

/// An encoding in place of a program. Its clones share the record.
#[derive(Clone)]
pub(super) struct RequestRecorder {
    command: Command,
    requests: Arc<Mutex<BTreeSet<EncodeRequest>>>,
}

impl RequestRecorder {
    pub(super) fn new(command: &Command) -> Self {
        Self { command: command.clone(), requests: Arc::default() }
    }

    /// Returns the recorded requests.
    pub(super) fn requests(&self) -> BTreeSet<EncodeRequest> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, request: EncodeRequest) {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).insert(request);
    }
}

/// Returns the registry with the recorders in place of the programs' records.
pub(super) fn registered(registry: &Registry, recorders: &[RequestRecorder]) -> Registry {
    recorders.iter().cloned().fold(registry.clone(), |registry, recorder| {
        match recorder.command.kind {
            CommandKind::Whole => registry.with(recorder),
            CommandKind::AtMostOne | CommandKind::AtMostK | CommandKind::Sum => {
                registry.with_at_most_one(recorder)
            }
        }
    })
}

impl AtMostOne for RequestRecorder {
    fn info(&self) -> EncodingInfo {
        super::encoding_info(&self.command)
    }

    fn size(&self, _n: u64) -> Option<Size> {
        None
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        match self.of_bounds() {
            Some(encoder) => Limit::AtMost.encode(encoder, xs, 1, out),
            None => self.note(EncodeRequest::AtMostOne(xs.len() as u64)),
        }
    }

    fn of_bounds(&self) -> Option<&dyn AtMostK> {
        self.command.kind.takes_bounds().then_some(self as _)
    }

    fn of_sums(&self) -> Option<&dyn AtMostSum> {
        (self.command.kind == CommandKind::Sum).then_some(self as _)
    }
}

impl AtMostSum for RequestRecorder {
    fn about(&self) -> EncodingInfo {
        super::encoding_info(&self.command)
    }

    /// No sum is refused. The size is known when the program has answered.
    fn size(&self, _weights: &[u64], _bound: u64) -> Option<Size> {
        Some(Size::default())
    }

    fn at_most(&self, _xs: &[Lit], weights: &[u64], bound: u64, _out: &mut dyn ClauseSink) {
        self.note(EncodeRequest::Sum { weights: weights.to_vec(), bound });
    }
}

impl AtMostK for RequestRecorder {
    fn about(&self) -> EncodingInfo {
        super::encoding_info(&self.command)
    }

    fn at_most_size(&self, _n: u64, _k: u64) -> Option<Size> {
        None
    }

    fn at_most(&self, xs: &[Lit], k: u64, _out: &mut dyn ClauseSink) {
        self.note(EncodeRequest::AtMostK { inputs: xs.len() as u64, k });
    }
}

impl Encoding for RequestRecorder {
    fn info(&self) -> EncodingInfo {
        super::encoding_info(&self.command)
    }

    /// An instance for which no program is asked has no request. The record refuses it later.
    fn fits(&self, _: &Problem) -> Result<(), Unsupported> {
        Ok(())
    }

    fn size(&self, _: &Problem) -> Option<Size> {
        None
    }

    fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        if let Some(request) = problem.encoder_request() {
            self.note(EncodeRequest::Instance(request));
        }
        VarMap::one_per_candidate(out.fresh(problem.candidates()))
    }
}
