import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { describeOnEach, useService } from "../support/service.ts";

/** Sends bytes as they are and reads until the server ends the connection. */
function exchange(baseUrl: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = "";
    socket.setTimeout(20_000, () => socket.destroy(new Error(`No end after ${text.slice(0, 200)}`)));
    socket.on("data", (part) => {
      text += part.toString();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
  });
}

describeOnEach((setting) => {
  const use = useService(setting);

  test("what is no HTTP, and heads without end, are refused in the same form", async () => {
    const { baseUrl } = use();
    const cases: readonly [string, RegExp][] = [
      ["nonsense\r\n\r\n", /^HTTP\/1\.1 400 /],
      ["GET /health HTTP/1.1\r\nconnection: close\r\n\r\n", /^HTTP\/1\.1 400 .*Host: is missing/s],
      [
        "GET /health HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n",
        /^HTTP\/1\.1 400 .*Host: got several/s,
      ],
      ["GET /health HTTP/1.1\r\nhost: a\r\nexpect: gold\r\n\r\n", /^HTTP\/1\.1 417 .*100-continue/s],
      ["CONNECT a:443 HTTP/1.1\r\nhost: a\r\n\r\n", /^HTTP\/1\.1 400 /],
      [`GET /api/v1/projects/${"x".repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, /^HTTP\/1\.1 (414|431) /],
      ["POST /api/v1/projects HTTP/1.1\r\nhost: a\r\ncontent-length: -5\r\n\r\n", /^HTTP\/1\.1 400 /],
    ];
    for (const [bytes, status] of cases) {
      const answer = await exchange(baseUrl, bytes);
      assert.match(answer, status);
      const body = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4)) as object;
      assert.deepEqual(Object.keys(body), ["detail"]);
    }
    assert.match(await exchange(baseUrl, "GET /health HTTP/1.0\r\n\r\n"), /^HTTP\/1\.1 200 /);
    assert.equal((await use().owner.call("GET", "/projects")).status, 200);
  });
});
