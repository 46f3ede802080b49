const RANDOM_BYTES = 16;

export type IdPrefix = "prj" | "ont" | "job" | "req" | "whk" | "msg" | "fil" | "fbk" | "cor";

/** A new id: the prefix and 128 random bits in hexadecimal. */
export function newId(prefix: IdPrefix): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
  return `${prefix}_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Whether an untrusted text has the form of an id; a text without it needs no database query. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return (
    text.length === prefix.length + 1 + RANDOM_BYTES * 2 &&
    text.startsWith(`${prefix}_`) &&
    /^[a-z]{3}_[0-9a-f]+$/.test(text)
  );
}
