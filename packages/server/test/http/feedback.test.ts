import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFault } from "../support/http-client.ts";
import { createProject } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

const GIVEN = { rating: "up", query: "When is high tide?", answer: "At noon.", source_doc_ids: ["tides"] };

describeOnEach((setting) => {
  const use = useService(setting);

  test("feedback is kept with question, answer and versions, newest first, and one answer has one rating", async () => {
    const { owner } = use();
    const params = { project_id: await createProject(owner) };
    const record = (body: object) => owner.succeed("recordFeedback", { params, body: { ...GIVEN, ...body } });
    const first = await record({ comment: "" });
    assert.deepEqual(
      [first.comment, first.mode, first.strategy_used, first.index_version],
      [null, "static", "", 0],
    );
    assert.match(first.service_version, /^\d+\.\d+\.\d+$/);
    const other = await record({ mode: "dynamic", comment: "Good." });
    const again = await record({ rating: "down" });
    assert.equal(again.feedback_id, first.feedback_id);
    const listed = await owner.succeed("listFeedback", { params });
    assert.deepEqual(listed, { feedback: [again, other], total: 2, limit: 50, offset: 0 });
    const down = await owner.succeed("listFeedback", { params, query: { rating: "down", limit: 1 } });
    assert.deepEqual([down.total, down.feedback[0]?.rating], [1, "down"]);
    const second = await owner.succeed("listFeedback", { params, query: { limit: 1, offset: 1 } });
    assert.deepEqual([second.feedback, second.total], [[other], 2]);
  });

  test("feedback is exported as lines of JSON", async () => {
    const { owner } = use();
    const project_id = await createProject(owner);
    const params = { project_id };
    const texts = ['Line\nbreak \u2028 and "quotes"', "Zero \0 byte"];
    for (const answer of texts) await owner.succeed("recordFeedback", { params, body: { ...GIVEN, answer } });
    const reply = await owner.call("GET", `/projects/${project_id}/feedback?format=jsonl`);
    assert.equal(reply.headers["content-type"], "application/x-ndjson; charset=utf-8");
    // Measured and counted like any other long answer.
    assert.match(String(reply.headers["etag"]), /^(W\/)?"/);
    const lines = reply.text.split("\n");
    assert.equal(lines.pop(), "");
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      (await owner.succeed("listFeedback", { params })).feedback,
    );
    assert.equal(JSON.parse(lines[0] ?? "").answer, "Zero  byte", "NUL is left out");
  });

  test("feedback that is too long or no rating is refused, and so is that on a project that is gone", async () => {
    const { owner } = use();
    const params = { project_id: await createProject(owner) };
    for (const [body, detail] of [
      [{ rating: "fine" }, /rating: .*expected "up" or "down"/],
      [{ query: " " }, /query: is blank/],
      [{ query: "q".repeat(8_193) }, /query: has 8193 characters/],
      [{ answer: "a".repeat(32_769) }, /answer: has 32769 characters/],
      [{ comment: "c".repeat(4_001) }, /comment: has 4001 characters/],
      [
        { source_doc_ids: Array.from({ length: 101 }, (_, at) => `d${at}`) },
        /source_doc_ids: has too many items/,
      ],
    ] as const) {
      const reply = await owner.endpoint("recordFeedback", { params, body: { ...GIVEN, ...body } });
      assert.equal(reply.status, 400, reply.text);
      assert.match(JSON.parse(reply.text).detail, detail);
    }
    await owner.succeed("deleteProject", { params });
    const reply = await owner.endpoint("recordFeedback", { params, body: GIVEN });
    assertFault(reply, 404, `Project ${params.project_id} not found`);
  });
});
