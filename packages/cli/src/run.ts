/** Parses a command line and runs its command. */
import { parseArgs } from "node:util";
import { type Command, createContext, GLOBAL_OPTIONS, type OptionSpec, type OptionValue } from "./command.ts";
import { COMMANDS } from "./commands/all-commands.ts";
import { commandHelp, overview } from "./commands/help.ts";
import { CommandError, describeError, EXIT, type ExitCode, exitCodeOf, UsageError } from "./exit-codes.ts";
import type { Io } from "./io.ts";
import { readSettings } from "./settings.ts";
import { safeForTerminals } from "./terminal/safe-output.ts";
import { printable } from "./terminal/style.ts";

export const CLI_VERSION = "0.1.0";

/** @param args without the name of the program */
export async function run(args: readonly string[], given: Io): Promise<ExitCode> {
  const io = safeForTerminals(given);
  const [name = "help", ...rest] = args;
  try {
    if (["help", "--help", "-h"].includes(name)) return await help(rest[0], io);
    if (["version", "--version", "-v"].includes(name)) return await print(io, `${CLI_VERSION}\n`);
    const command = COMMANDS.find((known) => known.name === name);
    if (command !== undefined) return await runCommand(command, rest, io);
    io.err(`kcs: there is no command ${name}. kcs help lists the commands.\n`);
    return EXIT.usage;
  } catch (error) {
    return report(error, name, io);
  }
}

async function runCommand(command: Command, args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = parse(command, args);
  if (values["help"] === true) return print(io, commandHelp(command));
  const context = createContext({ io, stored: await readSettings(io.env), values, positionals });
  return await command.run(context);
}

function parse(command: Command, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: plainOptions({ ...GLOBAL_OPTIONS, ...command.options }),
      allowPositionals: true,
    }) as { values: Readonly<Record<string, OptionValue>>; positionals: readonly string[] };
  } catch (error) {
    // Only the first sentence is useful: "Unknown option '--x'. To specify a positional argument …".
    throw new UsageError(
      error instanceof Error ? (error.message.split(". ")[0] ?? error.message) : String(error),
    );
  }
}

function plainOptions(options: Readonly<Record<string, OptionSpec>>) {
  return Object.fromEntries(
    Object.entries(options).map(([name, { type, short, multiple = false }]) => [
      name,
      { type, multiple, ...(short !== undefined && { short }) },
    ]),
  );
}

function report(error: unknown, name: string, io: Io): ExitCode {
  if (io.signal.aborted) {
    io.err(error instanceof CommandError ? `${error.message}\n` : "Interrupted.\n");
    return EXIT.interrupted;
  }
  io.err(`kcs ${name}: ${printable(describeError(error))}\n`);
  if (error instanceof UsageError) io.err(`kcs ${name} --help shows how it is used.\n`);
  return exitCodeOf(error);
}

async function help(name: string | undefined, io: Io): Promise<ExitCode> {
  const command = COMMANDS.find((known) => known.name === name);
  if (name !== undefined && command === undefined) {
    io.err(`kcs: there is no command ${name}.\n`);
    return EXIT.usage;
  }
  return print(io, command === undefined ? overview(COMMANDS) : commandHelp(command));
}

async function print(io: Io, text: string): Promise<ExitCode> {
  await io.out(text);
  return EXIT.ok;
}
