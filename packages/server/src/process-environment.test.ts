import assert from "node:assert/strict";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { threadEnvironment } from "./process-environment.ts";

describe("threadEnvironment", () => {
  const given = process.env["NODE_COMPILE_CACHE"];
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kcs-code-"));
  });
  afterEach(() => {
    if (given === undefined) delete process.env["NODE_COMPILE_CACHE"];
    else process.env["NODE_COMPILE_CACHE"] = given;
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("keeps the cache of compiled code while the data directory is there", () => {
    process.env["NODE_COMPILE_CACHE"] = join(folder, "cache", "code");
    assert.equal(threadEnvironment()["NODE_COMPILE_CACHE"], join(folder, "cache", "code"));
  });

  it("leaves it out while the data directory is elsewhere, so that Node does not make it anew", async () => {
    process.env["NODE_COMPILE_CACHE"] = join(folder, "cache", "code");
    const elsewhere = `${folder}-moved`;
    await rename(folder, elsewhere);
    const environment = threadEnvironment();
    await rename(elsewhere, folder);
    assert.equal(environment["NODE_COMPILE_CACHE"], undefined);
    assert.equal(environment["PATH"], process.env["PATH"]);
  });
});
