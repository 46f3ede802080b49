/** Says what was not sent, and why, in words that stay true when the service is back. */
import { isUnreachable, messageOf } from "../../../api/fault.ts";
import type { UploadNote } from "../../../api/upload-notes.ts";

const maxNamed = 3;

export function reasonOf(error: unknown): string {
  return isUnreachable(error) ? "The service could not be reached." : messageOf(error);
}

/** Of something that stays where it was typed. */
export function formFaultOf(error: unknown): string {
  return isUnreachable(error)
    ? "The service could not be reached, so this was not sent. Send it again when it is back."
    : messageOf(error);
}

export function emptyNote(names: readonly string[]): UploadNote {
  return {
    count: names.length,
    text: `Not sent, because there is nothing in ${names.length === 1 ? "it" : "them"}: ${listed(names)}.`,
    canBeSent: false,
  };
}

export function refusedNote(names: readonly string[], chosen: number, error: unknown): UploadNote {
  const of = names.length === chosen ? "" : ` of ${counted(chosen)}`;
  const files = chosen === 1 ? "file" : "files";
  const what = `${counted(names.length)}${of} ${files} ${names.length === 1 ? "was" : "were"} not sent`;
  return { count: names.length, text: `${what}: ${listed(names)}. ${reasonOf(error)}`, canBeSent: true };
}

function listed(names: readonly string[]): string {
  const more = names.length - maxNamed;
  return `${names.slice(0, maxNamed).join(", ")}${more > 0 ? ` and ${counted(more)} more` : ""}`;
}

function counted(count: number): string {
  return count.toLocaleString("en");
}
