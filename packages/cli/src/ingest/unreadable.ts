/** Why a file or folder, or a document in one, is skipped. */

/** The message continues the sentence that begins with its name. */
export class UnreadableDocument extends Error {
  override readonly name: string = "UnreadableDocument";
}

/** A text that is not UTF-8. */
export class OtherEncoding extends UnreadableDocument {
  override readonly name = "OtherEncoding";
}

/** The reason, for what concerns this file or folder alone. @throws any other error as it is */
export function reasonOf(error: unknown): string {
  if (error instanceof UnreadableDocument) return error.message;
  const code = codeOfFault(error);
  if (code === null) throw error;
  return `cannot be read now (${code})`;
}

/** That of an error of the operating system, such as EACCES, EBUSY or EIO; null for any other. Those of Node begin with ERR_. */
export function codeOfFault(error: unknown): string | null {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^E[A-Z0-9]{1,30}$/.test(code) ? code : null;
}
