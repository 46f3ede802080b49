/** The secret that signs sessions: generated on the first start, kept in the data directory. */
import { randomBytes } from "node:crypto";
import { link, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

const SECRET_BYTES = 32;
const SECRET_LENGTH = SECRET_BYTES * 2;

/**
 * The text of `secret` in the folder, which is made where needed (0600). Of two processes that make it at once
 * one wins, and both return what it wrote.
 */
export async function readOrCreateSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, "secret");
  const temporary = join(dataDir, `.secret-${randomBytes(8).toString("hex")}`);
  const file = await open(temporary, "wx", 0o600);
  try {
    await file.writeFile(randomBytes(SECRET_BYTES).toString("hex"));
    await file.sync();
    // A link fails where the name is taken, so a secret that is there stays.
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await file.close();
    await rm(temporary, { force: true });
  }
  const secret = (await readFile(path, "utf8")).trim();
  if (secret.length < SECRET_LENGTH) {
    throw new Error(`${path} is damaged. Delete it: a new one is made, and people have to sign in again.`);
  }
  return secret;
}
