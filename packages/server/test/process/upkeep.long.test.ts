import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, test } from "node:test";
import pg from "pg";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { indexedText } from "../../src/domain/document.ts";
import { buildSegment } from "../../src/engine/index/build.ts";
import { chunkOf, commit, createScenario } from "../store/scenario.ts";
import { assertFault, type Client } from "../support/http-client.ts";
import {
  createProject,
  ingestAll,
  longText,
  placedChunks,
  type Text,
  waitFor,
} from "../support/ingestion.ts";
import { type ServiceProcess, startProcess } from "../support/process.ts";
import { describeOnBoth, type Home, withHome } from "../support/service.ts";

const DOCUMENTS: readonly Text[] = Array.from({ length: 4 }, (_, at) => ({
  text: longText(60 + at, `shelf ${at}`),
  source_doc_id: `document-${at}`,
}));

const DETAIL = "A part of the search index is damaged and is being rebuilt. Try again shortly.";

/** Turns over a bit in every segment. Returns how many there are. */
async function damageSegments(home: Home): Promise<number> {
  if (home.databaseUrl !== "") return damageOnPostgres(home.databaseUrl);
  const database = new DatabaseSync(join(home.dataDir, "knowledge.sqlite"));
  const rows = database.prepare("select project_id, segment_id, bytes from segment_blobs").all();
  const update = database.prepare(
    "update segment_blobs set bytes = ? where project_id = ? and segment_id = ?",
  );
  for (const row of rows) {
    const bytes = row.bytes as Uint8Array; // By the column's type.
    update.run(turned(bytes), row.project_id ?? null, row.segment_id ?? null);
  }
  database.close();
  return rows.length;
}

async function damageOnPostgres(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query("select project_id, segment_id, bytes from segment_blobs");
  for (const row of rows) {
    await client.query("update segment_blobs set bytes = $1 where project_id = $2 and segment_id = $3", [
      turned(row.bytes),
      row.project_id,
      row.segment_id,
    ]);
  }
  await client.end();
  return rows.length;
}

function turned(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes);
  const at = copy.length >> 1;
  copy[at] = (copy[at] ?? 0) ^ 4;
  return copy;
}

/** A project with so many segments of one chunk each, as a service leaves it that was killed before it merged them. */
async function leaveUnmerged(home: Home, segments: number): Promise<string> {
  const databaseUrl = home.databaseUrl === "" ? null : home.databaseUrl;
  const { store } = await openStore({ databaseUrl, dataDir: home.dataDir });
  const scenario = createScenario(store, "left");
  const project = await scenario.project();
  for (let at = 0; at < segments; at++) {
    await scenario.accept(project, [[`document ${at}`, `word${at}`]]);
    const claimed = await scenario.claim();
    const { versionId = 0, sourceDocId = "" } = claimed.jobs[0] ?? {};
    const chunk = chunkOf(`word${at}`, 0);
    const indexable = { ...chunk, versionId, sourceDocId, metadata: {}, indexedText: indexedText(chunk) };
    const segment = buildSegment([indexable]);
    assert.equal(await commit(store, claimed, { segment }), "committed");
  }
  await store.close();
  return project.projectId;
}

async function countSegments(home: Home, projectId: string): Promise<number> {
  const query = "select segment_count from projects where project_id = $1";
  if (home.databaseUrl === "") {
    const database = new DatabaseSync(join(home.dataDir, "knowledge.sqlite"), { readOnly: true });
    const row = database.prepare(query.replace("$1", "?")).get(projectId);
    database.close();
    return Number(row?.segment_count);
  }
  const client = new pg.Client({ connectionString: home.databaseUrl });
  await client.connect();
  const { rows } = await client.query(query, [projectId]);
  await client.end();
  return Number(rows[0]?.segment_count);
}

async function counted(owner: Client): Promise<number> {
  const { text } = await owner.root("GET", "/metrics");
  return Number(/^kcs_damaged_segments_total (\d+)$/m.exec(text)?.[1]);
}

describeOnBoth((setting) => {
  let running: ServiceProcess | null = null;
  afterEach(async () => {
    await running?.end("SIGKILL");
    running = null;
  });

  test("a damaged index is told of, never answered from, and soon answers as before", async () => {
    await withHome(setting, async (home) => {
      const first = await startProcess(home);
      running = first;
      const projectId = await createProject(first.owner);
      await ingestAll(first.owner, projectId, DOCUMENTS);
      const before = await placedChunks(first.owner, projectId);
      assert.ok(before.length > 10);
      assert.equal((await first.end("SIGTERM")).code, 0);
      const segments = await damageSegments(home);
      assert.ok(segments > 0);

      const second = await startProcess(home);
      running = second;
      const { owner } = second;
      const params = { project_id: projectId };
      const body = { query: "What is written here?" };
      const refused = await owner.endpoint("query", { params, body });
      assertFault(refused, 503, DETAIL);
      assert.match(String(refused.headers["retry-after"]), /^[1-9]\d*$/);
      assert.equal((await owner.root("GET", "/health")).status, 200);
      await waitFor("the repair", async () => {
        const reply = await owner.endpoint("query", { params, body });
        if (reply.status === 200) return true;
        assertFault(reply, 503, DETAIL);
        return null;
      });
      assert.deepEqual(await placedChunks(owner, projectId), before);
      assert.equal(await counted(owner), segments);
      const { output } = await second.end("SIGTERM");
      const told = output.split("\n").filter((line) => line.includes('"segment_damaged"'));
      assert.equal(told.length, segments);
      for (const line of told) {
        const { level, projectId: named, error } = JSON.parse(line);
        assert.deepEqual([level, named], ["error", projectId]);
        assert.match(error.message, /Segment \d+ of project .* checksum/);
      }
    });
  });

  test("merges that a killed service left are made at the next start, without new work", async () => {
    await withHome(setting, async (home) => {
      const projectId = await leaveUnmerged(home, 9);
      assert.equal(await countSegments(home, projectId), 9);
      const service = await startProcess(home);
      running = service;
      await waitFor("the merge", async () => ((await countSegments(home, projectId)) === 1 ? true : null));
      const { code, output } = await service.end("SIGTERM");
      assert.equal(code, 0);
      assert.doesNotMatch(output, /"level":"error"/);
    });
  });
});
