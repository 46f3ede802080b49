import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { own } from "../../sdk/test/fake-fetch.ts";
import { makeFolder, runCli } from "./run-cli.ts";

/**
 * A service that accepts everything, up to ten documents at once. `onSent` is called before each answer: a number is the status of
 * that answer, `failed` that of its jobs; a `lost` one does not arrive. While `proxy` has a status, a page answers deletions.
 */
export async function serve(
  context: TestContext,
  onSent: (body: string, at: number) => Promise<number | "failed" | "lost" | undefined>,
) {
  const jobs = new Map<string, { readonly job_id: string; readonly status: string }>();
  let requests = 0;
  const deleted: string[] = [];
  const proxy: { status: number | null } = { status: null };
  const server = createServer((request, response) => {
    if (request.method === "DELETE") {
      if (proxy.status !== null)
        return void response.writeHead(proxy.status, { "content-type": "text/html" }).end("<h1>Sign in</h1>");
      deleted.push(request.url ?? "");
      return void response.writeHead(204, { "x-request-id": "req_1" }).end();
    }
    response.setHeaders(new Headers(own.json));
    const answer = async () => {
      const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
      const known = jobs.get(request.url?.split("/").at(-1) ?? "");
      if (request.method === "GET") return known ?? { jobs: [...jobs.values()] };
      const outcome = await onSent(body, requests++);
      if (outcome === "lost") response.destroy();
      response.statusCode = typeof outcome === "number" ? outcome : 202;
      if (response.statusCode !== 202) return { detail: "No." };
      const status = outcome === "failed" ? outcome : "completed";
      const accepted = Array.from({ length: 10 }, (_, at) => {
        const job = { job_id: `job_${requests}_${at}`, source_doc_id: "one", status, chunks_processed: 0 };
        jobs.set(job.job_id, job);
        return job;
      });
      return { ...accepted[0], jobs: accepted };
    };
    void answer().then((body) => response.end(JSON.stringify(body)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo; // It listens on a port.
  const env = { KCS_URL: `http://127.0.0.1:${port}`, KCS_KEY: "kcs_x", KCS_PROJECT: "prj_x" };
  const state = join(await makeFolder(), "state.jsonl");
  const ingest = (...args: readonly string[]) =>
    runCli(["ingest", ...args, "--state", state, "--batch-size", "1", "--no-wait"], { env });
  return { ingest, deleted, proxy, state, env };
}
