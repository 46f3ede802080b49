import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { EndpointName } from "@kcs/contract";
import { createOpenApiDocument } from "@kcs/contract/openapi";
import { assertFault } from "../support/http-client.ts";
import { createProject, ingest, ingestAll, longText, waitFor, waitForJob } from "../support/ingestion.ts";
import { describeOnBoth, type TestService, useRestarts } from "../support/service.ts";
import { assertSigned, startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

const NOTE = { text: "The tide turns at noon.", source_doc_id: "note" };

function operationOf(name: EndpointName) {
  const operations = Object.values(createOpenApiDocument().paths).flatMap((methods) =>
    Object.values(methods),
  );
  return operations.find(({ operationId }) => operationId === name) ?? assert.fail(name);
}

async function deliveriesOf({ owner }: TestService, webhook_id: string) {
  return (await owner.succeed("listWebhookDeliveries", { params: { webhook_id } })).deliveries;
}

describeOnBoth((setting) => {
  const allowed = { KCS_WEBHOOK_PRIVATE: "allow" };
  const { use, restart } = useRestarts(setting, allowed);

  describe("where the operator allows private addresses", () => {
    let receiver: WebhookReceiver;
    before(async () => {
      receiver = await startWebhookReceiver();
    });
    after(() => receiver.close());

    /** A webhook with a receiver of its own, for as long as `run` needs them. */
    async function withWebhook(
      events: readonly string[] | undefined,
      run: (parts: {
        service: TestService;
        hooks: WebhookReceiver;
        webhook_id: string;
        secret: string;
      }) => Promise<void>,
    ): Promise<void> {
      const hooks = await startWebhookReceiver();
      const service = use();
      const body = { url: hooks.url, ...(events === undefined ? {} : { events }) };
      const { webhook_id, secret } = await service.owner.succeed("createWebhook", { body });
      try {
        await run({ service, hooks, webhook_id, secret });
      } finally {
        await use().owner.succeed("deleteWebhook", { params: { webhook_id } });
        await hooks.close();
      }
    }

    test("a webhook is shown without its secret, and with none of the members that were left out", async () => {
      const { owner } = use();
      const body = {
        url: "HTTPS://Hooks.Example:443/in?x=1",
        events: ["job.failed", "job.failed"],
        description: "Pager",
      };
      const { secret, ...created } = await owner.succeed("createWebhook", { body });
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      const params = { webhook_id: created.webhook_id };
      assert.deepEqual(await owner.succeed("getWebhook", { params }), created);
      assert.deepEqual((await owner.succeed("listWebhooks")).webhooks[0], created);
      const { created_at: _, webhook_id: __, ...rest } = created;
      assert.deepEqual(rest, {
        ...{ url: "https://hooks.example/in?x=1", events: ["job.failed"], description: "Pager" },
        ...{ status: "enabled", disabled_reason: null, disabled_at: null },
      });
      const list = await owner.endpoint("listWebhooks");
      assert.ok(!list.text.includes("whsec_"));
      await owner.succeed("deleteWebhook", { params });
      assertFault(await owner.endpoint("getWebhook", { params }), 404, "Webhook not found");
      assertFault(await owner.endpoint("deleteWebhook", { params }), 404, "Webhook not found");
    });

    test("bad input is a 400 that names it", async () => {
      const { owner } = use();
      const faults: readonly (readonly [unknown, RegExp])[] = [
        [{}, /^url: missing/],
        [{ url: "hooks.example" }, /^url: is not an http or https URL/],
        [{ url: "ftp://hooks.example/" }, /^url: is not an http or https URL/],
        [{ url: "https://me:pass@hooks.example/" }, /^url: contains a user name or password/],
        [{ url: `https://hooks.example/${"x".repeat(2048)}` }, /^url: has 2070 characters/],
        [{ url: "https://hooks.example/", events: [] }, /^events: is empty/],
        [{ url: "https://hooks.example/", events: ["job.started"] }, /^events\[0\]: /],
        [{ url: "https://hooks.example/", description: " " }, /^description: is blank/],
      ];
      for (const [body, detail] of faults) {
        assertFault(await owner.endpoint("createWebhook", { body }), 400, detail);
      }
    });

    test("a webhook is changed, with the checks of a new one, and its secret signs on", async () => {
      await withWebhook(undefined, async ({ service: { owner, stranger }, hooks, webhook_id, secret }) => {
        const other = await startWebhookReceiver();
        const params = { webhook_id };
        const change = (body: unknown) => owner.endpoint("changeWebhook", { params, body });
        const faults: readonly (readonly [unknown, RegExp])[] = [
          [{}, /^body: has nothing to change/],
          [{ secret: "whsec_mine" }, /^body: has nothing to change/],
          [{ url: "ftp://hooks.example/" }, /^url: is not an http or https URL/],
          [{ url: "https://me:pass@hooks.example/" }, /^url: contains a user name or password/],
          [{ events: [] }, /^events: is empty/],
          [{ status: "paused" }, /^status: .*"enabled" or "disabled"/],
          [{ description: " " }, /^description: is blank/],
        ];
        for (const [body, detail] of faults) assertFault(await change(body), 400, detail);
        assertFault(await stranger.endpoint("changeWebhook", { params, body: {} }), 404, "Webhook not found");
        const before = await owner.succeed("getWebhook", { params });
        const changed = await owner.succeed("changeWebhook", {
          params,
          body: { url: other.url, events: ["job.failed", "job.failed"], description: "Pager" },
        });
        assert.deepEqual(changed, {
          ...{ ...before, url: other.url, events: ["job.failed"], description: "Pager" },
        });
        assert.deepEqual(await owner.succeed("getWebhook", { params }), changed);
        const plain = await owner.succeed("changeWebhook", {
          params,
          body: { description: null, events: ["project.deleted"] },
        });
        assert.equal(plain.description, null);
        await owner.succeed("changeWebhook", { params, body: { status: "disabled" } });
        const silent = await createProject(owner);
        await owner.succeed("deleteProject", { params: { project_id: silent } });
        const enabled = await owner.succeed("changeWebhook", { params, body: { status: "enabled" } });
        assert.deepEqual([enabled.status, enabled.disabled_reason], ["enabled", null]);
        const told = await createProject(owner);
        await owner.succeed("deleteProject", { params: { project_id: told } });
        const [only] = await other.receive(1);
        assert.ok(only !== undefined);
        assertSigned(only, secret);
        assert.deepEqual(only.message.data, { project_id: told, name: "Field notes" });
        assert.deepEqual(hooks.received, []);
        await other.close();
      });
    });

    test("what happens is told once committed, signed, as the contract has it", async () => {
      await withWebhook(undefined, async ({ service, hooks, webhook_id, secret }) => {
        const { owner } = service;
        const projectId = await createProject(owner, "Tides");
        const [job] = await ingestAll(owner, projectId, [NOTE]);
        const long = await ingest(owner, projectId, { text: longText(1_500, "told"), source_doc_id: "long" });
        const cancelled = await owner.succeed("cancelJob", {
          params: { project_id: projectId, job_id: long },
        });
        await owner.succeed("deleteProject", { params: { project_id: projectId } });
        const received = await hooks.receive(3);
        for (const message of received) assertSigned(message, secret);
        const byType = new Map(received.map(({ message }) => [message.type, message]));
        assert.deepEqual(byType.get("job.completed")?.data, job);
        assert.equal(byType.get("job.completed")?.timestamp, job?.completed_at);
        assert.deepEqual(byType.get("job.failed")?.data, cancelled);
        assert.deepEqual(byType.get("project.deleted")?.data, { project_id: projectId, name: "Tides" });
        assert.equal(new Set(received.map(({ id }) => id)).size, 3);
        const deliveries = await waitFor("the log", async () => {
          const all = await deliveriesOf(service, webhook_id);
          return all.every(({ status }) => status === "delivered") ? all : null;
        });
        assert.deepEqual(
          deliveries.map(({ event, attempts, response_status, error }) => [
            event,
            attempts,
            response_status,
            error,
          ]),
          ["project.deleted", "job.failed", "job.completed"].map((event) => [event, 1, 204, null]),
        );
        assert.deepEqual(
          deliveries.map(({ project_id, job_id, source_doc_id }) => [project_id, job_id, source_doc_id]),
          [
            [projectId, null, null],
            [projectId, cancelled?.job_id, cancelled?.source_doc_id],
            [projectId, job?.job_id, job?.source_doc_id],
          ],
        );
        assert.deepEqual(
          new Set(deliveries.map(({ delivery_id }) => delivery_id)),
          new Set(received.map(({ id }) => id)),
        );
      });
    });

    test("events that were not asked for, and those of other accounts, are not told", async () => {
      await withWebhook(["project.deleted"], async ({ service, hooks, webhook_id }) => {
        const { owner, stranger } = service;
        const theirs = await createProject(stranger);
        await stranger.succeed("deleteProject", { params: { project_id: theirs } });
        const mine = await createProject(owner);
        await ingestAll(owner, mine, [NOTE]);
        await owner.succeed("deleteProject", { params: { project_id: mine } });
        const [only] = await hooks.receive(1);
        assert.deepEqual(only?.message.data, { project_id: mine, name: "Field notes" });
        assert.equal((await deliveriesOf(service, webhook_id)).length, 1);
      });
    });

    test("a receiver that fails is sent the same message again, newly signed", async () => {
      await withWebhook(["job.completed"], async ({ service, hooks, webhook_id, secret }) => {
        hooks.answer(503);
        const projectId = await createProject(service.owner);
        await ingestAll(service.owner, projectId, [NOTE]);
        await hooks.receive(1);
        const [waiting] = await waitFor("the try in the log", async () => {
          const all = await deliveriesOf(service, webhook_id);
          return all[0]?.attempts === 1 ? all : null;
        });
        assert.ok(waiting?.next_attempt_at && waiting.last_attempt_at);
        assert.deepEqual(
          [waiting.status, waiting.response_status, waiting.error],
          ["pending", 503, "The receiver answered 503"],
        );
        const waitMs = Date.parse(waiting.next_attempt_at) - Date.parse(waiting.last_attempt_at);
        assert.ok(waitMs >= 5_000 && waitMs < 20_000, `${waitMs} ms`);
        hooks.answer(200);
        const [first, second] = await hooks.receive(2);
        assert.ok(first && second);
        assert.deepEqual([second.id, second.body], [first.id, first.body]);
        assert.notEqual(second.headers["webhook-timestamp"], first.headers["webhook-timestamp"]);
        assertSigned(second, secret);
        const [ended] = await waitFor("the end in the log", async () => {
          const all = await deliveriesOf(service, webhook_id);
          return all[0]?.status === "delivered" ? all : null;
        });
        assert.deepEqual([ended?.attempts, ended?.next_attempt_at], [2, null]);
      });
    });

    test("a receiver that is gone is told nothing more, until a test finds it again", async () => {
      await withWebhook(["job.completed"], async ({ service, hooks, webhook_id, secret }) => {
        const { owner } = service;
        const params = { webhook_id };
        hooks.answer(410);
        const projectId = await createProject(owner);
        await ingestAll(owner, projectId, [NOTE]);
        const disabled = await waitFor("the end of it", async () => {
          const webhook = await owner.succeed("getWebhook", { params });
          return webhook.status === "disabled" ? webhook : null;
        });
        assert.equal(disabled.disabled_reason, "The receiver answered that it is gone");
        assert.ok(disabled.disabled_at);
        await ingestAll(owner, projectId, [{ ...NOTE, source_doc_id: "untold" }]);
        const failed = await owner.succeed("testWebhook", { params });
        assert.deepEqual([failed.status, failed.response_status], ["failed", 410]);
        assert.equal((await owner.succeed("getWebhook", { params })).status, "disabled");
        hooks.answer(200);
        const tested = await owner.succeed("testWebhook", { params });
        assert.deepEqual([tested.event, tested.status, tested.attempts], ["webhook.test", "delivered", 1]);
        assert.equal((await owner.succeed("getWebhook", { params })).status, "enabled");
        const last = hooks.received.at(-1);
        assert.ok(last);
        assertSigned(last, secret);
        assert.deepEqual(last.message.data, { webhook_id });
        assert.equal(last.id, tested.delivery_id);
        const page = await owner.succeed("listWebhookDeliveries", { params, query: { limit: 1, offset: 1 } });
        assert.deepEqual([page.total, page.limit, page.offset, page.deliveries.length], [3, 1, 1, 1]);
        assert.equal(page.deliveries[0]?.delivery_id, failed.delivery_id);
        const refused = await owner.succeed("listWebhookDeliveries", { params, query: { status: "failed" } });
        assert.deepEqual(
          [refused.total, refused.deliveries.every(({ status }) => status === "failed")],
          [2, true],
        );
        const sent = await owner.succeed("listWebhookDeliveries", { params, query: { status: "delivered" } });
        assert.deepEqual([sent.total, sent.deliveries[0]?.project_id], [1, null]);
      });
    });

    test("a second test at the same time is refused, as the document says", async () => {
      const hooks = await startWebhookReceiver();
      const { owner } = use();
      const { webhook_id } = await owner.succeed("createWebhook", { body: { url: hooks.url } });
      const params = { webhook_id };
      hooks.answer("hang");
      const first = owner.succeed("testWebhook", { params });
      await hooks.receive(1);
      const second = await owner.endpoint("testWebhook", { params });
      const detail = "Another test is being sent. Try again shortly.";
      assertFault(second, 429, detail);
      assert.equal(second.headers["retry-after"], "5");
      const { responses } = operationOf("testWebhook");
      assert.ok(JSON.stringify(responses[429] ?? null).includes(detail));
      await hooks.close();
      assert.equal((await first).status, "failed");
      await owner.succeed("deleteWebhook", { params });
    });

    test("a service that ends while a receiver is silent does not wait for it, and its next start tells it again", async () => {
      await withWebhook(["job.completed"], async ({ service: { owner }, hooks }) => {
        hooks.answer("hang");
        await ingestAll(owner, await createProject(owner), [NOTE]);
        await hooks.receive(1);
        await restart(allowed);
        hooks.answer(200);
        const [first, second] = await hooks.receive(2);
        assert.equal(second?.id, first?.id);
      });
    });
  });

  test("where he does not, nothing inside is reached, by name or by address", async () => {
    const hooks = await startWebhookReceiver();
    const { webhook_id } = await use().owner.succeed("createWebhook", { body: { url: hooks.url } });
    const { owner } = await restart();
    const port = new URL(hooks.url).port;
    for (const url of [hooks.url, `https://127.0.0.1:${port}/`, "https://localhost/", "https://[::1]/"]) {
      assertFault(
        await owner.endpoint("createWebhook", { body: { url } }),
        400,
        /^url: is (not an https|private)/,
      );
      assertFault(
        await owner.endpoint("changeWebhook", { params: { webhook_id }, body: { url } }),
        400,
        /^url: is (not an https|private)/,
      );
    }
    const tested = await owner.succeed("testWebhook", { params: { webhook_id } });
    assert.deepEqual([tested.status, tested.response_status], ["failed", null]);
    const job = await waitForJob(owner, ...(await ingestOne(owner)));
    assert.equal(job.status, "completed");
    assert.deepEqual(hooks.received, []);
    await hooks.close();
  });
});

async function ingestOne(owner: TestService["owner"]): Promise<readonly [string, string]> {
  const projectId = await createProject(owner);
  return [projectId, await ingest(owner, projectId, NOTE)];
}
