/**
 * The description of the API for programs, people and language models. Needs no credentials,
 * because it is the same for everybody.
 */
import { createOpenApiDocument } from "@kcs/contract/openapi";
import type { FastifyInstance } from "fastify";
import { llmsText } from "../reference/llms.ts";
import { referencePage, referencePolicy } from "../reference/page.ts";

const CACHING = "public, max-age=300";

export function addReferenceRoutes(
  app: FastifyInstance,
  { publicUrl }: { readonly publicUrl: string },
): void {
  // Built at the first request, because most processes never get one. Bytes, not text: Node would encode it for each response, and
  // keep it for each client that does not read, while all responses share these.
  const cache = new Map<string, Buffer>();
  const bytesOf = (name: string, build: (document: ReturnType<typeof createOpenApiDocument>) => string) => {
    const bytes = cache.get(name) ?? Buffer.from(build(createOpenApiDocument({ serverUrl: publicUrl })));
    cache.set(name, bytes);
    return bytes;
  };

  app.get("/openapi.json", (_request, reply) =>
    reply
      .headers({ "content-type": "application/json; charset=utf-8", "cache-control": CACHING })
      .send(bytesOf("openapi", (document) => JSON.stringify(document))),
  );

  app.get("/docs", (_request, reply) =>
    reply
      .headers({
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": referencePolicy,
        "cache-control": CACHING,
      })
      .send(bytesOf("docs", referencePage)),
  );

  app.get("/llms.txt", (_request, reply) =>
    reply
      .headers({ "content-type": "text/plain; charset=utf-8", "cache-control": CACHING })
      .send(bytesOf("llms", llmsText)),
  );
}
