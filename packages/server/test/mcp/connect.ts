/** The protocol's own client against a service under test. */
import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { TestService } from "../support/service.ts";

/** The handshake of 2025, and the revision of 2026 that has none. */
export const REVISIONS = ["legacy", "auto"] as const;
export type Revision = (typeof REVISIONS)[number];

export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  /** As the schema of the tool's output describes it: the library has checked it. */
  readonly data: Record<string, unknown>;
}

export interface Connection {
  readonly client: Client;
  call(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  /** Fails unless the tool succeeds. */
  succeed(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
}

export async function connect(
  service: TestService,
  key: string,
  revision: Revision = "auto",
): Promise<Connection> {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: revision } });
  const headers = key === "" ? {} : { authorization: `Bearer ${key}` };
  const url = new URL("/mcp", service.baseUrl);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  async function call(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
    const [block] = content;
    assert.ok(content.length === 1 && block?.type === "text");
    return {
      isError: isError === true,
      text: block.text,
      data: (structuredContent ?? {}) as Record<string, unknown>, // An object where there is one.
    };
  }
  return {
    client,
    call,
    async succeed(name, args) {
      const answer = await call(name, args);
      assert.equal(answer.isError, false, answer.text);
      return answer;
    },
  };
}

/** A connection for as long as `run` needs it. */
export async function withConnection<T>(
  input: { readonly service: TestService; readonly key: string; readonly revision?: Revision },
  run: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await connect(input.service, input.key, input.revision);
  try {
    return await run(connection);
  } finally {
    await connection.client.close();
  }
}
