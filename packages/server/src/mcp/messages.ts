/** What is checked of messages before the library has them, and when each of a batch begins. */
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type McpServer,
  ProtocolErrorCode,
  specTypeSchemas,
} from "@modelcontextprotocol/server";

/** The library takes wrong parameters of these for an internal error, or answers with the whole list of what Zod found. */
const CHECKED = new Map(
  Object.entries({
    initialize: specTypeSchemas.InitializeRequest,
    ping: specTypeSchemas.PingRequest,
    "tools/call": specTypeSchemas.CallToolRequest,
    "tools/list": specTypeSchemas.ListToolsRequest,
  }),
);
const MAX_FAULTS = 3;
/** The code that the Language Server Protocol has for it; this protocol has none. */
const CANCELLED = {
  code: -32_800,
  message: "The call was cancelled. What it was to change may have been changed.",
};

/**
 * The library hands over all messages of a batch at once, and each costs about as much as a request. So each after the first
 * waits for its turn.
 */
export function checkAndPaceMessages(server: McpServer, nextTurn: () => Promise<void>): void {
  const connect = server.connect.bind(server);
  server.connect = async (transport) => {
    await connect(transport);
    const handOver = transport.onmessage;
    const report = (error: unknown) =>
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
    const refuse = (id: string | number, error: { readonly code: number; readonly message: string }) =>
      transport.send({ jsonrpc: "2.0", id, error }).catch(report);
    const asked = new Set<unknown>();
    const begin: typeof handOver = (message, extra) => {
      const fault = paramsFault(message);
      if (fault !== null)
        return void refuse(fault.id, { code: ProtocolErrorCode.InvalidParams, message: fault.text });
      if (isJSONRPCRequest(message)) asked.add(message.id);
      handOver?.(message, extra);
      const cancelled = cancelledBy(message);
      // The library answers it no more, and the response would stay open for it.
      if (cancelled !== null && asked.delete(cancelled)) void refuse(cancelled, CANCELLED);
    };
    let isFirst = true;
    transport.onmessage = (message, extra) => {
      if (isFirst) begin(message, extra);
      // Even if its client has left meanwhile: it may be to change something.
      else
        nextTurn()
          .then(() => begin(message, extra))
          .catch(report);
      isFirst = false;
    };
  };
}

/** The request that a message cancels; null = none. */
function cancelledBy(message: JSONRPCMessage): string | number | null {
  if (!("method" in message) || message.method !== "notifications/cancelled") return null;
  const id = message.params?.["requestId"];
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** null = none */
function paramsFault(message: JSONRPCMessage) {
  if (!isJSONRPCRequest(message)) return null;
  const { method, params, id } = message;
  const { issues } = CHECKED.get(method)?.["~standard"].validate({ method, params }) ?? {};
  if (issues === undefined) return null;
  const faults = issues.slice(0, MAX_FAULTS).map(({ path = [], message: says }) => {
    const place = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
    return `${place}: ${says}`;
  });
  return { id, text: `Invalid params for ${method}: ${faults.join("; ")}` };
}
