import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ServiceError } from "../domain/errors.ts";
import { StoreUnavailableError } from "../ports/store.ts";
import { receiveForm } from "./receive-form.ts";

const FILES = 20;
/** More than one read of a socket. */
const FILE_BYTES = 200 * 1024;
const TURNS_OF_A_SLOW_STORE = 50;

test("While a file is being stored, no more than one other is received", async (context) => {
  let [unstored, most] = [0, 0];
  const addFile = () => {
    most = Math.max(most, ++unstored);
    return {
      write: () => Promise.resolve(),
      async end() {
        for (let turn = 0; turn < TURNS_OF_A_SLOW_STORE; turn++) await nextTurn();
        unstored--;
        return { contentId: "", sha256: "", byteLength: FILE_BYTES };
      },
    };
  };
  const server = createServer((request, response) => {
    const options = { limitBytes: 2 * FILES * FILE_BYTES, maxFiles: FILES, addFile };
    receiveForm(request, options).then(
      ({ files }) => response.end(`${files.length} files`),
      () => response.destroy(),
    );
  }).listen(0, "127.0.0.1");
  context.after(() => server.close());
  await once(server, "listening");
  const form = new FormData();
  for (let at = 0; at < FILES; at++)
    form.append("files", new Blob([new Uint8Array(FILE_BYTES)]), `${at}.txt`);
  const { port } = server.address() as AddressInfo; // It listens on a port.
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: form });
  assert.equal(await answer.text(), `${FILES} files`);
  assert.equal(most, 2);
});

test("A form of thousands of parts is refused before they are parsed", async (context) => {
  const addFile = () => assert.fail("No part is parsed.");
  const server = createServer((request, response) => {
    receiveForm(request, { limitBytes: 1024 ** 2, maxFiles: FILES, addFile }).then(
      () => response.end("received"),
      ({ message }: Error) => response.end(message),
    );
  }).listen(0, "127.0.0.1");
  context.after(() => server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // It listens on a port.
  const part = '--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n\r\n';
  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body: part.repeat(200),
  });
  assert.equal(await answer.text(), "body: has too many parts, expected at most 28");
});

for (const when of ["write", "end"] as const) {
  test(`What fails in the store at a file's ${when} is no fault of the form`, async (context) => {
    const full = new StoreUnavailableError("disk_full", "The disk is full.", null);
    const sink = {
      write: () => (when === "write" ? Promise.reject(full) : Promise.resolve()),
      end: () => Promise.reject(full),
    };
    const form = new FormData();
    form.append("files", new Blob([new Uint8Array(FILE_BYTES)]), "a.txt");
    assert.equal(await failureOf(form, () => sink, context), full);
  });
}

test("A form that ends in the middle of a file is malformed", async (context) => {
  const sink = {
    write: () => Promise.resolve(),
    end: () => Promise.resolve({ contentId: "", sha256: "", byteLength: 0 }),
  };
  const body = '--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\ntext';
  const error = await failureOf(body, () => sink, context);
  assert.ok(error instanceof ServiceError);
  assert.match(error.message, /^body: is not valid multipart\/form-data/);
});

/** What `receiveForm` throws. */
async function failureOf(
  body: FormData | string,
  addFile: Parameters<typeof receiveForm>[1]["addFile"],
  context: TestContext,
): Promise<unknown> {
  const failure = Promise.withResolvers<unknown>();
  const server = createServer((request, response) => {
    receiveForm(request, { limitBytes: 1024 ** 2, maxFiles: FILES, addFile })
      .then(() => assert.fail("The form was received."))
      .catch(failure.resolve)
      .finally(() => response.end());
  }).listen(0, "127.0.0.1");
  context.after(() => server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // It listens on a port.
  const headers = typeof body === "string" ? { "content-type": "multipart/form-data; boundary=b" } : {};
  await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body, headers }).catch(() => undefined);
  return failure.promise;
}
