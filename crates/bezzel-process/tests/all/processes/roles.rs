//! The roles of this test binary when its own tests start it.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use bezzel_process::{HardLimits, Program, SoftLimit, SoftLimits, Watch, limits, usage};
use rustix::process::{Resource, Signal, getppid, getrlimit, kill_process};

use super::AMPLE;

const ROLE: &str = "TEST_ROLE";
const MIB: u64 = 1 << 20;

/// Returns this test binary in a role.
pub(crate) fn role(role: &str, wall: Duration) -> Program {
    let test = "processes::roles::hard_limits_bind_only_processes_that_enter_them";
    Program {
        args: ["--exact", test, "--nocapture"].map(Into::into).to_vec(),
        environment: vec![(ROLE.into(), role.into())],
        ..Program::new("/proc/self/exe", wall)
    }
}

#[test]
fn hard_limits_bind_only_processes_that_enter_them() {
    // Every role begins here, and does not return.
    if let Ok(role) = std::env::var(ROLE) {
        play(&role);
    }
    let before = getrlimit(Resource::Cpu);
    let outcome = role("fenced", AMPLE).run(None).unwrap();
    assert_eq!(outcome.stderr.text(), "core Some(0) data Some(268435456) cpu Some(1) Some(2)\n");
    assert_eq!(getrlimit(Resource::Cpu), before);
}

fn play(role: &str) -> ! {
    match role {
        "fenced" => {
            enter();
            let current = |resource| getrlimit(resource).current;
            let (core, data) = (current(Resource::Core), current(Resource::Data));
            let cpu = getrlimit(Resource::Cpu);
            say(format!("core {core:?} data {data:?} cpu {:?} {:?}", cpu.current, cpu.maximum));
        }
        "burn" => {
            enter();
            burn(|| true);
        }
        "devour" => {
            enter();
            let block = vec![1_u8; 1 << 30];
            say(format!("got {}", block.len()));
        }
        "burn a little" => burn(|| usage::cpu_s() < 0.2),
        "tell the peak" => say(usage::memory().unwrap().peak_bytes),
        "kill the supervisor" => {
            enter();
            kill_process(getppid().unwrap(), Signal::KILL).unwrap();
            thread::sleep(AMPLE);
        }
        "start its killer" => {
            let mut killer = self::role("kill the supervisor", AMPLE);
            let token = std::env::var("TOKEN").unwrap();
            killer.environment.push(("TOKEN".into(), token.into()));
            killer.run(None).unwrap();
        }
        "enter late" => match limits::set_hard_limits(&HardLimits::beyond(1.0, 256 * MIB)) {
            Ok(()) => say("entered"),
            Err(error) => say(error),
        },
        "watch the clock" => watched(SoftLimits { wall_s: 0.1, ..FAR }, |stop| {
            while !stop.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
        }),
        "watch the CPU" => watched(SoftLimits { cpu_s: usage::cpu_s() + 0.1, ..FAR }, |stop| {
            burn(|| !stop.load(Ordering::Relaxed));
        }),
        "watch the memory" => watched(SoftLimits { memory_bytes: 64 * MIB, ..FAR }, |stop| {
            let mut blocks = Vec::new();
            while !stop.load(Ordering::Relaxed) {
                blocks.push(vec![1_u8; MIB as usize]);
                thread::sleep(Duration::from_micros(100));
            }
        }),
        "watch a spike" => {
            let memory_bytes = usage::memory().unwrap().resident_bytes + 4 * MIB;
            watched(SoftLimits { memory_bytes, ..FAR }, |_| {
                drop(std::hint::black_box(vec![1_u8; 6 * MIB as usize]));
            });
        }
        "watch nothing" => watched(FAR, |stop| assert!(!stop.load(Ordering::Relaxed))),
        _ => panic!("no role `{role}`"),
    }
    exit(0)
}

const FAR: SoftLimits = SoftLimits { cpu_s: 1e9, wall_s: 1e9, memory_bytes: u64::MAX };

/// Runs `work` under a watch that raises a flag, and prints the limit that was passed.
fn watched(limits: SoftLimits, work: impl FnOnce(&AtomicBool)) {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let watch = Watch::arm(limits, move |_: SoftLimit| {
        assert!(!flag.swap(true, Ordering::Relaxed), "the limit is called once");
    })
    .unwrap();
    work(&stop);
    say(format!("{:?}", watch.disarm()));
}

fn enter() {
    limits::set_hard_limits(&HardLimits { cpu_s: 1, memory_bytes: 256 * MIB }).unwrap();
}

fn burn(mut go_on: impl FnMut() -> bool) {
    let mut x = 1_u64;
    while go_on() {
        for _ in 0..10_000 {
            x = std::hint::black_box(x.wrapping_mul(3));
        }
    }
}

/// Prints to standard error, which the test harness does not change.
fn say(line: impl Display) {
    let mut stderr = io::stderr().lock();
    writeln!(stderr, "{line}").unwrap();
}
