/** One file of a hub: continued where an earlier download ended, never longer than announced, verified at its end. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { isMissing } from "../local/manifest.ts";
import { ModelFault } from "../local/model-fault.ts";
import type { HubClient } from "./hub-client.ts";

export interface HubFile {
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of large files; of others the SHA-1 by which Git names them. */
  readonly hash: { readonly algorithm: "sha256" | "git"; readonly hex: string };
}

/** Returns the file's SHA-256. `onBytes` receives how many bytes are there, those of earlier downloads included. */
export async function downloadFile(
  client: HubClient,
  source: { readonly file: HubFile; readonly url: string; readonly target: string },
  onBytes: (bytes: number) => void,
): Promise<string> {
  const { file, url, target } = source;
  await mkdir(dirname(target), { recursive: true });
  let written = await sizeOf(target);
  if (written > file.bytes) written = 0;
  onBytes(written);
  const isComplete = written === file.bytes && written > 0;
  if (!isComplete) {
    const receive: Parameters<HubClient["download"]>[1] = async (response, onPiece) => {
      written = requireStart(response, { file, written });
      const output = await open(target, written === 0 ? "w" : "a");
      try {
        for await (const piece of response.body ?? []) {
          if (written + piece.byteLength > file.bytes) throw tooLong(file);
          await output.writeFile(piece).catch(asDiskFault);
          written += piece.byteLength;
          onPiece(piece.byteLength);
          onBytes(written);
        }
        await output.sync();
      } finally {
        await output.close();
      }
      return written === file.bytes;
    };
    await client.download(url, receive, () => written);
  }
  return requireHash(target, file);
}

function asDiskFault(error: unknown): never {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code !== "ENOSPC" && code !== "EDQUOT") throw error;
  const message =
    "The disk is full. What was downloaded is kept: with more room, the same command continues there.";
  throw new ModelFault(message, { cause: error });
}

/** Where the answer's bytes begin in the file. */
function requireStart(
  { status, headers }: Response,
  { file, written }: { readonly file: HubFile; readonly written: number },
): number {
  const range = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/.exec(headers.get("content-range") ?? "");
  const start = status === 206 && Number(range?.[1]) === written ? written : 0;
  if (status === 206 && start === 0 && written > 0)
    throw new ModelFault(`The hub answered with another part of ${file.path} than was requested.`);
  const length = headers.get("content-length");
  if (length !== null && start + Number(length) > file.bytes) throw tooLong(file);
  return start;
}

function tooLong({ path, bytes }: HubFile): ModelFault {
  return new ModelFault(
    `The hub sends more than the ${bytes} bytes that it lists for ${path}. Nothing more was read.`,
  );
}

/** Removes a file with another hash: continuing it cannot help. */
async function requireHash(target: string, { path, bytes, hash }: HubFile): Promise<string> {
  const sha256 = createHash("sha256");
  const git = createHash("sha1").update(`blob ${bytes}\0`);
  for await (const piece of createReadStream(target, { highWaterMark: 1 << 20 })) {
    sha256.update(piece as Buffer); // No encoding is set.
    if (hash.algorithm === "git") git.update(piece as Buffer);
  }
  const found = sha256.digest("hex");
  if ((hash.algorithm === "git" ? git.digest("hex") : found) === hash.hex) return found;
  await rm(target);
  throw new ModelFault(
    `${path} does not have the hash that the hub lists, so it was deleted. Try again; if it happens again, the hub or a proxy alters files.`,
  );
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}
