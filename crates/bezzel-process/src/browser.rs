//! Opens a page in the browser of the desktop.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::thread;

/// The program with which desktops open a file or an address in the preferred application.
const OPENER: &str = "xdg-open";

/// Opens the address of a page in the browser of this desktop. The browser belongs to the user: it is in no process
/// group of ours, has no limits, and stays when this process ends.
///
/// # Errors
///
/// The desktop has no such program, or it cannot be started.
pub fn open_in_browser(address: &str) -> io::Result<()> {
    let mut command = Command::new(OPENER);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut opener = command.process_group(0).spawn()?;
    // It ends soon, and would stay a zombie if no thread waited for it.
    let _ = thread::Builder::new().spawn(move || opener.wait());
    Ok(())
}
