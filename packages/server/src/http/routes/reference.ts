/** The API's description: for programs, for people, for language models. Without credentials, as it is the same for all. */
import { createOpenApiDocument } from "@kcs/contract/openapi";
import type { FastifyInstance } from "fastify";
import { llmsText } from "../reference/llms.ts";
import { referencePage, referencePolicy } from "../reference/page.ts";

const CACHING = "public, max-age=300";

export function addReferenceRoutes(
  app: FastifyInstance,
  { publicUrl }: { readonly publicUrl: string },
): void {
  // Made when first asked for: most processes never are.
  const made = new Map<string, string>();
  const text = (name: string, make: (document: ReturnType<typeof createOpenApiDocument>) => string) => {
    const known = made.get(name) ?? make(createOpenApiDocument({ serverUrl: publicUrl }));
    made.set(name, known);
    return known;
  };

  app.get("/openapi.json", (_request, reply) =>
    reply
      .headers({ "content-type": "application/json; charset=utf-8", "cache-control": CACHING })
      .send(text("openapi", (document) => JSON.stringify(document))),
  );

  app.get("/docs", (_request, reply) =>
    reply
      .headers({
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": referencePolicy,
        "cache-control": CACHING,
      })
      .send(text("docs", referencePage)),
  );

  app.get("/llms.txt", (_request, reply) =>
    reply
      .headers({ "content-type": "text/plain; charset=utf-8", "cache-control": CACHING })
      .send(text("llms", llmsText)),
  );
}
