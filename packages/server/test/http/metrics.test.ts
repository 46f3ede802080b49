import assert from "node:assert/strict";
import { test } from "node:test";
import { createProject, ingestAll, waitFor } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

const EXPECTED = [
  /^kcs_job_seconds_count\{result="completed"\} [1-9]/m,
  /^kcs_question_stage_seconds_count\{stage="total"\} [1-9]/m,
  /^kcs_question_stage_seconds_count\{stage="search"\} [1-9]/m,
  /^kcs_segment_lookups_total\{from="read"\} [1-9]/m,
  /^kcs_segment_lookups_total\{from="cached"\} [1-9]/m,
  /^kcs_job_oldest_seconds \d/m,
  /^kcs_webhook_deliveries_waiting \d/m,
  /^kcs_webhook_delivery_oldest_seconds \d/m,
  /^kcs_build_info\{version="\d[^"]*",node="v\d[^"]*",role="all"\} 1$/m,
];

describeOnEach((setting) => {
  const use = useService(setting);

  test("metrics tell what questions and jobs took, what was in memory, what waits, and what runs", async () => {
    const { owner, nobody } = use();
    const projectId = await createProject(owner);
    await ingestAll(owner, projectId, [{ source_doc_id: "a", text: "The lamp of the quay burns." }]);
    for (const query of ["Which lamp burns?", "Where is the lamp?"])
      await owner.succeed("query", { params: { project_id: projectId }, body: { query } });
    // Threads report what they have done after their answer.
    const missing = async () => {
      const { text } = await nobody.root("GET", "/metrics");
      return EXPECTED.filter((line) => !line.test(text));
    };
    await waitFor("the metrics", async () => ((await missing()).length === 0 ? true : null));
    assert.deepEqual(await missing(), []);
  });
});
