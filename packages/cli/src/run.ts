/** From the words of a command line to an exit code. */
import { parseArgs } from "node:util";
import { type Command, createContext, GLOBAL_OPTIONS, type OptionSpec, type OptionValue } from "./command.ts";
import { COMMANDS } from "./commands/all-commands.ts";
import { commandHelp, overview } from "./commands/help.ts";
import { CommandError, describeError, EXIT, type ExitCode, exitCodeOf, UsageError } from "./exit-codes.ts";
import type { Io } from "./io.ts";
import { readSettings } from "./settings.ts";

export const CLI_VERSION = "0.1.0";

/** Runs one command line, without the name of the program. Never throws. */
export async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  const [name = "help", ...rest] = args;
  if (["help", "--help", "-h"].includes(name)) return help(rest[0], io);
  if (["version", "--version", "-v"].includes(name)) return say(io, `${CLI_VERSION}\n`);
  const command = COMMANDS.find((known) => known.name === name);
  if (command === undefined) {
    io.err(`kcs: there is no command ${name}. kcs help lists them.\n`);
    return EXIT.usage;
  }
  try {
    return await runCommand(command, rest, io);
  } catch (error) {
    return report(error, command, io);
  }
}

async function runCommand(command: Command, args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = parse(command, args);
  if (values["help"] === true) return say(io, commandHelp(command));
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
    // "Unknown option '--x'. To specify a positional argument …": the first sentence says it.
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

function report(error: unknown, command: Command, io: Io): ExitCode {
  if (isGoneReader(error)) return EXIT.ok;
  if (io.signal.aborted) {
    io.err(error instanceof CommandError ? `${error.message}\n` : "Interrupted.\n");
    return EXIT.interrupted;
  }
  io.err(`kcs ${command.name}: ${describeError(error)}\n`);
  if (error instanceof UsageError) io.err(`kcs ${command.name} --help shows how it is used.\n`);
  return exitCodeOf(error);
}

/** `kcs … | head` has all it wanted. */
export function isGoneReader(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE";
}

async function help(name: string | undefined, io: Io): Promise<ExitCode> {
  const command = COMMANDS.find((known) => known.name === name);
  if (name !== undefined && command === undefined) {
    io.err(`kcs: there is no command ${name}.\n`);
    return EXIT.usage;
  }
  return say(io, command === undefined ? overview(COMMANDS) : commandHelp(command));
}

async function say(io: Io, text: string): Promise<ExitCode> {
  await io.out(text);
  return EXIT.ok;
}
