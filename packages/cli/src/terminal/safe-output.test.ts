import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import type { Io } from "../io.ts";
import { safeForTerminals } from "./safe-output.ts";
import { CLEAR_LINE, styleOf } from "./style.ts";

const evil = "Pier\u009b31m \u202egnp.exe\u001b]0;title\u0007\r\u001b[31mred\r\u001b[K";

async function write(terminal: Io["outTerminal"], parts: readonly (string | Uint8Array)[]) {
  let [out, err] = ["", ""];
  const io = safeForTerminals({
    env: {},
    stdin: Readable.from([]),
    async out(text) {
      out += typeof text === "string" ? text : Buffer.from(text).toString();
      return true;
    },
    err(text) {
      err += text;
    },
    outTerminal: terminal,
    errTerminal: terminal,
    signal: new AbortController().signal,
  });
  for (const part of parts) await io.out(part);
  for (const part of parts) if (typeof part === "string") io.err(part);
  return { out, err };
}

test("a terminal gets the escape sequences of this command only", async () => {
  const own = "\r\u001b[K\u001b[1mPassages\u001b[22m\n\t";
  const marked = `${CLEAR_LINE}${styleOf({ columns: 80, hasColour: true }).bold("Passages")}\n\t`;
  const shown = "Pier\ufffd31m \ufffdgnp.exe␛]0;title␇␍␛[31mred␍␛[K";
  const terminal = { columns: 80, hasColour: true };
  assert.deepEqual(await write(terminal, [marked, evil]), { out: own + shown, err: own + shown });
  const bytes = [...Buffer.from(`é\u001b[1m${evil}`)].map((byte) => Uint8Array.of(byte));
  assert.equal(
    (await write(terminal, bytes)).out,
    `é␛[1m${shown}`,
    "data has no style, and may be cut anywhere",
  );
});

test("a pipe gets results unchanged", async () => {
  assert.equal((await write(null, [evil, Buffer.from(evil)])).out, evil + evil);
});
