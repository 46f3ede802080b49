/** The process of `fillProjects`. */
import { join } from "node:path";
import { newId } from "../../packages/server/src/domain/ids.ts";
import type { Project } from "../../packages/server/src/domain/project.ts";
import { cosine } from "../../packages/server/src/engine/index/cosine.ts";
import { answerRequest } from "../ask-process.ts";
import { round } from "../report.ts";
import type { FillRequest, FillResult } from "./fill.ts";
import { type OwnWorker, openOwnWorker } from "./own-worker.ts";
import { type MixedDocument, openTexts, type Texts } from "./texts.ts";
import { createMixer, embedOnce } from "./vectors.ts";

const SEED = 11;
/** Documents that wait for the worker. */
const AHEAD = 64;
const DOCUMENTS_AT_ONCE = 32;
const TENTHS = 10;
const EMBEDDED_AT_ONCE = 16;
const MAX_PROJECTS = 10_000;
const RULE_SAMPLES = 200;
/** Between two chunks of the sample. */
const RULE_STEP = 37;

interface FilledDocument {
  readonly source_doc_id: string;
  readonly text: string;
  /** What is embedded of each chunk, with its vector. */
  readonly chunks: readonly { readonly text: string; readonly vector: Float32Array }[];
}

/** First the real ones, then mixed ones. */
function* documentsOf(texts: Texts, vectors: readonly Float32Array[]): Generator<FilledDocument> {
  const vectorAt = (at: number) => vectors[at] ?? new Float32Array();
  for (const { from, texts: chunks, ...document } of texts.real)
    yield { ...document, chunks: chunks.map((text, at) => ({ text, vector: vectorAt(from + at) })) };
  const mix = createMixer(SEED);
  let number = 0;
  const mixed = (chunk: MixedDocument["chunks"][number]) =>
    mix(vectorAt(chunk.one), vectorAt(chunk.other), number++);
  for (const document of texts.mix())
    yield {
      ...document,
      chunks: document.chunks.map((chunk) => ({ text: chunk.text, vector: mixed(chunk) })),
    };
}

async function projectsLike(worker: OwnWorker, request: FillRequest): Promise<readonly Project[]> {
  const first = await worker.store.findProject({ projectId: request.projectId });
  if (first === null) throw new Error("The project does not exist.");
  const projects = [first];
  while (projects.length < request.projects) {
    const number = projects.length + 1;
    const project = { ...first, projectId: newId("prj"), name: `${first.name} ${number}` };
    const outcome = await worker.store.createProject({ project, maxPerAccount: MAX_PROJECTS });
    if (outcome !== "created") throw new Error(`A project was not created: ${outcome}.`);
    projects.push(project);
  }
  return projects;
}

/** Measures the speed in each tenth of `chunks`. */
function createTenths(chunks: number) {
  const rates: number[] = [];
  let since = performance.now();
  let counted = 0;
  return {
    rates,
    /** `done`: so far, in all. */
    tell(done: number) {
      if (rates.length === TENTHS || done < ((rates.length + 1) * chunks) / TENTHS) return;
      const now = performance.now();
      rates.push(round((1000 * (done - counted)) / (now - since), 0));
      process.stderr.write(`  ${done} chunks, ${rates.at(-1)} per second\n`);
      since = now;
      counted = done;
    },
  };
}

async function compareRule(worker: OwnWorker, texts: Texts, vectors: readonly Float32Array[]) {
  const mix = createMixer(SEED);
  const chunks: { readonly text: string; readonly vector: Float32Array }[] = [];
  let number = 0;
  for (const document of texts.mix()) {
    for (const { text, one, other } of document.chunks) {
      if (number % RULE_STEP === 0)
        chunks.push({
          text,
          vector: mix(vectors[one] ?? new Float32Array(), vectors[other] ?? new Float32Array(), number),
        });
      number++;
    }
    if (chunks.length >= RULE_SAMPLES) break;
  }
  let same = 0;
  let others = 0;
  for (const [at, { text, vector }] of chunks.entries()) {
    const embedded = await worker.embedder.embed(text);
    same += cosine(vector, embedded);
    others += cosine(chunks[(at + 1) % chunks.length]?.vector ?? vector, embedded);
  }
  return { cosine: round(same / chunks.length, 3), cosineOfOthers: round(others / chunks.length, 3) };
}

/** Accepts documents until each project has its chunks. */
async function feed(
  { worker, known, request }: Filling,
  projects: readonly Project[],
  source: Generator<FilledDocument>,
) {
  const tenths = createTenths(request.projects * request.chunks);
  let [documents, chunks] = [0, 0];
  for (const { projectId, accountId } of projects) {
    for (let missing = request.chunks; missing > 0; ) {
      const batch: FilledDocument[] = [];
      while (missing > 0 && batch.length < DOCUMENTS_AT_ONCE) {
        const { value, done } = source.next();
        if (done === true) throw new Error("The folder has too little text.");
        batch.push(value);
        missing -= value.chunks.length;
        for (const { text, vector } of value.chunks) known.set(text, vector);
        chunks += value.chunks.length;
      }
      documents += batch.length;
      await worker.accept({ projectId, accountId }, batch);
      await worker.waitForJobs(AHEAD);
      tenths.tell(chunks);
    }
  }
  await worker.waitForJobs(0);
  return { documents, chunks, chunksPerSecondOfTenths: tenths.rates };
}

interface Filling {
  readonly request: FillRequest;
  readonly worker: OwnWorker;
  /** By the text that is embedded; of documents that have been accepted. */
  readonly known: Map<string, Float32Array>;
}

async function openFilling(request: FillRequest): Promise<Filling> {
  const known = new Map<string, Float32Array>();
  const worker = await openOwnWorker({
    ...request,
    modelDir: join(request.dataDir, "models"),
    vectorOf(text) {
      const vector = known.get(text);
      if (vector === undefined) throw new Error("The text of a chunk is not the expected one.");
      known.delete(text);
      return vector;
    },
  });
  return { request, worker, known };
}

async function fill(request: FillRequest): Promise<FillResult> {
  const filling = await openFilling(request);
  const { worker } = filling;
  const texts = await openTexts(request.folder, request.real);
  process.stderr.write(`Embedding ${texts.realChunks} real chunks, unless their vectors are kept\n`);
  const { vectors, seconds: embedSeconds } = await embedOnce(
    texts.real.flatMap((document) => document.texts),
    (text) => worker.embedder.embed(text),
    { folder: request.vectorFolder, atOnce: EMBEDDED_AT_ONCE },
  );
  const rule = await compareRule(worker, await openTexts(request.folder, request.real), vectors);
  const projects = await projectsLike(worker, request);
  process.stderr.write(`Filling ${projects.length} projects\n`);
  const began = performance.now();
  const fed = await feed(filling, projects, documentsOf(texts, vectors));
  const ended = performance.now();
  await worker.waitForUpkeep();
  const upkeepSeconds = (performance.now() - ended) / 1000;
  const { segments = [] } = (await worker.store.readIndexState({ projectId: request.projectId })) ?? {};
  const sum = (pick: (segment: (typeof segments)[number]) => number) =>
    segments.reduce((total, segment) => total + pick(segment), 0);
  await worker.close();
  return {
    projectIds: projects.map(({ projectId }) => projectId),
    realChunks: texts.realChunks,
    ...fed,
    seconds: round((ended - began) / 1000),
    upkeepSeconds: round(upkeepSeconds),
    index: {
      segments: segments.length,
      chunks: sum(({ chunkCount }) => chunkCount),
      bytes: sum(({ byteLength }) => byteLength),
    },
    embeddedChunksPerSecond: embedSeconds === null ? null : round(texts.realChunks / embedSeconds, 1),
    rule,
  };
}

answerRequest(fill);
