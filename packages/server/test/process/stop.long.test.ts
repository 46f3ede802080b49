/** What must not hold up an end, and what must not be lost by a start that fails. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { after, describe, test } from "node:test";
import { waitFor } from "../support/ingestion.ts";
import { runToEnd, startProcess } from "../support/process.ts";
import { environmentOf, sqlite, useDatabase, withHome } from "../support/service.ts";

const STOP_LIMIT_MS = 9_000;
const FIRST_KEY = /Your API key[\s\S]*?(kcs_\S{32,})/;

const sockets: Socket[] = [];
after(() => {
  for (const socket of sockets) socket.destroy();
});

const database = useDatabase();

describe("a service that is asked to end", () => {
  test("ends with code 0 on an interrupt while it is idle", async () => {
    await withHome(database, async (home) => {
      const service = await startProcess(home);
      const ended = await service.end("SIGINT");
      assert.deepEqual([ended.code, ended.signal], [0, null], ended.output);
    });
  });

  test("first tells load balancers and still takes requests, until a second signal ends the drain", async () => {
    await withHome(database, async (home) => {
      const service = await startProcess(home, { KCS_DRAIN_SECONDS: "300" });
      const address = /listens on (\S+)/.exec(service.welcome)?.[1] ?? "";
      service.signal("SIGTERM");
      const statusOf = async (path: string) =>
        (await fetch(`${address}${path}`, { headers: { Authorization: `Bearer ${home.ownerKey}` } })).status;
      await waitFor("the readiness to end", async () => ((await statusOf("/ready")) === 503 ? true : null));
      assert.equal(await statusOf("/api/v1/projects"), 200);
      assert.equal(await statusOf("/health"), 200);
      assert.equal((await service.end("SIGTERM")).code, 0);
    });
  });

  test("ends by itself after the drain", async () => {
    await withHome(database, async (home) => {
      const service = await startProcess(home, { KCS_DRAIN_SECONDS: "1" });
      const ended = await service.end("SIGTERM");
      assert.equal(ended.code, 0, ended.output);
      assert.ok(ended.afterMs >= 1_000, `${ended.afterMs} ms`);
    });
  });

  test("does not wait for a client that never sends the rest of its body", async () => {
    await withHome(database, async (home) => {
      const service = await startProcess(home);
      const address = /listens on (\S+)/.exec(service.welcome)?.[1] ?? "";
      const { hostname, port } = new URL(address);
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      await once(socket, "connect");
      const head = [
        "POST /api/v1/projects HTTP/1.1",
        `Host: ${hostname}`,
        `Authorization: Bearer ${home.ownerKey}`,
        "Content-Type: application/json",
        "Content-Length: 1000",
        "",
        '{"name": ',
      ];
      socket.on("error", () => undefined); // It is cut off, as it should be.
      socket.write(head.join("\r\n"));
      const ended = await service.end("SIGTERM");
      assert.equal(ended.code, 0, ended.output);
      assert.ok(ended.afterMs < STOP_LIMIT_MS, `${ended.afterMs} ms`);
    });
  });
});

test("the first key is not used up by a start that finds its port taken", async () => {
  await withHome(sqlite, async (home) => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    assert.ok(typeof address === "object" && address !== null);
    const env = { ...environmentOf(home), KCS_BOOTSTRAP_API_KEY: "", KCS_PORT: String(address.port) };
    const refused = await runToEnd(env);
    assert.equal(refused.code, 1);
    assert.match(refused.output, /port is in use/);
    other.close();
    await once(other, "close");
    const ended = await runToEnd({ ...env, KCS_PORT: "0" }, "SIGTERM");
    assert.match(ended.output, FIRST_KEY);
  });
});
