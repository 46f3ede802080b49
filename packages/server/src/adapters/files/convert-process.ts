/** `node convert-process.ts`: converts the one file that the parent names, and sends back what came of it. */
import { writeFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { UnreadableFile } from "../../domain/unreadable-file.ts";
import { convertFile, type FileInput } from "./convert-file.ts";
import type { ConvertReply } from "./convert-reply.ts";

export interface ConvertRequest {
  readonly input: FileInput;
  /** Where the text goes: messages of many megabytes would hold up the parent. */
  readonly textPath: string;
}

/** As threads that embed: requests come first. */
const LOW_PRIORITY = 10;

// pdf.js looks for objects that are not where the file says, but rejects the first try, too, where nobody waits for it.
process.on("unhandledRejection", () => undefined);
process.once("message", async (message) => {
  if (process.platform === "linux") setPriority(LOW_PRIORITY);
  const reply = await convert(message as ConvertRequest).catch(failure); // Sent by `convertInProcess`.
  process.send?.(reply, () => process.disconnect?.());
});
process.send?.({ kind: "ready" } satisfies ConvertReply);

async function convert({ input, textPath }: ConvertRequest): Promise<ConvertReply> {
  const converted = await convertFile(input, (kind) => process.send?.({ kind } satisfies ConvertReply));
  if (converted.kind === "archive") return converted;
  const { text, ...others } = converted;
  await writeFile(textPath, text);
  return others;
}

function failure(error: unknown): ConvertReply {
  if (error instanceof UnreadableFile) return { kind: "unreadable", reason: error.reason };
  if (!(error instanceof Error)) return { kind: "fault", message: String(error), code: null };
  return { kind: "fault", message: error.message, code: "code" in error ? String(error.code) : null };
}
