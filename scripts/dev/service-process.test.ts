import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { startServiceProcess } from "./service-process.ts";

const folder = await mkdtemp(join(tmpdir(), "kcs-dev-"));
after(() => rm(folder, { recursive: true }));
const limitMs = 20_000;

/** A program in the place of the service: listens at once, and ends with SIGTERM. */
function program(version: number): string {
  return `console.log("version ${version} listens on nothing"); setInterval(() => {}, 1000);`;
}

test("a changed source restarts the service, a fault in it is reported, and the next change starts it again", async () => {
  const file = join(folder, "main.ts");
  await writeFile(file, program(1));
  const messages: string[] = [];
  let output = "";
  const service = startServiceProcess({
    command: [file],
    env: process.env,
    folders: [folder],
    onOutput: (part) => {
      output += part.toString();
    },
    onLog: () => undefined,
    onChange: (message) => messages.push(message),
  });
  try {
    assert.equal(await service.whenListening(), true);
    await writeFile(join(folder, "beside.test.ts"), "");
    await writeFile(file, program(2));
    await until(() => output.includes("version 2"));
    assert.equal(await service.whenListening(), true);

    await writeFile(file, "process.exit(3);");
    await until(() => messages.some((message) => message.includes("status 3")));
    assert.equal(await service.whenListening(), false);

    await writeFile(file, program(4));
    await until(() => output.includes("version 4"));
    assert.ok(!messages.some((message) => message.includes(".test.ts")));
  } finally {
    await service.stop();
  }
});

async function until(isTrue: () => boolean): Promise<void> {
  const limit = AbortSignal.timeout(limitMs);
  while (!isTrue()) {
    limit.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
