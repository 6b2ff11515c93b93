//! `bezzel serve`: the board in the browser.

use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;

use bezzel_external::browser;
use bezzel_lab::Workbench;
use bezzel_serve::{Options, ServeError, Server};

use crate::arguments::ServeArguments;
use crate::failure::{Done, Failure};

pub(crate) fn run(arguments: &ServeArguments, workbench: &Workbench, out: &mut dyn Write) -> Done {
    let reports = arguments.root.path().join("reports");
    let options = Options {
        address: arguments.address,
        port: arguments.port,
        reports: reports.is_dir().then_some(reports),
        encodings: workbench.encodings.clone(),
        ..Options::default()
    };
    let server = Server::bind(options).map_err(failure)?;
    let page = page(server.address());
    writeln!(out, "The board is at {page} until Ctrl-C ends it.")?;
    if !arguments.address.is_loopback() {
        writeln!(out, "Whoever reaches {} can ask this machine to compute.", arguments.address)?;
    }
    // It is read before the end, which may never come.
    out.flush()?;
    if arguments.open
        && let Err(problem) = browser::open(&page)
    {
        // The page is there all the same.
        let _ = writeln!(io::stderr(), "warning: no browser was opened (xdg-open: {problem})");
    }
    server.run().map_err(failure)?;
    Ok(ExitCode::SUCCESS)
}

/// The address of the page, as a browser on this machine reaches it.
fn page(address: SocketAddr) -> String {
    let is_all = address.ip().is_unspecified();
    let reached =
        if is_all { SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port()) } else { address };
    format!("http://{reached}/")
}

fn failure(error: ServeError) -> Failure {
    match error {
        ServeError::Taken(_) | ServeError::Address { .. } => Failure::input(error),
        other => Failure::work(other),
    }
}
