/** Uploads to a server of HTTP, which tells what arrived. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createClient } from "../src/index.ts";
import { own } from "./fake-fetch.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(context: TestContext, answer: Answer): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // It listens on a port.
}

async function formOf(request: IncomingMessage): Promise<FormData> {
  const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
  assert.equal(request.headers["content-length"], String(body.length));
  const headers = { "content-type": request.headers["content-type"] ?? "" };
  return new Response(new Uint8Array(body), { headers }).formData();
}

test("an upload is a form with its length, and the same one after a 429", async (context) => {
  const forms: FormData[] = [];
  const baseUrl = await serve(context, (request, response) => {
    void formOf(request).then((form) => {
      forms.push(form);
      response.writeHead(forms.length === 1 ? 429 : 202, own.json).end("{}");
    });
  });
  const client = createClient({ baseUrl, retry: { minDelayMs: 1 } });
  const path = 'a/"b"\r\n-é.csv';
  const content = new Blob(["a,b\r\n", new Uint8Array([0, 255, 10])], { type: "text/csv" });
  await client.files.upload(
    "p",
    [
      { path, content },
      { path: "", content: new Blob([]) },
    ],
    {
      metadata: { year: 1994 },
    },
  );
  assert.equal(forms.length, 2);
  for (const form of forms) {
    assert.deepEqual(JSON.parse(String(form.get("source_doc_ids"))), [path, ""]);
    assert.deepEqual(JSON.parse(String(form.get("metadata"))), { year: 1994 });
    const [file, empty] = form.getAll("files");
    assert.ok(file instanceof File && empty instanceof File);
    assert.deepEqual([file.type, empty.type, empty.size], ["text/csv", "application/octet-stream", 0]);
    assert.deepEqual(await file.bytes(), await content.bytes());
  }
});

/** In a process of its own, which an error outside of every promise would end. */
const PROGRAM = `
  import { appendFile } from "node:fs/promises";
  import { openAsBlob } from "node:fs";
  import { createClient } from ${JSON.stringify(import.meta.resolve("../src/index.ts"))};
  const [baseUrl, path, isChanged] = process.argv.slice(1);
  const content = await openAsBlob(path);
  if (isChanged === "before") await appendFile(path, "x");
  let retries = 0;
  const client = createClient({ baseUrl, retry: { minDelayMs: 300 }, onRetry: () => void retries++ });
  await client.files.upload("p", [{ path: "a.csv", content }]).then(
    () => console.log("sent"),
    (error) => console.log(error.name, error.message, retries),
  );
  await new Promise((resolve) => setTimeout(resolve, 200));
  console.log("goes on");
`;

test("a file that changes before it is sent, while it is, or before it is sent again, rejects the upload", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "kcs-sdk-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "a.csv");
  const change = () => appendFile(path, "x");
  const while_: Answer = (request) => {
    request.once("data", () => {
      request.pause();
      void change().then(() => request.resume());
    });
  };
  const again: Answer = (request, response) => {
    request.resume().on("end", () => void change().then(() => response.writeHead(429).end("{}")));
  };
  const early: Answer = (_request, response) => {
    void change().then(() => response.writeHead(429).end("{}"));
  };
  const cases = { before: while_, while: while_, again, early };
  for (const [name, answer] of Object.entries(cases)) {
    await writeFile(path, Buffer.alloc(name === "again" ? 1_000 : 30_000_000, "a"));
    const baseUrl = await serve(context, answer);
    const child = spawn(process.execPath, ["--input-type=module", "-e", PROGRAM, baseUrl, path, name]);
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (part: Buffer) => {
        said += part.toString();
      });
    const [code] = await once(child, "close");
    assert.equal(code, 0, `${name}: ${said}`);
    const unreadable = /^KcsError A file could not be read to its end.* \d\ngoes on\n$/;
    // A server that answers at the headers may be heard each time before the read has failed.
    const refused = /^RateLimitError 429.* 3\ngoes on\n$/;
    const asExpected = unreadable.test(said) || (name === "early" && refused.test(said));
    assert.ok(asExpected, `${name}: ${said}`);
  }
});
