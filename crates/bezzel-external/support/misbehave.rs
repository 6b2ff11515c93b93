//! Programs that misbehave in a way that is named by the first argument, for the tests of this
//! crate; and the supervisor that they are run by.

use std::env;
use std::io::{self, Write};
use std::process::{Command, abort, exit};
use std::thread;
use std::time::{Duration, Instant};

use bezzel_external::supervisor;

const MIB: usize = 1 << 20;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse::<u64>().ok());
    match arguments.first().map_or("", String::as_str) {
        "supervise" => supervisor::serve(arguments.len() > 1, &mut io::stdout().lock())?,
        // Uses up that much CPU time in milliseconds, by the wall if it is alone.
        "burn" => burn(Duration::from_millis(number(1).unwrap_or(u64::MAX / 2))),
        // Burns in that many children at the same time, each that long.
        "burn-in-children" => {
            let each = arguments.get(2).map_or("1000", String::as_str);
            let children: Vec<_> = (0..number(1).unwrap_or(2))
                .map(|_| Command::new(env::current_exe()?).args(["burn", each]).spawn())
                .collect::<io::Result<_>>()?;
            for mut child in children {
                child.wait()?;
            }
        }
        // Has that many MiB, for that many milliseconds.
        "hold" => {
            let block = vec![1_u8; number(1).unwrap_or(1) as usize * MIB];
            thread::sleep(Duration::from_millis(number(2).unwrap_or(0)));
            assert!(block.iter().step_by(4096).all(|&byte| byte == 1));
        }
        // Has a MiB more every millisecond.
        "grow" => {
            let mut blocks = Vec::new();
            loop {
                blocks.push(std::hint::black_box(vec![1_u8; MIB]));
                thread::sleep(Duration::from_millis(1));
            }
        }
        // Writes that many MiB of this byte, without the end of a line.
        "flood" => {
            let block = vec![number(2).unwrap_or(0) as u8; MIB];
            let mut out = io::stdout().lock();
            for _ in 0..number(1).unwrap_or(1) {
                out.write_all(&block)?;
            }
        }
        "abort" => abort(),
        "exit" => exit(number(1).unwrap_or(0) as i32),
        other => {
            writeln!(io::stderr(), "misbehave: no way `{other}`")?;
            exit(99);
        }
    }
    Ok(())
}

fn burn(time: Duration) {
    let start = Instant::now();
    let mut x = 1_u64;
    while start.elapsed() < time {
        for _ in 0..10_000 {
            x = std::hint::black_box(x.wrapping_mul(3));
        }
    }
}
