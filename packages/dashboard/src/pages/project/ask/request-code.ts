/** Generates code that sends a question to the service. */
import type { Query } from "@kcs/sdk";

export interface QueryRequest {
  /** Address of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly projectId: string;
  readonly body: Query;
}

/** For a POSIX shell, with the key in `KCS_KEY`. */
export function curlOf({ baseUrl, projectId, body }: QueryRequest): string {
  const json = JSON.stringify(body).replaceAll("'", `'\\''`);
  return [
    `curl ${baseUrl}/api/v1/projects/${projectId}/query \\`,
    `  -H "Authorization: Bearer $KCS_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${json}'`,
  ].join("\n");
}

/** For `@kcs/sdk`, with the key in `KCS_KEY`. */
export function sdkOf({ baseUrl, projectId, body }: QueryRequest): string {
  return [
    `import { createClient } from "@kcs/sdk";`,
    "",
    `const kcs = createClient({ baseUrl: ${JSON.stringify(baseUrl)}, apiKey: process.env.KCS_KEY });`,
    `const { results } = await kcs.query(${JSON.stringify(projectId)}, ${JSON.stringify(body, null, 2)});`,
    `console.log(results.summary);`,
  ].join("\n");
}
