import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { API_PREFIX, endpoints } from "@kcs/contract";
import type { createOpenApiDocument } from "@kcs/contract/openapi";
import { sqlite, useService } from "../support/service.ts";

const use = useService(sqlite);

test("the OpenAPI document is served as it is committed, with the service's own address", async () => {
  const { nobody, baseUrl } = use();
  const reply = await nobody.root("GET", "/openapi.json");
  assert.equal(reply.status, 200);
  const path = new URL("../../../contract/openapi.json", import.meta.url);
  const committed = JSON.parse(await readFile(path, "utf8")) as ReturnType<typeof createOpenApiDocument>;
  assert.deepEqual(reply.json, { ...committed, servers: [{ url: baseUrl }] });
});

test("the reference shows every endpoint, loads the font alone, and its policy allows its own style and script", async () => {
  const { nobody } = use();
  const { status, headers, text } = await nobody.root("GET", "/docs");
  assert.equal(status, 200);
  assert.match(headers["content-type"] ?? "", /^text\/html/);
  for (const [name, { path }] of Object.entries(endpoints)) {
    assert.ok(text.includes(`<article id="${name}">`), name);
    assert.ok(text.includes(`${API_PREFIX}${path}`), path);
  }
  assert.ok(text.includes("<code>schema.ontology.hierarchy[].node_types.{name}.properties</code>"));
  assert.deepEqual(
    [...text.matchAll(/<link [^>]*href="([^"]*)"/g)].map(([, href]) => href),
    ["assets/inter-latin-wght-normal.woff2"],
  );
  assert.doesNotMatch(text, /<img|<iframe|\bsrc=|style="|@import/);
  assert.deepEqual(text.match(/url\([^)]*\)/g), ["url(assets/inter-latin-wght-normal.woff2)"]);
  const hashOf = (name: string) => {
    const [, own = ""] = new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(text) ?? [];
    return createHash("sha256").update(own).digest("base64");
  };
  const policy = headers["content-security-policy"];
  assert.equal(
    policy,
    `default-src 'none'; style-src 'sha256-${hashOf("style")}'; script-src 'sha256-${hashOf("script")}'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  const anchors = [...text.matchAll(/href="#([^"]+)"/g)].map((match) => match[1] ?? "");
  for (const anchor of anchors) assert.ok(text.includes(`id="${anchor}"`), anchor);
});

test("llms.txt names every endpoint in a few kilobytes", async () => {
  const { nobody } = use();
  const { status, headers, text } = await nobody.root("GET", "/llms.txt");
  assert.equal(status, 200);
  assert.match(headers["content-type"] ?? "", /^text\/plain/);
  for (const { method, path } of Object.values(endpoints)) {
    assert.ok(text.includes(`- ${method} ${API_PREFIX}${path}:`), path);
  }
  assert.ok(text.length < 16 * 1024, `${text.length}`);
});
