/** Converts nothing: does what the file says, as a process would that its file has taken over. */
import { readFileSync, writeFileSync } from "node:fs";
import type { ConvertRequest } from "../../src/adapters/files/convert-process.ts";

const PAGE = { page: 1, start: 0 };
const TEXT = { kind: "text", mediaType: "text/plain", title: null, date: null, pages: [PAGE], ocr: null };

process.once("message", (message) => {
  const { input, textPath } = message as ConvertRequest; // What `convertInProcess` sends.
  const lie = readFileSync(input.path, "utf8");
  if (lie === "that it recognises without end") {
    process.send?.({ kind: "recognising" });
    return;
  }
  if (lie === "that drawings take too much" && input.isWithoutDrawings !== true) {
    process.send?.({ kind: "drawings" }, () => process.abort());
    return;
  }
  const isLong = lie === "a text that is too long";
  writeFileSync(textPath, "x".repeat(input.limits.maxTextBytes + (isLong ? 1 : 0)));
  const reply = lie === "pages that do not ascend" ? { ...TEXT, pages: [PAGE, PAGE] } : TEXT;
  const send = () => process.send?.(reply, () => process.disconnect?.());
  setTimeout(send, lie === "nothing for two seconds" ? 2_000 : 0);
});
process.send?.({ kind: "ready" });
