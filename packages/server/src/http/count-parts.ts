/** Counts the parts of a form as its bytes pass: a parser leaves out those whose headers it does not understand. */
export interface PartCounter {
  add(chunk: Uint8Array): void;
  /** Of a form that has ended. */
  parts(): number;
}

/** `boundary` is what the `Content-Type` says, without the hyphens before it (RFC 2046, section 5.1.1). */
export function createPartCounter(boundary: string): PartCounter {
  const delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  // The first delimiter may stand at the very beginning.
  let rest: Buffer = Buffer.from("\r\n");
  let found = 0;
  return {
    add(chunk) {
      const bytes = Buffer.concat([rest, chunk]);
      let from = 0;
      for (let at = bytes.indexOf(delimiter); at >= 0; at = bytes.indexOf(delimiter, from)) {
        found++;
        from = at + delimiter.length;
      }
      rest = bytes.subarray(Math.max(from, bytes.length - delimiter.length + 1));
    },
    // The last one ends the form.
    parts: () => Math.max(0, found - 1),
  };
}
