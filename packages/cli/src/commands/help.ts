import { type Command, GLOBAL_OPTIONS, type OptionSpec } from "../command.ts";

/** The output of `kcs help`. */
export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    "Usage: kcs COMMAND [ARGUMENT…] [OPTION…]",
    "",
    ...lines,
    "",
    "kcs COMMAND --help describes a command. Environment: KCS_URL, KCS_KEY, KCS_PROJECT, NO_COLOR.",
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 key or access, 4 not found, 5 some documents failed,",
    "6 service unreachable or overloaded, 130 interrupted.",
    "",
  ].join("\n");
}

export function commandHelp(command: Command): string {
  const [first = "", ...more] = command.usage.map((form) => `kcs ${command.name} ${form}`.trimEnd());
  return [
    `Usage: ${first}`,
    ...more.map((form) => `       ${form}`),
    "",
    command.summary,
    "",
    ...optionLines({ ...command.options, ...GLOBAL_OPTIONS }),
    "",
  ].join("\n");
}

function optionLines(options: Readonly<Record<string, OptionSpec>>): readonly string[] {
  const rows = Object.entries(options).map(([name, { short, type, value, description, choices }]) => {
    const argument = type === "boolean" ? "" : ` ${value ?? choices?.join("|") ?? "TEXT"}`;
    return [`${short === undefined ? "    " : `-${short}, `}--${name}${argument}`, description] as const;
  });
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
