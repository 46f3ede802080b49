import { type Command, GLOBAL_OPTIONS, onlyPositional } from "../command.ts";
import { EXIT, UsageError } from "../exit-codes.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

/** Completes commands, subcommands, options and the values of options with a fixed set of values. */
export function completion(commands: readonly Command[]): Command {
  const self: Command = {
    name: "completion",
    summary: "Prints a completion script for a shell",
    usage: ["bash|zsh|fish"],
    subcommands: SHELLS,
    options: {},
    async run({ io, positionals }) {
      const given = onlyPositional(positionals, "the name of the shell");
      const shell = SHELLS.find((name) => name === given);
      if (shell === undefined)
        throw new UsageError(`unknown shell ${given}, expected one of ${SHELLS.join(", ")}`);
      await io.out(scriptFor(shell, [...commands, self]));
      return EXIT.ok;
    },
  };
  return self;
}

function scriptFor(shell: (typeof SHELLS)[number], commands: readonly Command[]): string {
  if (shell === "fish") return fishScript(commands);
  const bash = bashScript(commands);
  return shell === "bash" ? bash : `autoload -U +X bashcompinit && bashcompinit\n${bash}`;
}

function optionNames(command: Command): readonly string[] {
  return Object.keys({ ...command.options, ...GLOBAL_OPTIONS }).map((name) => `--${name}`);
}

function bashScript(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  const cases = commands.map((command) => {
    const words = [...(command.subcommands ?? []), ...optionNames(command)].join(" ");
    return `    ${command.name}) words="${words}" ;;`;
  });
  const choices = commands.flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([option, spec]) =>
      spec.choices === undefined ? [] : [`    ${name}:--${option}) words="${spec.choices.join(" ")}" ;;`],
    ),
  );
  return `_kcs() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names} help version" -- "$current"))
    return
  fi
  case "$command" in
${cases.join("\n")}
  esac
  case "$command:$previous" in
${choices.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _kcs kcs
`;
}

function fishScript(commands: readonly Command[]): string {
  const quote = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;
  const lines = commands.flatMap((command) => {
    const within = `-n '__fish_seen_subcommand_from ${command.name}'`;
    const options = Object.entries({ ...command.options, ...GLOBAL_OPTIONS }).map(([name, option]) => {
      const short = option.short === undefined ? "" : ` -s ${option.short}`;
      const values = option.choices === undefined ? "" : ` -a ${quote(option.choices.join(" "))}`;
      const takes = option.type === "string" ? " -r" : "";
      return `complete -c kcs ${within} -l ${name}${short}${takes}${values} -d ${quote(option.description)}`;
    });
    const subcommands = (command.subcommands ?? []).map((name) => `complete -c kcs ${within} -a ${name}`);
    return [
      `complete -c kcs -n __fish_use_subcommand -a ${command.name} -d ${quote(command.summary)}`,
      ...subcommands,
      ...options,
    ];
  });
  return `${lines.join("\n")}\n`;
}
