/** A worker thread with one SQLite connection: answers operations on its ports, one at a time. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { openSqliteReader, openSqliteWriter, type SqliteEngine } from "./sqlite-engine.ts";
import {
  type ThreadControl,
  type ThreadNotice,
  type ThreadReply,
  type ThreadRequest,
  type ThreadSetup,
  toWireError,
  transferablesOf,
} from "./thread-messages.ts";

async function serve(parent: MessagePort, setup: ThreadSetup): Promise<void> {
  const notify = (notice: ThreadNotice) => parent.postMessage(notice);
  let engine: SqliteEngine;
  try {
    engine =
      setup.role === "writer" ? await openSqliteWriter(setup.path, setup.now) : openSqliteReader(setup.path);
  } catch (error) {
    notify({ kind: "failed", error: toWireError(error) });
    parent.close();
    return;
  }
  const ports = new Set<MessagePort>();
  parent.on("message", (control: ThreadControl) => {
    if (control.kind === "connect") {
      ports.add(control.port);
      control.port.on("close", () => ports.delete(control.port));
      answer(control.port, engine);
      return;
    }
    void engine.close().then(() => {
      for (const port of ports) port.close();
      notify({ kind: "closed" });
      parent.close();
    });
  });
  notify({ kind: "ready" });
}

function answer(port: MessagePort, engine: SqliteEngine): void {
  port.on("message", (request: ThreadRequest) => {
    const result =
      request.kind === "operation"
        ? engine.run(request.name, request.input)
        : engine.execute(request.sql, request.parameters);
    result.then(
      (value) => reply(port, { id: request.id, value }),
      (error: unknown) => reply(port, { id: request.id, error: toWireError(error) }),
    );
  });
}

function reply(port: MessagePort, message: ThreadReply): void {
  port.postMessage(message, "value" in message ? transferablesOf(message.value) : []);
}

if (parentPort !== null) await serve(parentPort, workerData as ThreadSetup);
