import assert from "node:assert/strict";
import { test } from "node:test";
import { endpoints } from "@kcs/contract";
import { hostileEndpoints } from "./endpoints.ts";

test("hostile bodies are sent to every endpoint of the API that takes one", () => {
  const sent = hostileEndpoints("{project_id}", { ingestLimit: 1 });
  const taking = Object.values(endpoints).filter(({ method }) => method === "POST" || method === "PATCH");
  const known = sent.map(({ method = "POST", path }) =>
    `${method} ${path}`
      .replace("job_none", "{job_id}")
      .replace("whk_none", "{webhook_id}")
      .replace(/\?.{0,99}$/, ""),
  );
  for (const { method, path } of taking) assert.ok(known.includes(`${method} /api/v1${path}`), path);
});
