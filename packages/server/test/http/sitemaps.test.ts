import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { assertFault } from "../support/http-client.ts";
import { createProject, waitForJob } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

/** Of the site that the tests fetch; an address without a page is answered with 404. */
const site = new Map<string, string>();
const server = createServer((request, response) => {
  const page = site.get(request.url ?? "");
  response.writeHead(page === undefined ? 404 : 200).end(page);
});
let origin = "";

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  origin = `http://127.0.0.1:${address.port}`;
});
after(() => {
  server.close();
});

function sitemap(paths: readonly string[], root = "urlset"): string {
  const entry = root === "urlset" ? "url" : "sitemap";
  const entries = paths.map((path) => `<${entry}><loc>${origin}${path}</loc></${entry}>`);
  return `<?xml version="1.0"?>\n<${root}>${entries.join("\n")}</${root}>`;
}

describeOnEach((setting) => {
  describe("a sitemap", () => {
    const use = useService(setting, { KCS_WEBHOOK_PRIVATE: "allow" });

    test("becomes a job for each of its pages, which fails alone where its page cannot be fetched", async () => {
      const { owner } = use();
      const params = { project_id: await createProject(owner) };
      site.set("/oven", "<html><body><h1>Oven</h1><p>The oven was lit.</p></body></html>");
      site.set("/gate.txt", "The gate is shut at night.");
      site.set("/sitemap.xml", sitemap(["/oven", "/gate.txt", "/none"]));
      const body = { url: `${origin}/sitemap.xml`, metadata: { site: "a" } };
      const { jobs } = await owner.succeed("ingestUrl", { params, body });
      assert.deepEqual(
        jobs.map((job) => job.source_doc_id),
        ["/oven", "/gate.txt", "/none"].map((path) => `${origin}${path}`),
      );
      const ended = await Promise.all(jobs.map(({ job_id }) => waitForJob(owner, params.project_id, job_id)));
      assert.deepEqual(
        ended.map((job) => [job.status, job.error_message]),
        [
          ["completed", null],
          ["completed", null],
          ["failed", "The server answered 404."],
        ],
      );
      const key = { ...params, source_doc_id: `${origin}/oven` };
      const document = await owner.succeed("getDocument", { params: key });
      assert.match(document.text ?? "", /^# Oven\n+The oven was lit\.$/);
      assert.deepEqual([document.metadata, document.file?.media_type], [{ site: "a" }, "text/html"]);

      site.set("/none", "It is here now.");
      const failed = { ...params, job_id: jobs[2]?.job_id ?? "" };
      const again = await owner.succeed("retryJob", { params: failed });
      const retried = await waitForJob(owner, params.project_id, again.job_id);
      assert.deepEqual([retried.status, retried.error_message], ["completed", null]);
    });

    test("and a page are fetched once for an idempotency key, whatever their address answers later", async () => {
      const { owner } = use();
      const params = { project_id: await createProject(owner) };
      site.set("/lock", "The lock is oiled in May.");
      const send = (path = "/lock") =>
        owner.call("POST", `/projects/${params.project_id}/urls`, {
          body: { url: origin + path },
          headers: { "idempotency-key": "lock" },
        });
      const first = await send();
      assert.equal(first.status, 200);
      site.delete("/lock");
      const again = await send();
      assert.deepEqual([again.status, again.text], [200, first.text]);
      assert.equal(again.headers["idempotency-replayed"], "true");
      assertFault(await send("/another"), 409, /Idempotency-Key/);
    });

    test("is refused whole where it names too many pages or none, other sitemaps, or what is no address", async () => {
      const { owner } = use();
      const params = { project_id: await createProject(owner) };
      const refuse = async (content: string, detail: string | RegExp, body: object = {}) => {
        site.set("/s.xml", content);
        const sent = { url: `${origin}/s.xml`, ...body };
        assertFault(await owner.endpoint("ingestUrl", { params, body: sent }), 400, detail);
      };
      const many = sitemap(Array.from({ length: 1_001 }, (_, at) => `/${at}`));
      await refuse(many, "url: The sitemap names 1001 pages, expected 1 to 1000");
      await refuse(sitemap([]), "url: The sitemap names 0 pages, expected 1 to 1000");
      await refuse(`${sitemap(["/a"])}${" ".repeat(600_000)}`, "url: The sitemap has more than 524288 bytes");
      await refuse(
        sitemap(["/1.xml", "/2.xml"], "sitemapindex"),
        `url: is an index of sitemaps; send the sitemaps that it names: ${origin}/1.xml, ${origin}/2.xml`,
      );
      await refuse(
        sitemap([`/${"x".repeat(100_000)}`, "/2.xml"], "sitemapindex"),
        /^url: is an index .*: http[^ ]{246} … x{50}, http\S+2\.xml$/,
      );
      await refuse("<urlset><url><loc>ftp://a.example/</loc></url></urlset>", /^url: The sitemap has "ftp:/);
      await refuse(
        sitemap([`/${"x".repeat(600)}`]),
        /^url: The sitemap has ".{100}", expected addresses of at/,
      );
      await refuse(sitemap(["/a"]), /^source_doc_id: is the id of one document/, { source_doc_id: "a" });
      await refuse(
        `${"<a>".repeat(2_000)}`.replace("<a>", "<urlset>"),
        /^url: The file is damaged: .*deeply/,
      );
      assert.equal((await owner.succeed("listJobs", { params })).jobs.length, 0);
    });
  });
});
