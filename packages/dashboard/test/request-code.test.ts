import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { curlOf, sdkOf } from "../src/pages/project/ask/request-code.ts";

const request = {
  baseUrl: "https://knowledge.example/base",
  projectId: "prj_1",
  body: { query: `Who's "there"? $HOME \\ \`id\``, mode: "static", top_k: 3 },
} as const;

test("whatever the question holds, a shell passes it on unchanged", () => {
  const asPrinted = curlOf(request).replace(/^curl/, "printf '%s\\n'");
  const printed = execFileSync("/bin/sh", ["-c", asPrinted], { encoding: "utf8" }).trimEnd().split("\n");
  assert.equal(printed[0], "https://knowledge.example/base/api/v1/projects/prj_1/query");
  assert.deepEqual(JSON.parse(printed.at(-1) ?? ""), request.body);
});

test("the SDK's call holds the body as it was sent", () => {
  const [, body] = /query\("prj_1", ([\s\S]*?)\);\n/.exec(sdkOf(request)) ?? [];
  assert.deepEqual(JSON.parse(body ?? ""), request.body);
});
