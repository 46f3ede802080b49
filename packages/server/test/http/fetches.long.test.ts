import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { upload } from "../support/files.ts";
import { createProject, waitFor } from "../support/ingestion.ts";
import { createNewcomer, describeOnEach, useService } from "../support/service.ts";

const OF_EACH = 4;
/** Of all accounts together. */
const ALL_FETCHES = 16;
/** The same, without those that are kept for accounts that have none. */
const FREE_UPLOADS = 24;

/** Answers for one path; every other request waits for ever. */
const server = createServer((request, response) => {
  if (request.url === "/gate.txt") response.end("The gate is shut at night.");
});
let origin = "";

before(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  origin = `http://127.0.0.1:${address.port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

describeOnEach((setting) => {
  describe("fetches of pages that do not answer", () => {
    const use = useService(setting, { KCS_WEBHOOK_PRIVATE: "allow" });

    test("take no place of uploads, and make way for a fetch of another account", async () => {
      const arrived = Promise.withResolvers<void>();
      let requests = 0;
      server.on("request", () => {
        if (++requests === ALL_FETCHES) arrived.resolve();
      });
      const hanging: Promise<number>[] = [];
      // The last places are for accounts that have none.
      for (const [account, own] of [OF_EACH, OF_EACH, OF_EACH, 1, 1, 1, 1].entries()) {
        const client = await createNewcomer(use());
        const project = await createProject(client);
        for (let at = 0; at < own; at++) {
          const body = { url: `${origin}/${account}/${at}` };
          const answer = client.call("POST", `/projects/${project}/urls`, { body });
          hanging.push(answer.then(({ status }) => status));
        }
      }
      await arrived.promise;
      const { owner } = use();
      const params = { project_id: await createProject(owner) };
      const body = { url: `${origin}/gate.txt` };
      assert.equal((await owner.succeed("ingestUrl", { params, body })).jobs.length, 1);
      assert.equal(await Promise.race(hanging), 503);
      server.closeAllConnections();
      const answers = await Promise.all(hanging);
      assert.deepEqual(
        answers.toSorted((a, b) => a - b),
        [...Array<number>(ALL_FETCHES - 1).fill(400), 503],
      );
    });
  });

  describe("uploads", () => {
    // Of its own: a service takes so many sign-ins of one address.
    const use = useService(setting);

    test("that do not arrive make way for one of another account", async () => {
      const headers = { "content-type": "multipart/form-data; boundary=x", "content-length": "100000" };
      const hanging: Promise<number>[] = [];
      for (let account = 0; account < FREE_UPLOADS / OF_EACH; account++) {
        const client = await createNewcomer(use());
        const path = `/projects/${await createProject(client)}/files`;
        const sent = Array.from({ length: OF_EACH + 1 }, async () => {
          const { status } = await client.call("POST", path, { headOnly: true, headers });
          return status;
        });
        // One more than the account may have: when it is refused, the others have their places.
        assert.equal(await Promise.race(sent), 429);
        hanging.push(...sent);
      }
      const { owner } = use();
      const project = await createProject(owner);
      const store = () => upload(owner, project, [{ path: "gate.txt", content: "The gate is shut." }]);
      const madeWay: number[] = [];
      const ignore = () => undefined; // The test ends before them.
      for (const status of hanging) status.then((code) => void (code === 503 && madeWay.push(code)), ignore);
      assert.equal((await store()).status, 200);
      assert.deepEqual(madeWay, [], "it had one of the places that are kept");
      owner.call("POST", `/projects/${project}/files`, { headOnly: true, headers }).catch(ignore);
      await waitFor("the oldest upload of another account", async () => {
        assert.equal((await store()).status, 200);
        return madeWay.length > 0 ? true : null;
      });
    });
  });
});
