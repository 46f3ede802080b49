/** What processes that are killed do, in commands of which each can be given again by who got no answer. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFileConverter } from "../../src/adapters/files/file-converter.ts";
import { openFileWorkspace } from "../../src/adapters/files/file-workspace.ts";
import type { CorrectionChange } from "../../src/domain/correction.ts";
import type { Project } from "../../src/domain/project.ts";
import type { Store } from "../../src/ports/store.ts";
import { createConvertingService } from "../../src/services/converting.ts";
import { makeZip } from "../files/make-zip.ts";
import { folderIn, keysIn } from "../support/outside.ts";
import { correct, factsAllowed } from "./behaviours/correction-histories.ts";
import { type SentFile, sendFiles, upkeep } from "./behaviours/file-scene.ts";
import { graphOf, longGraphOf } from "./behaviours/graph-facts.ts";
import { dump } from "./behaviours/graph-histories.ts";
import { commit, createScenario, month, type Scenario, visibleWords, wordsOf } from "./scenario.ts";

interface Place {
  readonly store: Store;
  readonly story: string;
  readonly round: string;
  /** An earlier process was killed in this round. */
  readonly isResumed: boolean;
  /** Folder with the number of answered commands of each round, as a client knows it. */
  readonly journals: string;
  /** Folder of temporary files. */
  readonly files: string;
  readonly dataDir: string;
}

interface Life extends Omit<Place, "story" | "journals"> {
  /** File of this round. */
  readonly journal: string;
  readonly scenario: Scenario;
  readonly project: Project;
  readonly now: number;
}

type Command = (life: Life) => Promise<void>;

interface Story {
  readonly commands: readonly Command[];
  /** Without ids and times, which differ between rounds. */
  tell(life: Life): Promise<unknown>;
}

const FIRST_NOW = 10_000;
/** All leases and pauses of the killed process have ended. */
const LATER = 60 * 60_000;
/** Contents that were never accepted are removed by then. */
const MUCH_LATER = 3 * LATER;
const page = { limit: 100, offset: 0 };

/** Gives the commands that were not answered yet. Resolves with what is stored in the end. */
export async function live({ journals, story: name, ...place }: Place): Promise<unknown> {
  const { store, round, isResumed } = place;
  const story = stories[name];
  assert.ok(story);
  mkdirSync(journals, { recursive: true });
  const journal = join(journals, `${name}-${round}`);
  const scenario = createScenario(store, `${name}.${round}.${isResumed ? "again" : "first"}`);
  const project = await findOrCreate(scenario, `${name}.${round}`);
  const life = { ...place, journal, scenario, project, now: isResumed ? FIRST_NOW + LATER : FIRST_NOW };
  const answered = existsSync(journal) ? Number(readFileSync(journal, "utf8")) : 0;
  for (const [at, command] of story.commands.entries()) {
    if (at < answered) continue;
    await command(life);
    writeFileSync(journal, String(at + 1));
  }
  return story.tell(life);
}

/** Bound to an ontology whose versions are made by the commands. */
async function findOrCreate({ store, ...scenario }: Scenario, accountId: string): Promise<Project> {
  const [found] = await store.listProjects({ accountId, before: null, ...page });
  if (found !== undefined) return found.project;
  return scenario.project({
    accountId,
    ontologyId: `${accountId} types`,
    allowedFacts: factsAllowed(["p", "q"]),
  });
}

/** How many jobs the document has: whether a request that was not answered was accepted. */
async function jobsOf({ store, project: { projectId } }: Life, sourceDocId: string): Promise<number> {
  const jobs = await store.listJobs({ projectId, page });
  return jobs.filter((job) => job.sourceDocId === sourceDocId).length;
}

/** Sends the document for the time with this number, from 1. */
function ingest(sourceDocId: string, text: string, time = 1): Command {
  return async (life) => {
    if ((await jobsOf(life, sourceDocId)) >= time) return;
    const { outcome } = await life.scenario.accept(life.project, [[sourceDocId, text]], { now: life.now });
    assert.equal(outcome.kind, "accepted");
  };
}

function send(file: SentFile, time = 1): Command {
  return async (life) => {
    if ((await jobsOf(life, file[0])) >= time) return;
    await sendFiles(life.scenario, life.project, [file], { now: life.now });
  };
}

const WORDS = 2;

/** Works on all jobs, a few words at a time, until the graph has followed. */
const work: Command = async ({ store, scenario, project: { projectId }, now }) => {
  const follow = async () => {
    let any = false;
    while (await store.applyVersionChanges({ projectId, now })) any = true;
    return any;
  };
  for (;;) {
    const held = await scenario.claim({ now });
    const [job] = held.jobs;
    if (job === undefined) {
      if (await follow()) continue;
      return;
    }
    const words = wordsOf(job.text).length;
    const version = job.ontology?.ontologyId.split("@")[1];
    // What an engine finds depends on the version of the ontology.
    const extract = (chunk: Parameters<typeof graphOf>[0]) =>
      version === "2" ? graphOf({ ...chunk, text: chunk.text.replaceAll("p", "q") }) : longGraphOf(chunk);
    for (let from = job.nextPosition; ; from += WORDS) {
      const outcome = await commit(store, held, { from, count: WORDS, now, graphOf: extract });
      assert.match(outcome, /^(?:committed|changes_left)$/);
      if (from + WORDS >= words) break;
    }
    await follow();
  }
};

/** Turns files into text in processes, as the service does. */
const convert: Command = async ({ store, scenario, now, files }) => {
  const converter = openFileConverter();
  const ignore = () => undefined;
  const service = createConvertingService({
    ...{ store, converter, workspace: openFileWorkspace(files) },
    ...{ maxTextBytes: 1_000_000, maxFileBytes: 1_000_000, limits: { pendingJobs: null, storedBytes: null } },
    pages: {
      addressFault: () => null,
      fetch: async () => {
        throw new Error("No page is fetched here.");
      },
    },
    newLeaseToken: () => scenario.id("lease"),
    leaseMs: 60_000,
    now: () => now,
    onStored: ignore,
    ending: new AbortController().signal,
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  });
  while (await service.convertNext(() => false));
  await converter.close();
};

const tidy: Command = ({ scenario, now }) => upkeep(scenario, now + MUCH_LATER);

/** Objects are kept for a while after they were seen to have no segment. */
const tidyLater: Command = ({ scenario, now }) => upkeep(scenario, now + 2 * MUCH_LATER);

async function listCorrections({ store, project: { projectId } }: Life) {
  return store.listCorrections({ projectId, kind: null, withoutEvidence: false, newestFirst: false, page });
}

async function findCorrection(life: Life, change: CorrectionChange): Promise<string | null> {
  const { corrections } = await listCorrections(life);
  const found = corrections.find((each) => JSON.stringify(each.change) === JSON.stringify(change));
  return found?.correctionId ?? null;
}

const apply =
  (change: CorrectionChange): Command =>
  async (life) => {
    if ((await findCorrection(life, change)) === null) await correct(life.scenario, life.project, change);
  };

const undo =
  (change: CorrectionChange): Command =>
  async (life) => {
    const correctionId = await findCorrection(life, change);
    const { projectId } = life.project;
    if (correctionId !== null) assert.ok(await life.store.undoCorrection({ projectId, correctionId }));
  };

/** Documents with their texts and words, jobs, and what was counted. */
async function tellDocuments({ store, project }: Life) {
  const { projectId, accountId } = project;
  const jobs = await store.listJobs({ projectId, page });
  const ids = [...new Set(jobs.map(({ sourceDocId }) => sourceDocId))].sort();
  const documents = await Promise.all(
    ids.map((sourceDocId) => store.readDocument({ projectId, sourceDocId })),
  );
  const usage = await store.listUsage({ accountId, from: "1970-01-01", to: "1970-01-02" });
  const use = await store.readAccountUse({ accountId, month });
  return {
    words: await visibleWords(store, projectId),
    texts: documents.map((content, at) => [ids[at], content?.text ?? null]),
    jobs: jobs
      .map((job) => [job.sourceDocId, job.status, job.errorMessage, job.chunksProcessed].join(" "))
      .sort(),
    counted: usage.map(({ tokens, documents: count, chunks }) => [tokens, count, chunks]),
    storedBytes: use.storedBytes,
  };
}

async function tellGraph(life: Life) {
  const { taught, corrections } = await listCorrections(life);
  const kept = corrections.map(({ change, chunks }) => [change, chunks]);
  return { graph: await dump(life.store, life.project.projectId), taught, kept };
}

/** Keeps how the graph is now: what comes later would hide what was lost until here. */
const look =
  (name: string): Command =>
  async (life) =>
    writeFileSync(`${life.journal}-${name}`, JSON.stringify(await tellGraph(life)));
const looked = ({ journal }: Life, name: string): unknown =>
  JSON.parse(readFileSync(`${journal}-${name}`, "utf8"));

const person = (name: string) => ({ type: "Person", name, also: [] });
const verdict = { document: null, sentence: null };

/** One of each kind, on names that the documents have. */
const changes: readonly CorrectionChange[] = [
  { kind: "rename", entity: person("A"), name: "Anna" },
  { kind: "retype", entity: person("B"), type: "City" },
  { kind: "merge", entity: person("C"), into: { type: "Person", name: "D" } },
  { kind: "split", entity: person("E"), documents: ["s"], into: { type: "Person", name: "Eve" } },
  { kind: "add_property", entity: person("F"), property: "v", value: "9" },
  { kind: "remove_property", entity: person("G"), property: "v", value: "1" },
  { kind: "add_relationship", source: person("H"), type: "p", target: person("I") },
  { kind: "reject", source: person("J"), type: "q", target: person("K"), ...verdict },
  { kind: "confirm", source: person("L"), type: "p", target: person("M"), ...verdict },
];
const TEXT = "A>p>B;C.v=1 C>q>D;E G.v=1;J>q>K L>>p>M;F H;I";
const OTHER_TEXT = "E>p>A;B G.v=2;G.v=1 J>q>K;L>p>M C>p>H";

const move: Command = async ({ store, project, now }) => {
  const { projectId, accountId } = project;
  const ontologyId = project.ontologyId ?? "";
  const versions = await store.listOntologyVersions({ accountId, ontologyId });
  if (versions.length < 2) {
    const schemaJson = '{"second":1}';
    const added = { accountId, ontologyId, name: "Types", schemaJson, allowedFacts: factsAllowed(["q"]) };
    await store.addOntologyVersion({ ...added, now, maxStoredBytes: null });
  }
  const present = await store.findProject({ projectId });
  if (present?.ontologyVersion === 2) return;
  const bound = await store.bindOntology({
    names: { nodes: [], edges: [] },
    maxCorrectionBytes: 1e9,
    isSame: false,
    ...{ projectId, accountId, ontologyId, version: 2, now, month },
    ...{ requestsPerMinute: null, tokenLimit: null, maxPendingJobs: null, maxStoredBytes: null },
  });
  assert.equal(bound.kind, "accepted");
};

/** One segment of all that there are. */
const merge: Command = async ({ store, project: { projectId } }) => {
  const { segments = [] } = (await store.readIndexState({ projectId })) ?? {};
  if (segments.length < 2) return;
  const merged = await store.replaceSegments({
    projectId,
    segmentIds: segments.map(({ segmentId }) => segmentId),
    bytes: new TextEncoder().encode("merged"),
    chunkCount: segments.reduce((sum, each) => sum + each.chunkCount - each.deadChunkCount, 0),
    droppedVersions: segments.flatMap(({ dead }) => dead),
  });
  assert.ok(merged);
};

/** The segments' bytes, and how many objects there are of this project. */
async function tellOutside({ store, project: { projectId }, dataDir }: Life) {
  const { segments = [] } = (await store.readIndexState({ projectId })) ?? {};
  const bytes = segments.map(({ segmentId }) => store.readSegment({ projectId, segmentId }));
  const own = keysIn(folderIn(dataDir).path).filter((key) =>
    key.startsWith(`${encodeURIComponent(projectId)}/`),
  );
  return {
    bytes: (await Promise.all(bytes)).map((each) => each && new TextDecoder().decode(each)),
    objects: own.length,
  };
}

const stories: Readonly<Record<string, Story>> = {
  conversion: {
    commands: [
      send(["a.txt", ["one two ", "three four five"]]),
      send(["b", [makeZip({ "c.md": "six seven eight", "d.json": "{broken" })]]),
      convert,
      work,
      send(["a.txt", ["one nine"]], 2),
      convert,
      work,
      tidy,
    ],
    async tell(life) {
      const left = readdirSync(life.files, { recursive: true }).filter((path) => path.includes("file-"));
      return { ...(await tellDocuments(life)), left };
    },
  },
  correction: {
    commands: [
      ingest("s", TEXT),
      ingest("t", OTHER_TEXT),
      work,
      ...changes.flatMap((change) => [apply(change), work]),
      look("corrected"),
      ingest("s", `${OTHER_TEXT} A;E`, 2),
      work,
      look("ingested again"),
      ...changes.flatMap((change) => [undo(change), work]),
      look("undone"),
      ingest("t", TEXT, 2),
      work,
      ...changes.toReversed().map(apply),
      work,
      tidy,
    ],
    async tell(life) {
      const before = ["corrected", "ingested again", "undone"].map((name) => looked(life, name));
      return { ...(await tellDocuments(life)), ...(await tellGraph(life)), before };
    },
  },
  "merge outside": {
    commands: [
      ingest("s", "one two three four five"),
      work,
      merge,
      ingest("t", "six seven eight"),
      ingest("s", "nine ten", 2),
      work,
      merge,
      tidy,
      tidyLater,
    ],
    tell: async (life) => ({ ...(await tellDocuments(life)), ...(await tellOutside(life)) }),
  },
  reread: {
    commands: [
      ingest("s", TEXT),
      ingest("t", OTHER_TEXT),
      work,
      apply({ kind: "rename", entity: person("A"), name: "Anna" }),
      work,
      move,
      work,
      tidy,
    ],
    async tell(life) {
      const { projectId } = life.project;
      const project = await life.store.findProject({ projectId });
      const reread = await life.store.findReread({ projectId });
      const { status, documentsProcessed, documentsFailed, documentsTotal } = reread ?? {};
      return {
        ...(await tellDocuments(life)),
        ...(await tellGraph(life)),
        version: project?.ontologyVersion,
        reread: [status, documentsProcessed, documentsFailed, documentsTotal],
      };
    },
  },
};
