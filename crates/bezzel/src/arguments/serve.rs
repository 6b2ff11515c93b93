//! The arguments of `bezzel serve`.

use std::net::{IpAddr, Ipv4Addr};

use clap::Args;

use super::root::RootArguments;

const SERVE_EXAMPLES: &str = "\
Examples:
  bezzel serve --open
      the board in the browser, at http://127.0.0.1:8080/
  bezzel serve --port 0
      on any free port; the first line of the output has it
  bezzel serve --address 0.0.0.0
      for other machines too: all that reach this one can start computations

It runs until Ctrl-C. It reads only the files of reports, and writes only missing or outdated pages \
of reports, by `bezzel report`. A link can name a board: \
http://127.0.0.1:8080/#size=8&queens=1.1_2.5. docs/board-api.md has the requests for \
programs.

Exit codes: 2 the port is taken or this machine does not have the address, 130 stopped by Ctrl-C.";

#[derive(Debug, Args)]
#[command(after_long_help = SERVE_EXAMPLES)]
pub(crate) struct ServeArguments {
    /// The port; any free port if it is 0
    #[arg(long, value_name = "PORT", default_value_t = 8080)]
    pub(crate) port: u16,
    /// The address of this machine on which the server listens
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub(crate) address: IpAddr,
    /// Open the page in a browser
    #[arg(long)]
    pub(crate) open: bool,
    #[command(flatten)]
    pub(crate) root: RootArguments,
}
