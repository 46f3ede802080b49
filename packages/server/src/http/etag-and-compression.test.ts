import assert from "node:assert/strict";
import { test } from "node:test";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, zstdDecompress } from "node:zlib";
import Fastify from "fastify";
import { addEtagAndCompression, chooseCoding } from "./etag-and-compression.ts";
import { encodeJson, LongJson } from "./long-json.ts";

test("the client's preferred coding is chosen, and none without an Accept-Encoding that allows one", () => {
  assert.equal(chooseCoding(undefined), null);
  assert.equal(chooseCoding(""), null);
  assert.equal(chooseCoding("identity"), null);
  assert.equal(chooseCoding("deflate, compress"), null);
  assert.equal(chooseCoding("gzip"), "gzip");
  assert.equal(chooseCoding("gzip, deflate, br"), "br");
  assert.equal(chooseCoding("gzip, deflate, br, zstd"), "zstd");
  assert.equal(chooseCoding("gzip;q=1.0, br;q=0.5"), "gzip");
  assert.equal(chooseCoding("GZIP; q=0.2 , zstd;q=0"), "gzip");
  assert.equal(chooseCoding("*"), "zstd");
  assert.equal(chooseCoding("*;q=0.1, zstd;q=0, br;q=0"), "gzip");
  assert.equal(chooseCoding("gzip;q=nonsense"), null);
});

const decoders = { gzip: gunzip, br: brotliDecompress, zstd: zstdDecompress } as const;

test("a response of any length is the same in each coding", async () => {
  const app = Fastify();
  addEtagAndCompression(app);
  app.get("/:length", async (request, reply) => {
    const { length } = request.params as { length: string }; // The path has it.
    return reply.header("content-type", "application/json").send(JSON.stringify("Ö ".repeat(Number(length))));
  });
  for (const url of ["/1000", "/16000", "/100000"]) {
    const plain = await app.inject({ url });
    for (const coding of ["gzip", "br", "zstd"] as const) {
      const packed = await app.inject({ url, headers: { "accept-encoding": coding } });
      assert.equal(packed.headers["content-encoding"], coding);
      assert.ok(packed.rawPayload.length < plain.rawPayload.length / 10);
      const bytes = await promisify<Buffer, Buffer>(decoders[coding])(packed.rawPayload);
      assert.ok(bytes.equals(plain.rawPayload));
    }
  }
});

test("a long response is the same in each coding, has a length without one, and is not sent again", async () => {
  const value = { text: "Ö\n".repeat(500_000) };
  const app = Fastify();
  addEtagAndCompression(app);
  app.get("/", async (_request, reply) => {
    const body = encodeJson(value);
    assert.ok(body instanceof LongJson);
    return reply.header("content-type", "application/json").send(body);
  });
  const plain = await app.inject({ url: "/" });
  assert.deepEqual(plain.json(), value);
  const length = String(plain.rawPayload.length);
  assert.equal(plain.headers["content-length"], length);
  const etag = String(plain.headers.etag);
  assert.match(etag, /^W\/"[\w-]{27}"$/);
  for (const coding of ["gzip", "br", "zstd"] as const) {
    const packed = await app.inject({ url: "/", headers: { "accept-encoding": coding } });
    assert.equal(packed.headers["content-encoding"], coding);
    assert.equal(packed.headers["content-length"], undefined);
    assert.equal(packed.headers.etag, etag);
    const bytes = await promisify<Buffer, Buffer>(decoders[coding])(packed.rawPayload);
    assert.ok(bytes.equals(plain.rawPayload));
  }
  const head = await app.inject({ method: "HEAD", url: "/" });
  assert.deepEqual([head.statusCode, head.body, head.headers["content-length"]], [200, "", length]);
  for (const method of ["GET", "HEAD"] as const) {
    const again = await app.inject({ method, url: "/", headers: { "if-none-match": etag } });
    assert.deepEqual([again.statusCode, again.body], [304, ""]);
  }
});
