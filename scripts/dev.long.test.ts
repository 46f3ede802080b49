/** `npm run dev` as a process: the real service behind the dashboard's development server. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, utimes } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";

const root = resolve(import.meta.dirname, "..");
const limitMs = 90_000;

const dataDir = await mkdtemp(join(tmpdir(), "kcs-dev-"));
after(() => rm(dataDir, { recursive: true, force: true }));

test("dev serves dashboard and API at one address, and restarts the service with a change", async () => {
  // The built model of other tests.
  const models = join(root, "node_modules/.cache/kcs-models");
  await mkdir(models, { recursive: true });
  await symlink(models, join(dataDir, "models"), "junction");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [join(root, "scripts/dev.ts")], {
    env: { PATH, HOME, KCS_PORT: String(port), KCS_DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part: Buffer) => {
      output += part.toString();
    });
  }
  try {
    await until(child, () => output.includes(`listens on ${url}`) && output.includes("reloads by itself"));
    assert.equal((await fetch(`${url}/health`)).status, 200);
    const page = await (await fetch(`${url}/projects`, { headers: { accept: "text/html" } })).text();
    assert.match(page, /\/@vite\/client/);
    assert.doesNotMatch(page, /%[A-Z_]+%/);
    // The service's check of origins takes the page's address for its own.
    const signIn = await fetch(`${url}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { origin: url, "content-type": "application/json" },
      body: JSON.stringify({ email: "nobody@mail.example", password: "not the password" }),
    });
    assert.equal(signIn.status, 401);
    assert.match(output, /\d{2}:\d{2}:\d{2}\.\d{3} INFO {2}listening/);

    const startsBefore = output.split("listens on").length;
    const now = new Date();
    await utimes(join(root, "packages/server/src/main.ts"), now, now);
    await until(child, () => output.split("listens on").length > startsBefore);
    assert.match(output, /main\.ts changed: the service restarts/);
    assert.equal((await fetch(`${url}/health`)).status, 200);
  } catch (error) {
    process.stderr.write(output);
    throw error;
  } finally {
    child.kill("SIGTERM");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
  assert.equal(child.exitCode, 0, output);
  await assert.rejects(fetch(`${url}/health`), "nothing listens any more");
});

async function until(child: ChildProcess, isTrue: () => boolean): Promise<void> {
  const limit = AbortSignal.timeout(limitMs);
  while (!isTrue()) {
    limit.throwIfAborted();
    assert.equal(child.exitCode, null, "dev ended by itself");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  assert.ok(address !== null && typeof address === "object");
  return address.port;
}
