import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { ServiceError } from "../domain/errors.ts";
import type { ProjectStore } from "../ports/store.ts";
import { createProjectDeletions } from "./project-deletions.ts";

const PROJECT = { projectId: "prj_1" } as Awaited<ReturnType<ProjectStore["findProject"]>>; // Nothing else is read.
const settle = () => new Promise<void>((resolve) => process.nextTick(resolve));

function detail({ reason }: AbortSignal): string {
  assert.ok(reason instanceof ServiceError);
  return `${reason.kind}: ${reason.message}`;
}

test("a deletion ends what watches the project, once, and nothing else", () => {
  const deletions = createProjectDeletions({ findProject: async () => PROJECT });
  const [one, other, ended] = ["prj_1", "prj_2", "prj_1"].map((id) => deletions.watch(id));
  assert.ok(one && other && ended);
  ended.end();
  deletions.report("prj_1");
  assert.equal(detail(one.signal), "not_found: Project prj_1 not found");
  assert.deepEqual([other.signal.aborted, ended.signal.aborted], [false, false]);
  for (const { end } of [one, other]) end();
});

test("a deletion by another process is found within five seconds; an unavailable database deletes nothing", async () => {
  mock.timers.enable({ apis: ["setInterval"] });
  try {
    const found = [() => Promise.reject(new Error("no database")), async () => PROJECT, async () => null];
    const deletions = createProjectDeletions({ findProject: () => (found.shift() ?? assert.fail)() });
    const { signal, end } = deletions.watch("prj_1");
    const aborted: boolean[] = [];
    for (let round = 0; round < 3; round++) {
      mock.timers.tick(4_000);
      await settle();
      aborted.push(signal.aborted);
    }
    assert.deepEqual(aborted, [false, false, true]);
    end();
    mock.timers.tick(60_000);
  } finally {
    mock.timers.reset();
  }
});
