/** A worker thread with one SQLite connection: answers operations on its ports, one at a time. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { serveRpc } from "../../rpc/rpc.ts";
import { watchMemory } from "../../rpc/thread-memory.ts";
import { identifyLog, requireInPlace } from "./opened-files.ts";
import { openSqliteReader, openSqliteWriter, type SqliteEngine } from "./sqlite-engine.ts";
import { DatabaseStartError } from "./start-error.ts";
import {
  type ControlReply,
  type ControlRequest,
  type DatabaseRequest,
  type ThreadSetup,
  transferablesOf,
} from "./thread-messages.ts";

const DONE: ControlReply = { startFault: null };

/** The thread ends when its ports are closed: on request, or when the database cannot be opened. */
function serve(parent: MessagePort, { path, role, now, files: given }: ThreadSetup): void {
  let files = given;
  const ports = new Set<MessagePort>();
  let engine: SqliteEngine | null = null;

  async function open(): Promise<ControlReply> {
    try {
      const options = { requireInPlace: () => requireInPlace(files) };
      engine =
        role === "writer" ? await openSqliteWriter(path, now, options) : openSqliteReader(path, options);
      files = [...given, ...identifyLog(path)];
      return DONE;
    } catch (error) {
      closeAfterReply();
      if (!(error instanceof DatabaseStartError)) throw error;
      const cause = error.cause instanceof Error ? error.cause.message : null;
      return { startFault: { message: error.message, cause } };
    }
  }

  function connect(port: MessagePort): ControlReply {
    if (engine === null) throw new Error("The database is not open.");
    ports.add(port);
    port.on("close", () => ports.delete(port));
    answer(port, engine);
    return DONE;
  }

  async function close(): Promise<ControlReply> {
    await engine?.close();
    for (const port of ports) port.close();
    closeAfterReply();
    return DONE;
  }
  const closeAfterReply = () => setImmediate(() => parent.close());

  serveRpc<ControlRequest, ControlReply>(parent, (request) => {
    if (request.kind === "open") return open();
    return request.kind === "connect" ? connect(request.port) : close();
  });
  watchMemory(role);
}

function answer(port: MessagePort, engine: SqliteEngine): void {
  serveRpc<DatabaseRequest, unknown>(
    port,
    (request): Promise<unknown> => {
      if (request.kind === "operation") return engine.run(request.name, request.input);
      if (request.kind === "trial") return engine.tryOut(request.trial);
      return engine.execute(request.sql, request.parameters);
    },
    transferablesOf,
  );
}

if (parentPort !== null) serve(parentPort, workerData as ThreadSetup); // Set by `startThread`.
