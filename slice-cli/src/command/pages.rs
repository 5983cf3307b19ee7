//! Implements `slice man` and `slice completions`, whose output is generated from the definitions of the arguments.

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man as Page;

use super::{Arguments, print};
use crate::input::CommandError;

/// Print the completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  slice completions bash > ~/.local/share/bash-completion/completions/slice
  slice completions fish > ~/.config/fish/completions/slice.fish")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// Print the manual page of the command or of a subcommand
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  slice man > slice.1
  slice man explain | man -l -")]
pub struct Man {
    /// The subcommand; if omitted, the page describes the command itself
    subcommand: Option<String>,
}

/// Prints the completion script for a shell. Never returns an error.
pub fn completions(arguments: &Completions) -> Result<(), CommandError> {
    let mut text = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut Arguments::command(),
        "slice",
        &mut text,
    );
    print(&String::from_utf8_lossy(&text));
    Ok(())
}

/// Prints the manual page of the command or of a subcommand. Returns an error if there is no such subcommand.
pub fn man(arguments: &Man) -> Result<(), CommandError> {
    let mut command = Arguments::command();
    command.build();
    let command = match &arguments.subcommand {
        None => command,
        Some(name) => {
            let names: Vec<_> = command
                .get_subcommands()
                .map(clap::Command::get_name)
                .collect();
            let message = format!(
                "unknown subcommand {name:?}: expected one of {}",
                names.join(", ")
            );
            let page_command = command.find_subcommand(name).cloned();
            let page_command = page_command.ok_or_else(|| CommandError::usage(message))?;
            page_command.display_name(format!("slice-{name}"))
        }
    };
    let mut text = Vec::new();
    Page::new(command).render(&mut text)?;
    print(&String::from_utf8_lossy(&text));
    Ok(())
}
