/** The interface of a command, and the context in which it runs. */
import { ApiError, type Client, createClient, type Retry } from "@kcs/sdk";
import { type ExitCode, UsageError } from "./exit-codes.ts";
import type { Io } from "./io.ts";
import { DEFAULT_URL, type StoredSettings } from "./settings.ts";
import { printable } from "./terminal/style.ts";

export interface OptionSpec {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: boolean;
  /** Placeholder of the value in the help. */
  readonly value?: string;
  /** All valid values, for shell completion. */
  readonly choices?: readonly string[];
  readonly description: string;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** The arguments after the name of the command, one entry per form. */
  readonly usage: readonly string[];
  readonly subcommands?: readonly string[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  run(context: Context): Promise<ExitCode>;
}

export interface Context {
  readonly io: Io;
  readonly stored: StoredSettings;
  readonly options: Options;
  /** The arguments that are not options, without the command's name. */
  readonly positionals: readonly string[];
  /** @throws UsageError without a key */
  client(options?: ClientSettings): Client;
  /** @throws UsageError when no project is selected */
  projectId(): string;
}

export interface ClientSettings {
  readonly onRetry?: (retry: Retry) => void;
  readonly maxRetries?: number;
}

export interface Options {
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  flag(name: string): boolean;
  /** @throws UsageError when the value is not a whole number in the range */
  integer(name: string, range: { min: number; max: number; fallback: number }): number;
  /** @throws UsageError when the value is not one of the choices */
  choice<const Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined;
}

export type OptionValue = string | boolean | readonly (string | boolean)[] | undefined;

/** Options of every command. */
export const GLOBAL_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  url: { type: "string", value: "URL", description: "address of the service (KCS_URL)" },
  project: { type: "string", short: "p", value: "ID", description: "id of the project (KCS_PROJECT)" },
  json: { type: "boolean", description: "print JSON" },
  help: { type: "boolean", short: "h", description: "show this help" },
};

/** Options take precedence over the environment, and the environment over the stored settings. */
export function createContext(input: {
  readonly io: Io;
  readonly stored: StoredSettings;
  readonly values: Readonly<Record<string, OptionValue>>;
  readonly positionals: readonly string[];
}): Context {
  const { io, stored } = input;
  const options = readOptions(input.values);
  return {
    io,
    stored,
    options,
    positionals: input.positionals,
    client(settings = {}) {
      const key = keyOf(io, stored);
      if (key === null) throw new UsageError("There is no API key. Run kcs login, or set KCS_KEY.");
      return createClient({
        baseUrl: urlOf(io, stored, options),
        apiKey: key,
        headers: { "user-agent": "kcs-cli" },
        onRetry: settings.onRetry ?? ((retry) => io.err(`${describeRetry(retry)}\n`)),
        retry: settings.maxRetries === undefined ? {} : { maxRetries: settings.maxRetries },
      });
    },
    projectId() {
      const project = options.text("project") ?? filled(io.env["KCS_PROJECT"]) ?? stored.project;
      if (project === undefined) {
        throw new UsageError("No project is selected. Run kcs projects use ID, or add --project ID.");
      }
      return project;
    },
  };
}

export function urlOf(io: Io, stored: StoredSettings, options: Options): string {
  return options.text("url") ?? filled(io.env["KCS_URL"]) ?? stored.url ?? DEFAULT_URL;
}

export function keyOf(io: Io, stored: StoredSettings): string | null {
  return filled(io.env["KCS_KEY"]) ?? stored.key ?? null;
}

export function describeRetry({ error, delayMs }: Retry): string {
  const reason = error instanceof ApiError ? error.detail : error.message;
  const [first = ""] = printable(reason).split("\n");
  return `${/[.!?]$/.test(first) ? first : `${first}.`} Trying again in ${Math.max(1, Math.round(delayMs / 1000))} s.`;
}

function filled(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : value.trim();
}

function readOptions(values: Readonly<Record<string, OptionValue>>): Options {
  const text = (name: string) => {
    const value = values[name];
    return typeof value === "string" ? value : undefined;
  };
  return {
    text,
    texts(name) {
      const value = values[name];
      return Array.isArray(value) ? value.map(String) : [];
    },
    flag: (name) => values[name] === true,
    integer(name, { min, max, fallback }) {
      const given = text(name);
      if (given === undefined) return fallback;
      const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
      if (number >= min && number <= max) return number;
      throw new UsageError(`--${name} is ${given}, expected a whole number from ${min} to ${max}`);
    },
    choice(name, choices) {
      const given = text(name);
      if (given === undefined) return undefined;
      const found = choices.find((choice) => choice === given);
      if (found === undefined)
        throw new UsageError(`--${name} is ${given}, expected ${choices.join(" or ")}`);
      return found;
    },
  };
}

/** The only positional argument. @throws UsageError when there is none or more than one */
export function onlyPositional(positionals: readonly string[], name: string): string {
  const [value, ...rest] = positionals;
  if (value === undefined) throw new UsageError(`${name} is missing`);
  if (rest.length > 0) throw new UsageError(`unexpected argument ${rest[0]}`);
  return value;
}

/** @throws UsageError when there is a positional argument */
export function noPositionals(positionals: readonly string[]): void {
  if (positionals.length > 0) throw new UsageError(`unexpected argument ${positionals[0]}`);
}

/** The error for an unknown or missing subcommand. */
export function unknownAction(command: string, action: string, known: object): UsageError {
  const fault = action === "" ? `kcs ${command} needs a subcommand` : `there is no kcs ${command} ${action}`;
  return new UsageError(`${fault}, expected one of ${Object.keys(known).join(", ")}`);
}
