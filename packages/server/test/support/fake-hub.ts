/** A hub of the Hugging Face protocol on this machine: one repository from memory, and requests that it answers wrongly. */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const REVISION = "0123456789abcdef0123456789abcdef01234567";

export interface HubRequest {
  readonly path: string;
  readonly range: string | null;
  readonly authorization: string | null;
}

/** Answers the request itself and returns true, or leaves it to the hub. */
export type Misbehaviour = (request: HubRequest, response: ServerResponse) => boolean;

export interface FakeHub {
  readonly url: string;
  readonly requests: readonly HubRequest[];
  /** For the requests to come; null = none. */
  misbehave(misbehaviour: Misbehaviour | null): void;
  /** In place of what the hub lists about a file. */
  list(path: string, listed: Readonly<Record<string, unknown>>): void;
  close(): Promise<void>;
}

/** Weights are listed with their SHA-256, the other files with the name that Git gives them, as on the real hub. */
export async function startFakeHub(id: string, files: ReadonlyMap<string, Buffer>): Promise<FakeHub> {
  const requests: HubRequest[] = [];
  const listed = new Map<string, Readonly<Record<string, unknown>>>();
  let misbehaviour: Misbehaviour | null = null;

  function answer(message: IncomingMessage, response: ServerResponse): void {
    const path = decodeURIComponent(message.url ?? "");
    const { range = null, authorization = null } = message.headers;
    const request = { path, range, authorization };
    requests.push(request);
    if (misbehaviour?.(request, response) === true) return;
    if (path === `/api/models/${id}/revision/main?blobs=true`) {
      const siblings = [...files].map(([name, bytes]) => ({ ...sibling(name, bytes), ...listed.get(name) }));
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ sha: REVISION, siblings }));
      return;
    }
    const bytes = files.get(path.slice(`/${id}/resolve/${REVISION}/`.length));
    if (bytes === undefined) response.writeHead(404).end();
    else sendFrom(bytes, { range, response });
  }

  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // It listens on a port.
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    misbehave(next) {
      misbehaviour = next;
    },
    list: (path, fields) => void listed.set(path, fields),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The bytes from the start of the range on. */
export function sendFrom(
  bytes: Buffer,
  { range, response }: { readonly range: string | null; readonly response: ServerResponse },
): void {
  const start = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
  response.setHeader("content-length", bytes.length - start);
  if (start === 0) response.end(bytes);
  else {
    response.setHeader("content-range", `bytes ${start}-${bytes.length - 1}/${bytes.length}`);
    response.writeHead(206).end(bytes.subarray(start));
  }
}

function sibling(rfilename: string, bytes: Buffer): Record<string, unknown> {
  const blobId = createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
  const isLarge = rfilename.endsWith(".onnx");
  const lfs = { sha256: createHash("sha256").update(bytes).digest("hex"), size: bytes.length };
  return { rfilename, size: bytes.length, blobId, ...(isLarge ? { lfs } : {}) };
}
