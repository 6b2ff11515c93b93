//! Showing a page to whoever sits at the machine.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::thread;

/// The program by which desktops open what they are given, in the program that is chosen for it.
const OPENER: &str = "xdg-open";

/// Opens the address of a page in the browser of this desktop. It belongs to its user: it is in no
/// group of ours, has no limits, and stays when this process ends.
///
/// # Errors
///
/// When there is no desktop's opener, or it cannot be started.
pub fn open(address: &str) -> io::Result<()> {
    let mut command = Command::new(OPENER);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut opener = command.process_group(0).spawn()?;
    // It ends soon, and would be left over if nobody waited for it.
    thread::spawn(move || opener.wait());
    Ok(())
}
