import assert from "node:assert/strict";
import type { LookupAddress } from "node:dns";
import { once } from "node:events";
import { createServer, IncomingMessage, type Server, type ServerResponse } from "node:http";
import { after, describe, test } from "node:test";
import { createCheckedLookup, PrivateAddressError } from "./checked-lookup.ts";
import { createWebhookSender } from "./http-sender.ts";
import { createIsPublicAddress } from "./public-address.ts";

const servers: Server[] = [];
after(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
});

/** Starts a receiver on this machine. Returns its port and the list of requests it received. */
async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.headers.host} ${request.url}`);
    answer(request, response);
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return { port: address.port, requests };
}

const message = (url: string) => ({ url, headers: { "webhook-id": "msg_1" }, body: '{"type":"x"}' });
const never = new AbortController().signal;
const loopback: readonly LookupAddress[] = [{ address: "127.0.0.1", family: 4 }];
const open = { allowPrivate: true, userAgent: "test" };
const closed = { allowPrivate: false, userAgent: "test" };

describe("a sender that may send to private addresses", () => {
  test("sends the body with its headers, and accepts any success status", async () => {
    const received: unknown[] = [];
    const { port } = await listen((request, response) => {
      let body = "";
      request.on("data", (part: Buffer) => {
        body += part.toString();
      });
      request.on("end", () => {
        received.push(request.method, request.headers["content-type"], request.headers["webhook-id"], body);
        response.writeHead(202).end("thanks");
      });
    });
    const sent = await createWebhookSender(open).send(message(`http://127.0.0.1:${port}/hook`), never);
    assert.deepEqual([sent.outcome, sent.responseStatus, sent.error], ["accepted", 202, null]);
    assert.deepEqual(received, ["POST", "application/json", "msg_1", '{"type":"x"}']);
  });

  test("does not follow a redirect", async () => {
    const inside = await listen((_, response) => response.writeHead(200).end());
    const { port } = await listen((_, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${inside.port}/secret` }).end();
    });
    const sent = await createWebhookSender(open).send(message(`http://127.0.0.1:${port}/`), never);
    assert.deepEqual([sent.outcome, sent.responseStatus], ["refused", 307]);
    assert.match(sent.error ?? "", /redirects are not followed/);
    assert.deepEqual(inside.requests, []);
  });

  test("treats 410 as gone and other statuses as refusals", async () => {
    const { port } = await listen((request, response) => {
      response.writeHead(Number(request.url?.slice(1))).end();
    });
    const sender = createWebhookSender(open);
    const outcomeOf = async (status: number) =>
      (await sender.send(message(`http://127.0.0.1:${port}/${status}`), never)).outcome;
    assert.equal(await outcomeOf(410), "gone");
    for (const status of [304, 400, 404, 429, 500, 503]) assert.equal(await outcomeOf(status), "refused");
  });

  test("treats a protocol upgrade as a refusal", async () => {
    const { port } = await listen(({ socket }) => {
      socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");
    });
    const sender = createWebhookSender({ ...open, deadlineMs: 2_000 });
    const sent = await sender.send(message(`http://127.0.0.1:${port}/`), never);
    assert.deepEqual([sent.outcome, sent.error], ["refused", "The receiver answered 101"]);
  });

  test("reads no more than a few interim answers, of which a receiver may send any number", async () => {
    const interim = "HTTP/1.1 100 Continue\r\n\r\n";
    const few = await listen(({ socket }, response) => {
      socket.write(interim.repeat(3));
      response.writeHead(200).end();
    });
    const sender = createWebhookSender({ ...open, deadlineMs: 20_000 });
    assert.equal((await sender.send(message(`http://127.0.0.1:${few.port}/`), never)).outcome, "accepted");
    let isClosed = false;
    const endless = await listen(({ socket }) => {
      const drip = setInterval(() => socket.write(interim), 1);
      socket.on("close", () => {
        clearInterval(drip);
        isClosed = true;
      });
    });
    const sent = await sender.send(message(`http://127.0.0.1:${endless.port}/`), never);
    assert.deepEqual([sent.outcome, sent.error], ["refused", "The receiver sends only interim answers"]);
    assert.ok(sent.durationMs < 20_000);
    while (!isClosed) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  test("stops at its deadline when the receiver answers slowly", async () => {
    const { port } = await listen(({ socket }) => {
      socket.write("HTTP/1.1 200 OK\r\nx: ");
      const drip = setInterval(() => socket.write("."), 20);
      socket.on("close", () => clearInterval(drip));
    });
    const sender = createWebhookSender({ ...open, deadlineMs: 200 });
    const sent = await sender.send(message(`http://127.0.0.1:${port}/`), never);
    assert.deepEqual([sent.outcome, sent.responseStatus], ["refused", null]);
    assert.match(sent.error ?? "", /^No answer within \d+ ms$/);
  });

  test("takes the status for the answer, however slowly or badly the body ends", async () => {
    const bodies: Record<string, (response: ServerResponse) => void> = {
      drips(response) {
        const drip = setInterval(() => response.write("."), 20);
        response.on("close", () => clearInterval(drip));
      },
      breaksOff: (response) => void response.write(".", () => response.socket?.destroy()),
      isInvalid: (response) => void response.socket?.write("no length of a chunk\r\n"),
    };
    for (const [name, end] of Object.entries(bodies)) {
      const { port } = await listen((request, response) => {
        response.writeHead(Number(request.url?.slice(1))).flushHeaders();
        end(response);
      });
      const sender = createWebhookSender({ ...open, deadlineMs: 200 });
      for (const [status, outcome] of [
        [200, "accepted"],
        [500, "refused"],
      ] as const) {
        const sent = await sender.send(message(`http://127.0.0.1:${port}/${status}`), never);
        assert.deepEqual([sent.outcome, sent.responseStatus], [outcome, status], name);
      }
    }
  });

  test("says in words what is wrong with an answer that is not HTTP", async () => {
    const sender = createWebhookSender(open);
    for (const [answer, error] of [
      ["SSH-2.0-OpenSSH_9.6\r\n", "The receiver's answer is not valid HTTP"],
      [
        `HTTP/1.1 200 OK\r\nx: ${"x".repeat(20_000)}\r\n\r\n`,
        "The receiver's answer has headers that are too long",
      ],
    ] as const) {
      const { port } = await listen(({ socket }) => void socket.end(answer));
      const sent = await sender.send(message(`http://127.0.0.1:${port}/`), never);
      assert.deepEqual([sent.outcome, sent.responseStatus, sent.error], ["refused", null, error]);
    }
  });

  test("reads only the beginning of a response", async () => {
    let written = 0;
    const { port } = await listen((_, response) => {
      response.writeHead(200);
      const piece = Buffer.alloc(64 * 1024);
      const more = () => {
        while (!response.destroyed && written < 64 * 1024 * 1024) {
          written += piece.length;
          if (!response.write(piece)) return void response.once("drain", more);
        }
        response.end();
      };
      more();
    });
    const sent = await createWebhookSender(open).send(message(`http://127.0.0.1:${port}/`), never);
    assert.equal(sent.outcome, "accepted");
    assert.ok(written < 32 * 1024 * 1024, `${written} bytes`);
  });

  test("reports that no receiver listens, and stops when it is aborted", async () => {
    const sender = createWebhookSender(open);
    const refused = await sender.send(message("http://127.0.0.1:9/"), never);
    assert.deepEqual([refused.outcome, refused.error], ["refused", "The connection was refused"]);
    const stop = new AbortController();
    const { port } = await listen(() => stop.abort());
    await assert.rejects(sender.send(message(`http://127.0.0.1:${port}/`), stop.signal));
  });
});

describe("a sender that may not send to private addresses", () => {
  test("refuses URLs that are not https, contain credentials or have a private IP address", () => {
    const { addressFault } = createWebhookSender(closed);
    assert.equal(addressFault("https://example.com/hook?x=1"), null);
    assert.equal(addressFault("https://8.8.8.8:8443/"), null);
    for (const url of [
      "http://example.com/",
      "ftp://example.com/",
      "example.com",
      "",
      "https://",
      "https:///example.com/",
      "https:example.com",
      "https:\\\\example.com/",
      "javascript:alert(1)",
      "https://user:pass@example.com/",
      "https://example.com/#part",
      "https://127.0.0.1/",
      "https://2130706433/",
      "https://0x7f.1/",
      "https://017700000001/",
      "https://127.1/",
      "https://[::1]/",
      "https://[::ffff:127.0.0.1]/",
      "https://[::ffff:8.8.8.8]/",
      "https://[fe80::1]/",
      "https://169.254.169.254/latest/meta-data",
      "https://10.1.2.3/",
      "https://[64:ff9b::a00:1]/",
      "https://localhost/",
      "https://LOCALHOST./",
      "https://db.localhost/",
      "https://127。0。0。1/",
    ]) {
      assert.notEqual(addressFault(url), null, url);
    }
    for (const url of ["https://127.0.0.1/", "https://localhost/"])
      assert.match(addressFault(url) ?? "", /private.*KCS_WEBHOOK_PRIVATE=allow/);
  });

  test("never connects when a name resolves to a private address, even if it was public at the check before", async () => {
    const inside = await listen((_, response) => response.writeHead(200).end());
    const answers = [[{ address: "93.184.215.14", family: 4 }], loopback];
    const resolve = () => Promise.resolve(answers.shift() ?? loopback);
    assert.equal((await resolve())[0]?.address, "93.184.215.14");
    const sender = createWebhookSender({ ...closed, resolve });
    const sent = await sender.send(message(`https://rebound.example:${inside.port}/`), never);
    assert.deepEqual([sent.outcome, sent.error], ["refused", "rebound.example leads to a private address"]);
    assert.deepEqual(inside.requests, []);
  });

  test("refuses a name with a public and a private address, in either order", async () => {
    for (const mixed of [
      [{ address: "93.184.215.14", family: 4 }, ...loopback],
      [...loopback, { address: "93.184.215.14", family: 4 }],
      [{ address: "::ffff:127.0.0.1", family: 6 }],
    ]) {
      const sender = createWebhookSender({ ...closed, resolve: () => Promise.resolve(mixed) });
      const sent = await sender.send(message("https://mixed.example/"), never);
      assert.equal(sent.error, "mixed.example leads to a private address");
    }
  });

  test("connects to the address that was checked, without a second look-up", async () => {
    let resolutions = 0;
    const lookup = createCheckedLookup(
      () => Promise.resolve(resolutions++ === 0 ? [{ address: "93.184.215.14", family: 4 }] : loopback),
      createIsPublicAddress(),
    );
    const lookUp = () =>
      new Promise((resolve) => {
        lookup("one.example", { all: true }, (error, addresses) => resolve(error ?? addresses));
      });
    assert.deepEqual(await lookUp(), [{ address: "93.184.215.14", family: 4 }]);
    assert.ok((await lookUp()) instanceof PrivateAddressError);
    assert.equal(resolutions, 2);
  });

  test("reads a thousand chunks of an answer in chunks of a byte, and takes its status", async (t) => {
    const short = await listen(({ socket }) => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      socket.write("1\r\na\r\n".repeat(70_000));
    });
    const push = t.mock.method(IncomingMessage.prototype, "push");
    const sent = await createWebhookSender({ ...closed, allowPrivate: true }).send(
      message(`http://127.0.0.1:${short.port}/`),
      never,
    );
    assert.deepEqual([sent.outcome, sent.responseStatus], ["accepted", 200]);
    assert.ok(push.mock.callCount() < 2_000, `${push.mock.callCount()}`);
  });

  test("refuses an address that was allowed when its webhook was created", async () => {
    const inside = await listen((_, response) => response.writeHead(200).end());
    const sent = await createWebhookSender(closed).send(message(`http://127.0.0.1:${inside.port}/`), never);
    assert.equal(sent.outcome, "refused");
    assert.deepEqual(inside.requests, []);
  });
});
