import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { PageUnreachable } from "../../ports/page-fetcher.ts";
import { createPageFetcher, type FetcherOptions } from "./page-fetcher.ts";

const servers: Server[] = [];
after(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** The address of a server on this machine. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // It listens on a port.
}

const userAgent = "test";
const open = (options: Partial<FetcherOptions> = {}) =>
  createPageFetcher({ allowPrivate: true, userAgent, ...options });

async function read(url: string, options: Partial<FetcherOptions> = {}): Promise<string> {
  const pieces: Uint8Array[] = [];
  const { body } = await open(options).fetch(url);
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

const fails = (reading: Promise<unknown>, message: string | RegExp) =>
  assert.rejects(reading, (error) => {
    assert.ok(error instanceof PageUnreachable, String(error));
    assert.match(error.message, typeof message === "string" ? new RegExp(`^${message}$`) : message);
    return true;
  });

test("A page is fetched as it is, after redirects", async () => {
  const url = await serve((request, response) => {
    if (request.url === "/page") response.end(`For ${request.headers["accept-encoding"]}`);
    else response.writeHead(302, { location: request.url === "/first" ? "second" : "/page" }).end();
  });
  assert.equal(await read(`${url}/first`), "For identity");
});

test("A page that redirects without end, is missing, compressed or cut off is told so", async () => {
  const url = await serve((request, response) => {
    if (request.url === "/gone") response.writeHead(410).end();
    else if (request.url === "/nowhere") response.writeHead(302).end();
    else if (request.url === "/zip") response.writeHead(200, { "content-encoding": "gzip" }).end("x");
    else if (request.url === "/cut") {
      response.writeHead(200, { "content-length": 100 }).write("x");
      setImmediate(() => response.destroy());
    } else response.writeHead(301, { location: "/again" }).end();
  });
  await fails(read(`${url}/again`), "The page redirects more than 5 times");
  await fails(read(`${url}/gone`), "The server answered 410");
  await fails(read(`${url}/zip`), /compressed/);
  await fails(read(`${url}/cut`), "The page ended too early");
  await fails(read(`${url}/nowhere`), "The server answered 302");
});

test("A page that does not come within its time is given up, before its head and within its body", async () => {
  const url = await serve((request, response) => {
    if (request.url === "/head") return;
    if (request.url !== "/bare") response.writeHead(200).write("x");
    // The end of the connection would be that of the page.
    else request.socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\nx");
  });
  const options = { deadlineMs: 200 };
  await fails(read(`${url}/bare`, options), "The page took too long");
  await fails(read(`${url}/head`, options), "The page took too long");
  await fails(read(`${url}/body`, options), "The page took too long");
});

test("A page that nobody waits for any more is given up at once, before its head and within its body", async () => {
  let stop = new AbortController();
  const cancel = () => stop.abort(new Error("The job was cancelled"));
  const url = await serve((request, response) => {
    if (request.url === "/body") response.writeHead(200).write("x");
    else cancel();
  });
  await assert.rejects(open().fetch(`${url}/head`, stop.signal), /The job was cancelled/);
  stop = new AbortController();
  const { body } = await open().fetch(`${url}/body`, stop.signal);
  const reading = async () => {
    for await (const _ of body) cancel();
  };
  await assert.rejects(reading, /The job was cancelled/);
});

test("A server that sends interim answers without end is given up", async () => {
  const url = await serve(({ socket }) => {
    const drip = setInterval(() => socket.write("HTTP/1.1 100 Continue\r\n\r\n"), 1);
    socket.on("close", () => clearInterval(drip));
  });
  await fails(read(url, { deadlineMs: 5_000 }), "The receiver sends only interim answers");
});

test("Nothing is sent to a private address, neither named, resolved nor redirected to", async () => {
  let requests = 0;
  const url = await serve((_request, response) => {
    requests++;
    response.end();
  });
  const strict = open({ allowPrivate: false });
  for (const named of [
    url,
    "http://example.com/",
    "https://10.0.0.1/",
    "https://[::1]/",
    "https://localhost/",
  ])
    assert.match(strict.addressFault(named) ?? "", /private|https URL/);
  assert.equal(strict.addressFault("https://example.com/a?b"), null);
  const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
  const port = new URL(url).port;
  await fails(
    read(`https://pages.example:${port}/`, { allowPrivate: false, resolve }),
    "pages.example leads to a private address",
  );
  assert.equal(requests, 0);
});

test("A redirect leads to no address that could not be named itself", async () => {
  const url = await serve((_request, response) => response.writeHead(302, { location: "ftp://x/" }).end());
  await fails(read(url), /^The address that it redirects to is not an http or https URL/);
});

test("A page in chunks of a byte is given up after the first thousand, although nobody has read them yet", async () => {
  const url = await serve(({ socket }) => {
    socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
    socket.write("1\r\na\r\n".repeat(400_000));
  });
  const { body } = await open().fetch(url);
  let received = 0;
  const reading = (async () => {
    for await (const piece of body) received += piece.length;
  })();
  await fails(reading, "The server sends the page in chunks of a few bytes");
  assert.ok(received < 1_200, `${received} bytes`);
});
