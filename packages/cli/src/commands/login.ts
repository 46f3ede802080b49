import { createClient } from "@kcs/sdk";
import { type Command, type Context, urlOf } from "../command.ts";
import { CommandError, EXIT, UsageError } from "../exit-codes.ts";
import { type Io, readAll } from "../io.ts";
import { settingsPath, writeSettings } from "../settings.ts";
import { readHidden } from "../terminal/read-hidden.ts";

const MAX_KEY_BYTES = 4096;

export const login: Command = {
  name: "login",
  summary: "Stores the address of a service and an API key, after trying them",
  usage: ["[URL]", "[URL] < file-with-the-key"],
  options: {},
  async run(context) {
    const { io, stored, positionals, options } = context;
    if (positionals.length > 1) throw new UsageError(`${positionals[1]} is one argument too many`);
    const url = checkedUrl(positionals[0] ?? urlOf(io, stored, options));
    const key = await askForKey(io);
    const { projects } = await createClient({ baseUrl: url, apiKey: key }).projects.list(
      { limit: 1 },
      { signal: io.signal },
    );
    // A project of another service or account is no project here.
    const isSame = stored.url === url && stored.key === key;
    const project = isSame ? stored.project : undefined;
    await writeSettings(io.env, { url, key, ...(project !== undefined && { project }) });
    io.err(`Logged in to ${url}. The key is kept in ${settingsPath(io.env)}, readable by you alone.\n`);
    io.err(projects.length === 0 ? "Next: kcs projects create NAME\n" : "Next: kcs projects\n");
    return EXIT.ok;
  },
};

function checkedUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${given} is no address, expected one like https://knowledge.example`);
  }
  return url.href.replace(/\/+$/, "").replace(/\/api\/v1$/, "");
}

/** From the environment, a question on the terminal, or standard input; never from an option, which others could see. */
async function askForKey(io: Context["io"]): Promise<string> {
  const given = io.env["KCS_KEY"]?.trim() || (await readKey(io)).trim();
  if (given === "") throw new UsageError("no key was given");
  if (/\s/.test(given)) throw new CommandError("The key has a space in it. Copy the key alone.");
  return given;
}

function readKey(io: Io): Promise<string> {
  return io.stdin.isTTY === true ? readHidden(io, "API key: ") : readAll(io.stdin, MAX_KEY_BYTES);
}
