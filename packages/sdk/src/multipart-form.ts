/** Writes `multipart/form-data` as one Blob, which is read only as it is sent. */
import { randomHex } from "./random-hex.ts";

export interface FormPart {
  readonly name: string;
  /** A text is a field; a Blob is a file. */
  readonly content: string | Blob;
  /** Of a file. */
  readonly fileName?: string;
}

export interface MultipartForm {
  readonly body: Blob;
  readonly contentType: string;
}

/**
 * In place of a `FormData`: when a file of one cannot be read to its end, because it has changed, `fetch` of Node 26 throws outside
 * of its promise, which ends the program. When a Blob cannot be read, its promise is rejected.
 */
export function createMultipartForm(parts: readonly FormPart[]): MultipartForm {
  const boundary = `kcs-${randomHex()}`;
  const pieces = parts.flatMap((part) => [`--${boundary}\r\n${headOf(part)}\r\n\r\n`, part.content, "\r\n"]);
  return {
    body: new Blob([...pieces, `--${boundary}--\r\n`]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

function headOf({ name, content, fileName = "" }: FormPart): string {
  const disposition = `Content-Disposition: form-data; name="${quoted(name)}"`;
  if (typeof content === "string") return disposition;
  const type = content.type || "application/octet-stream"; // A Blob's type has no line breaks.
  return `${disposition}; filename="${quoted(fileName)}"\r\nContent-Type: ${type}`;
}

/** As the HTML standard writes names in forms. */
function quoted(name: string): string {
  return name.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
}
