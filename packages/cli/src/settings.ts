/** The settings file that `kcs login` writes: address, key and project. */
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

/** The XDG Base Directory Specification requires that relative paths are ignored. */
function baseFolder(env: Environment, name: string, fallback: string): string {
  const given = env[name];
  return given?.startsWith("/") === true ? given : join(env["HOME"] ?? homedir(), fallback);
}

/** Empty when there is no file. @throws CommandError when the file is not a JSON object of texts */
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
      Object.values(value).every((setting) => typeof setting === "string")
    )
      return value;
  } catch {
    // Invalid JSON is reported below, like any other fault of the file.
  }
  throw new CommandError(`${path} is damaged. Remove it and run kcs login again.`);
}

/** Replaces the file atomically. Only its owner can read it. */
export async function writeSettings(env: Environment, settings: StoredSettings): Promise<void> {
  const path = settingsPath(env);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.new`;
  await writeFile(draft, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600); // `mode` above has no effect on a file that already exists.
  await rename(draft, path);
}
