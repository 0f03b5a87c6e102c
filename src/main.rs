//! The `carom` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    carom::cli::main()
}
