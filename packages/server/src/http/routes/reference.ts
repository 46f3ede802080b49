/**
 * The description of the API for programs, people and language models. Needs no credentials,
 * because it is the same for everybody.
 */
import type { FastifyInstance } from "fastify";
import type { ReadLargeBody } from "../large-body.ts";
import type { ApiReference } from "../reference/make-reference.ts";
import { referencePolicy } from "../reference/page.ts";

const CACHING = "public, max-age=300";

const TYPES = {
  openapi: "application/json; charset=utf-8",
  docs: "text/html; charset=utf-8",
  llms: "text/plain; charset=utf-8",
} as const;

export function addReferenceRoutes(
  app: FastifyInstance,
  { publicUrl, readLargeBody }: { readonly publicUrl: string; readonly readLargeBody: ReadLargeBody },
): void {
  // Made at the first request, because most processes never get one, and in the thread, because it takes too long for this one.
  let made: Promise<Record<keyof ApiReference, Buffer>> | null = null;
  const make = async () => {
    const read = await readLargeBody({
      form: "reference",
      pieces: [Uint8Array.from(Buffer.from(publicUrl))],
    });
    const { openapi, docs, llms } = read();
    // Bytes, not text: Node would encode it for each response, and keep it for each client that does not read, while all responses
    // share these.
    return { openapi: Buffer.from(openapi), docs: Buffer.from(docs), llms: Buffer.from(llms) };
  };
  const bytesOf = async (name: keyof ApiReference) => {
    made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return (await made)[name];
  };
  const add = (path: string, name: keyof ApiReference, headers: Readonly<Record<string, string>> = {}) =>
    app.get(path, async (_request, reply) =>
      reply
        .headers({ "content-type": TYPES[name], "cache-control": CACHING, ...headers })
        .send(await bytesOf(name)),
    );

  add("/openapi.json", "openapi");
  add("/docs", "docs", { "content-security-policy": referencePolicy });
  add("/llms.txt", "llms");
}
