/** Sends new texts and replacements, one or a batch, and determines the outcome when the response is lost. */
import { type ExpectedProject, expectAccepted, newestText } from "./expected.ts";
import { listJobs } from "./job-watch.ts";
import { type Change, changeText, writeDocument } from "./prose.ts";
import type { Random } from "./random.ts";
import { isRefused, noteUnexpected, pause, type Stage } from "./requests.ts";
import type { Outcome } from "./subject.ts";

interface NewText {
  readonly source_doc_id: string;
  readonly text: string;
}

interface Accepted {
  readonly job_id?: string;
  readonly jobs?: readonly { readonly job_id: string }[];
}

const DOCUMENTS = 60;
const MAX_BATCH = 12;
const changes: readonly Change[] = ["identical", "edited", "edited", "shorter", "longer", "rewritten"];

export async function ingestOne(stage: Stage, project: ExpectedProject): Promise<void> {
  const text = nextText(stage.random, project);
  const outcome = await stage.subject.request<Accepted>("POST", `/projects/${project.id}/ingest`, text);
  await note(stage, { project, texts: [text], outcome });
}

/** A batch can contain a document twice; its texts are ingested in their order. */
export async function ingestBatch(stage: Stage, project: ExpectedProject): Promise<void> {
  const count = stage.random.integer(1, MAX_BATCH);
  const texts = Array.from({ length: count }, () => nextText(stage.random, project));
  const path = `/projects/${project.id}/ingest/batch`;
  const outcome = await stage.subject.request<Accepted>("POST", path, { documents: texts });
  await note(stage, { project, texts, outcome });
}

/** A new document (rarely a long one) while the project has few documents, otherwise a new version of an existing one. */
function nextText(random: Random, project: ExpectedProject): NewText {
  const ids = [...project.documents.keys()];
  if (ids.length === 0 || (ids.length < DOCUMENTS && random.chance(0.5))) {
    const sentences = random.chance(0.01) ? random.integer(400, 2500) : random.integer(1, 60);
    return { source_doc_id: `doc-${random.integer(1, 1e9)}`, text: writeDocument(random, sentences) };
  }
  const id = random.pick(ids);
  const document = project.documents.get(id) ?? { texts: [] };
  return { source_doc_id: id, text: changeText(random, newestText(document), random.pick(changes)) };
}

interface Sent {
  readonly project: ExpectedProject;
  readonly texts: readonly NewText[];
  readonly outcome: Outcome<Accepted>;
}

async function note(stage: Stage, sent: Sent): Promise<void> {
  const { project, texts, outcome } = sent;
  if (outcome.kind === "lost") return resolveLost(stage, project, texts);
  if (isRefused(outcome)) return pause(stage.tally, "refused while stopping");
  if (outcome.status !== 200) return noteUnexpected(stage.tally, "ingest", outcome);
  const jobs = outcome.body.jobs ?? [{ job_id: outcome.body.job_id ?? "" }];
  if (jobs.length !== texts.length)
    stage.tally.violate("batch answer", `${jobs.length} jobs for ${texts.length}`);
  remember(
    project,
    texts,
    jobs.map((job) => job.job_id),
  );
  stage.tally.count("documents accepted", texts.length);
}

/** The list of jobs shows whether all documents of the request were accepted, or none. */
async function resolveLost(stage: Stage, project: ExpectedProject, texts: readonly NewText[]): Promise<void> {
  stage.tally.count("ingest lost");
  const listed = await listJobs(stage, project, 1);
  // Newest first; the texts were sent in order.
  const unknown = (listed ?? []).filter((job) => !project.jobs.has(job.job_id)).reverse();
  if (unknown.length === 0) return;
  const isSame = unknown.every((job, at) => job.source_doc_id === texts[at]?.source_doc_id);
  if (!isSame || unknown.length !== texts.length)
    stage.tally.violate("all or none", `${unknown.length} of ${texts.length} documents were accepted`);
  remember(
    project,
    texts,
    unknown.map((job) => job.job_id),
  );
  stage.tally.count("documents accepted though the answer was lost", unknown.length);
}

function remember(project: ExpectedProject, texts: readonly NewText[], jobIds: readonly string[]): void {
  for (const [at, { source_doc_id: sourceDocId, text }] of texts.entries()) {
    const jobId = jobIds[at];
    if (jobId !== undefined) expectAccepted(project, { jobId, sourceDocId, text });
  }
}
