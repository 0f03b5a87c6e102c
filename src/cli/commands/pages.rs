//! `carom completions` and `carom man`: the command line for shells and manuals.

use std::fs;
use std::path::Path;

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::cli::arguments::Arguments;
use crate::cli::exit::{Exit, failed, hand_over, path, print, unwritten};
use crate::record::write_file;

pub(crate) fn completions(shell: Shell) -> Result<Exit, Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "carom", &mut script);
    print(&script).map(|()| Exit::Success)
}

pub(crate) fn man(output: Option<&Path>) -> Result<Exit, Exit> {
    let mut program = Arguments::command();
    program.build();
    match output {
        None => print(&page(&Man::new(program))?)?,
        Some(folder) => {
            fs::create_dir_all(folder).map_err(|error| failed(&format!("cannot write {}: {error}", path(folder))))?;
            for command in with_subcommands(program) {
                let man = Man::new(command);
                let file = folder.join(man.get_filename());
                write_file(&file, &page(&man)?).map_err(|error| unwritten(&error))?;
                hand_over(&path(&file))?;
            }
        }
    }
    Ok(Exit::Success)
}

/// A command, those below it, and those below them.
fn with_subcommands(command: Command) -> Vec<Command> {
    let below: Vec<Command> = command.get_subcommands().cloned().flat_map(with_subcommands).collect();
    [command].into_iter().chain(below).collect()
}

fn page(man: &Man) -> Result<Vec<u8>, Exit> {
    let mut text = Vec::new();
    man.render(&mut text).map_err(|error| failed(&format!("cannot write the manual page: {error}")))?;
    // The text after the options is examples: keep its lines, and do not fill them up to paragraphs.
    let text = String::from_utf8_lossy(&text).replace(".SH EXTRA\n", ".SH EXAMPLES\n.nf\n");
    Ok(text.replace(".SH VERSION\n", ".fi\n.SH VERSION\n").into_bytes())
}
