/**
 * Data of the previous release stay usable: today's code opens them, answers at once as that release did, and brings
 * them up to date in the background. `make-data.ts` made the data. `KCS_WRITE_GOLDEN=1` records the answers that
 * differ from those of the release: only where a change was meant to change them.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { migrations } from "../../src/adapters/database/migrations/index.ts";
import { SEGMENT_VERSION } from "../../src/domain/segment-version.ts";
import { assertFault, type Client, createClient } from "../support/http-client.ts";
import { createProject, ingestAll, type Text, waitFor } from "../support/ingestion.ts";
import { usePostgres } from "../support/postgres.ts";
import { type Home, startTestService, type TestService } from "../support/service.ts";
import { copyData, queryNumber, queryRows, readRecorded } from "./open-data.ts";
import type { RecordedAnswer, RecordedProject } from "./scene.ts";

const RELEASE = "0.1.0";
/** Similarities differ in their last digits between processors. */
const SIMILARITY_TOLERANCE = 1e-4;
const CHANGED_FILE = new URL(`./${RELEASE}/changed-answers.json`, import.meta.url);
const isWriting = process.env["KCS_WRITE_GOLDEN"] === "1";
const postgres = usePostgres();

for (const database of ["sqlite", "postgres"] as const) {
  describe(`data of ${RELEASE} on ${database}`, () => {
    const recorded = readRecorded(RELEASE, database);
    let home: Home;
    let service: TestService;
    before(async () => {
      home = await copyData(RELEASE, database, postgres);
      // The data contain the key, and a webhook that sends to an address of this machine.
      const env = { KCS_BOOTSTRAP_API_KEY: "", KCS_SIGN_UP: "closed", KCS_WEBHOOK_PRIVATE: "allow" };
      service = await startTestService({ home, env });
    });
    after(async () => {
      await service.stop();
      await home.remove();
    });

    const projectOf = (name: string): RecordedProject => {
      const project = recorded.projects.find((each) => each.name === name);
      assert.ok(project, name);
      return project;
    };

    test("the first questions are answered at once, as the release answered them", async () => {
      for (const project of recorded.projects) await compareAnswers(service.owner, project);
    });

    test("documents, accounts, keys and webhooks are those of the release", async () => {
      const { owner } = service;
      const { projects } = await owner.succeed("listProjects");
      assert.deepEqual(
        projects.map(({ project_id, name }) => [project_id, name]).toReversed(),
        recorded.projects.map(({ projectId, name }) => [projectId, name]),
      );
      for (const { projectId, documents } of recorded.projects) {
        const listed = await owner.succeed("listDocuments", { params: { project_id: projectId } });
        assert.deepEqual(listed.documents.map(({ source_doc_id }) => source_doc_id).toSorted(), documents);
        for (const { status } of listed.documents) assert.equal(status, "indexed");
      }
      const params = { webhook_id: recorded.webhookId };
      const { deliveries } = await owner.succeed("listWebhookDeliveries", { params });
      assert.deepEqual(
        deliveries.map(({ event, status }) => [event, status]),
        [["project.deleted", "delivered"]],
      );
      const stranger = createClient(service.baseUrl, recorded.strangerKey);
      assert.deepEqual((await stranger.succeed("listProjects")).projects, []);
      const foreign = { project_id: recorded.projects[0]?.projectId ?? "" };
      const refused = await stranger.endpoint("getProject", { params: foreign });
      assertFault(refused, 403, "You don't have access to this project");
      stranger.close();
    });

    test("upkeep brings everything up to date in the background, and the answers stay the same", async () => {
      const { owner } = service;
      const [applied] = await queryRows(home, "select max(number) as last from schema_migrations");
      assert.equal(Number(applied?.["last"]), migrations.at(-1)?.number);
      // Makes every segment count as one of an older format, whether or not the format has changed since the release.
      await queryRows(home, `update segments set format_version = ${SEGMENT_VERSION - 1}`);
      // A job starts the thread that runs upkeep; without a job it starts within a minute.
      await ingestAll(owner, await createProject(owner, "New"), [
        { source_doc_id: "a", text: "A first note." },
      ]);
      const outdated = `select count(*) from segments where format_version < ${SEGMENT_VERSION}`;
      await waitFor("the rewrite", async () => ((await queryNumber(home, outdated)) === 0 ? true : null));
      const [{ projectId } = { projectId: "" }] = recorded.projects;
      const listed = `select count(*) from segments where project_id = '${projectId}'`;
      assert.ok((await queryNumber(home, listed)) > 0);
      for (const project of recorded.projects) await compareAnswers(owner, project);
      // No segment was reported as damaged, and nothing failed.
      assert.deepEqual(service.logged, []);
    });

    test("documents are ingested, replaced and deleted", async () => {
      const { owner } = service;
      const { projectId } = projectOf("Skarnhild funicular");
      const fares = "A single ride costs nine crowns since the tariff of the copper year.";
      const kiosk = "The kiosk beside the lower station sells gingerbread on Saturdays.";
      await ingestAll(owner, projectId, [
        { source_doc_id: "kiosk", text: kiosk },
        { source_doc_id: "fares", text: fares },
      ]);
      await owner.succeed("deleteDocument", { params: { project_id: projectId, source_doc_id: "storm" } });
      assert.equal((await ask(owner, projectId, "What does the kiosk sell?"))[0]?.text, kiosk);
      const found = await ask(owner, projectId, "What does a single ride cost?");
      assert.equal(found[0]?.text, fares);
      assert.equal(found.filter(({ source_doc_id }) => source_doc_id === "fares").length, 1);
      const stormy = await ask(owner, projectId, "When did a storm tear the roof off?");
      assert.ok(stormy.length > 0);
      for (const { source_doc_id } of stormy) assert.notEqual(source_doc_id, "storm");
    });

    test("new documents join the graph of the release, and leave it again", async () => {
      const { owner } = service;
      const { projectId } = projectOf("Instrument makers");
      const params = { project_id: projectId };
      const bells: Text = {
        source_doc_id: "bells",
        text: "Tressel Bells Ltd was founded by Isaura Venn in 1901. Tressel Bells Ltd is based in Drumlow.",
      };
      const foundedByVenn = async () => {
        const { relationships } = await owner.succeed("listRelationships", { params });
        const founded = relationships.filter(
          ({ type, target }) => type === "FOUNDED_BY" && target.name === "Isaura Venn",
        );
        return founded.map(({ source }) => source.name).toSorted();
      };
      assert.deepEqual(await foundedByVenn(), ["Pellamy Organ Works"]);
      await ingestAll(owner, projectId, [bells]);
      assert.deepEqual(await foundedByVenn(), ["Pellamy Organ Works", "Tressel Bells Ltd"]);
      await owner.succeed("deleteDocument", { params: { ...params, source_doc_id: "workshop" } });
      assert.deepEqual(await foundedByVenn(), ["Tressel Bells Ltd"]);
    });
  });
}

async function ask(owner: Client, projectId: string, query: string) {
  const body = { query, include: ["provenance"] };
  return (await owner.succeed("query", { params: { project_id: projectId }, body })).results.chunks;
}

/** Asks every question once; a 503 fails. */
async function compareAnswers(owner: Client, { projectId, name, answers }: RecordedProject): Promise<void> {
  for (const { question, answer } of answers) {
    const body = await owner.succeed("query", { params: { project_id: projectId }, body: question });
    const today = body as unknown as RecordedAnswer; // The schema has read it, with provenance in its chunks.
    const key = `${name}: ${answer.query}`;
    if (isWriting) {
      writeAnswer(key, isSameAnswer(today, answer) ? null : today);
      continue;
    }
    assertSameAnswer(today, readChanged()[key] ?? answer);
  }
}

/** Everything but the last digits of the similarities. */
function assertSameAnswer(today: RecordedAnswer, expected: RecordedAnswer): void {
  assert.deepEqual(withoutSimilarities(today), withoutSimilarities(expected));
  for (const [place, chunk] of today.results.chunks.entries()) {
    const difference = Math.abs(chunk.similarity - (expected.results.chunks[place]?.similarity ?? 0));
    assert.ok(
      difference < SIMILARITY_TOLERANCE,
      `the similarity of ${chunk.chunk_id} differs by ${difference}`,
    );
  }
}

function isSameAnswer(today: RecordedAnswer, expected: RecordedAnswer): boolean {
  try {
    assertSameAnswer(today, expected);
    return true;
  } catch {
    return false;
  }
}

function withoutSimilarities(answer: RecordedAnswer) {
  const chunks = answer.results.chunks.map(({ similarity, ...chunk }) => chunk);
  return { ...answer, results: { ...answer.results, chunks } };
}

/** By project and question: today's answers that are meant to differ from those of the release. */
function readChanged(): Readonly<Record<string, RecordedAnswer>> {
  return existsSync(CHANGED_FILE) ? JSON.parse(readFileSync(CHANGED_FILE, "utf8")) : {};
}

function writeAnswer(key: string, answer: RecordedAnswer | null): void {
  const { [key]: _, ...others } = readChanged();
  const changed = answer === null ? others : { ...others, [key]: answer };
  if (Object.keys(changed).length === 0) rmSync(CHANGED_FILE, { force: true });
  else writeFileSync(CHANGED_FILE, `${JSON.stringify(changed, null, 2)}\n`);
}
