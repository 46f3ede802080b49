import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ingestFiles, upload } from "../support/files.ts";
import { assertFault } from "../support/http-client.ts";
import { createProject } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

describeOnEach((setting) => {
  describe("limits of files", () => {
    const useLimits = useService(setting, {
      KCS_MAX_FILE_BYTES: "1000",
      KCS_MAX_TEXT_BYTES: "600",
      KCS_INGEST_PER_MINUTE: "4",
      KCS_WEBHOOK_PRIVATE: "allow",
    });

    test("refuse a file that is too large, fail a text that is too long, and count uploads as requests", async () => {
      const { owner } = useLimits();
      const project_id = await createProject(owner);
      const send = (length: number, headers = {}) =>
        upload(owner, project_id, [{ path: "a.txt", content: "x".repeat(length) }], headers);
      const tooLarge = "files: a file has more than 1000 bytes, the most that KCS_MAX_FILE_BYTES allows";
      assertFault(await send(1001), 413, tooLarge);
      // It was received in part, so it counts, too.
      const key = { "idempotency-key": "one-upload" };
      const first = await send(1000, key);
      assert.match(String(first.headers["ratelimit"]), /r=2/);
      const [job] = await ingestFiles(owner, project_id, [{ path: "b.txt", content: "x".repeat(601) }]);
      const tooLong =
        "The text of the file is longer than 600 bytes, the most that KCS_MAX_TEXT_BYTES allows.";
      assert.deepEqual([job?.status, job?.error_message], ["failed", tooLong]);
      assert.match(String((await send(10)).headers["ratelimit"]), /r=0/);
      assertFault(await send(10), 429, "Rate limit exceeded. Try again in 60 seconds.");
      const again = await send(1000, key);
      assert.deepEqual([again.text, again.headers["idempotency-replayed"]], [first.text, "true"]);
      assertFault(await send(999, key), 409, /^Idempotency-Key: was used for another request/);
      assertFault(await send(1000, { "idempotency-key": "another" }), 429, /^Rate limit exceeded/);
      // Before the body is read.
      const path = `/projects/${project_id}/files`;
      const headers = { "content-type": "multipart/form-data; boundary=x", "content-length": "100000" };
      assert.equal((await owner.call("POST", path, { headOnly: true, headers })).status, 429);
    });

    test("count each fetch of a page once, also one that fails", async () => {
      const { stranger, baseUrl } = useLimits();
      const params = { project_id: await createProject(stranger) };
      const fetchPage = (path: string) =>
        stranger.endpoint("ingestUrl", { params, body: { url: `${baseUrl}${path}` } });
      const missing = await fetchPage("/none");
      assertFault(missing, 400, "url: The server answered 404");
      assert.match(String(missing.headers["ratelimit"]), /r=3/);
      assertFault(await fetchPage("/none"), 400, "url: The server answered 404");
      const fetched = await fetchPage("/llms.txt");
      assert.deepEqual([fetched.status, /r=1/.test(String(fetched.headers["ratelimit"]))], [413, true]);
      const found = await fetchPage("/health");
      assert.deepEqual([found.status, /r=0/.test(String(found.headers["ratelimit"]))], [200, true]);
      assertFault(await fetchPage("/none"), 429, "Rate limit exceeded. Try again in 60 seconds.");
    });
  });
});
