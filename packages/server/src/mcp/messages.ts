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
    const begin: typeof handOver = (message, extra) => {
      const fault = paramsFault(message);
      if (fault === null) return handOver?.(message, extra);
      const error = { code: ProtocolErrorCode.InvalidParams, message: fault.text };
      transport.send({ jsonrpc: "2.0", id: fault.id, error }).catch(report);
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
