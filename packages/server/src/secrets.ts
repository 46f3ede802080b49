/** The secret that signs sessions, generated on the first start and stored in the data directory. */
import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { link, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

const SECRET_BYTES = 32;
const SECRET_LENGTH = SECRET_BYTES * 2;

/** Whether a service has used the data directory before, and made its secret. */
export function hasSecret(dataDir: string): boolean {
  return statSync(join(dataDir, "secret"), { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * The content of the file `secret` in the folder, which is created if it is missing (mode 0600). If two processes create it
 * concurrently, both return the content of the one that was first.
 */
export async function readOrCreateSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, "secret");
  const temporary = join(dataDir, `.secret-${randomBytes(8).toString("hex")}`);
  const file = await open(temporary, "wx", 0o600);
  try {
    await file.writeFile(newSecret());
    await file.sync();
    // A link fails if the name exists, so an existing secret is kept.
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await file.close();
    await rm(temporary, { force: true });
  }
  return readSecret(dataDir);
}

export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString("hex");
}

/** The content of the file, which exists. */
export async function readSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, "secret");
  const secret = (await readFile(path, "utf8").catch(refuseFolder(path))).trim();
  if (secret.length < SECRET_LENGTH) {
    throw new Error(`${path} is damaged. Delete it: a new one is made, and people have to sign in again.`);
  }
  return secret;
}

function refuseFolder(path: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code !== "EISDIR") throw error;
    throw new Error(`${path} is a folder, but must be a file. Move the folder away.`, { cause: error });
  };
}
