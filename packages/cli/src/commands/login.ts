import { createClient } from "@kcs/sdk";
import { type Command, type Context, urlOf } from "../command.ts";
import { CommandError, EXIT, UsageError } from "../exit-codes.ts";
import { type Io, readAll } from "../io.ts";
import { settingsPath, writeSettings } from "../settings.ts";
import { readHidden } from "../terminal/read-hidden.ts";

const MAX_KEY_BYTES = 4096;

export const login: Command = {
  name: "login",
  summary: "Checks the address of a service and an API key, and stores them",
  usage: ["[URL]", "[URL] < file-with-the-key"],
  options: {},
  async run(context) {
    const { io, stored, positionals, options } = context;
    if (positionals.length > 1) throw new UsageError(`unexpected argument ${positionals[1]}`);
    const url = checkedUrl(positionals[0] ?? urlOf(io, stored, options));
    const key = await askForKey(io);
    const { projects } = await createClient({ baseUrl: url, apiKey: key }).projects.list(
      { limit: 1 },
      { signal: io.signal },
    );
    // The stored project belongs to the stored service and account.
    const isSameLogin = stored.url === url && stored.key === key;
    const project = isSameLogin ? stored.project : undefined;
    await writeSettings(io.env, { url, key, ...(project !== undefined && { project }) });
    io.err(`Logged in to ${url}. The key is stored in ${settingsPath(io.env)}, which only you can read.\n`);
    io.err(projects.length === 0 ? "Next: kcs projects create NAME\n" : "Next: kcs projects\n");
    return EXIT.ok;
  },
};

function checkedUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${given} is not a valid address, expected one like https://knowledge.example`);
  }
  if (url.username !== "" || url.password !== "")
    throw new UsageError("the address has a user name or a password, which cannot be sent");
  return url.href.replace(/\/{1,64}$/, "").replace(/\/api\/v1$/, "");
}

/** From the environment, a prompt on the terminal, or standard input. Never from an option, which other users could see. */
async function askForKey(io: Context["io"]): Promise<string> {
  const given = io.env["KCS_KEY"]?.trim() || (await readKey(io)).trim();
  if (given === "") throw new UsageError("no key was given");
  if (/\s/.test(given)) throw new CommandError("The key contains white space. Copy only the key.");
  return given;
}

function readKey(io: Io): Promise<string> {
  return io.stdin.isTTY === true ? readHidden(io, "API key: ") : readAll(io.stdin, MAX_KEY_BYTES);
}
