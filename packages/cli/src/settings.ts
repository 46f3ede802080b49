/** Which service, which key, which project: from options, the environment and the file that `kcs login` writes. */
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CommandError } from "./exit-codes.ts";
import type { Io } from "./io.ts";

export interface StoredSettings {
  readonly url?: string;
  readonly key?: string;
  readonly project?: string;
}

type Environment = Io["env"];

export const DEFAULT_URL = "http://127.0.0.1:8080";

/** `$XDG_CONFIG_HOME/kcs/config.json` */
export function settingsPath(env: Environment): string {
  return join(baseFolder(env, "XDG_CONFIG_HOME", ".config"), "kcs", "config.json");
}

/** `$XDG_STATE_HOME/kcs` */
export function stateFolder(env: Environment): string {
  return join(baseFolder(env, "XDG_STATE_HOME", ".local/state"), "kcs");
}

/** The specification wants relative paths to be ignored. */
function baseFolder(env: Environment, name: string, fallback: string): string {
  const given = env[name];
  return given?.startsWith("/") === true ? given : join(env["HOME"] ?? homedir(), fallback);
}

/** Nothing where there is no file. @throws CommandError for a file that is no JSON object of texts */
export async function readSettings(env: Environment): Promise<StoredSettings> {
  const path = settingsPath(env);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    if (
      typeof value === "object" &&
      value !== null &&
      Object.values(value).every((one) => typeof one === "string")
    )
      return value;
  } catch {
    // Said below, like any other fault of the file.
  }
  throw new CommandError(`${path} is damaged. Remove it and run kcs login again.`);
}

/** Whole or not at all, and readable by its owner alone. */
export async function writeSettings(env: Environment, settings: StoredSettings): Promise<void> {
  const path = settingsPath(env);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.new`;
  await writeFile(draft, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600); // The mode above does not count where the file was there before.
  await rename(draft, path);
}
