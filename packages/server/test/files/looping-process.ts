/** Converts nothing: writes its id to where the text should go, and never ends by itself. */
import { writeFileSync } from "node:fs";

process.once("message", (message) => {
  writeFileSync((message as { textPath: string }).textPath, String(process.pid)); // What `convertInProcess` sends.
  for (;;);
});
process.send?.({ kind: "ready" });
