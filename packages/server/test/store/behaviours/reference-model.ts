/** What the queue and the documents of one project should be after each step, in memory and without batches of jobs. */
import { wordsOf } from "../scenario.ts";

interface ModelVersion {
  readonly text: string;
  readonly label: string;
  count: number;
  complete: boolean;
}

export interface ModelJob {
  readonly jobId: string;
  readonly document: string;
  readonly text: string;
  /** The value of its only metadata, "" when it has none. */
  readonly label: string;
  status: "pending" | "running" | "completed" | "failed";
  processed: number;
  /** null until a claim has decided. */
  version: ModelVersion | null;
}

interface ModelDocument {
  live: ModelVersion | null;
  staged: ModelVersion | null;
}

export function createModel(names: readonly string[]) {
  const jobs: ModelJob[] = [];
  const model = new Map<string, ModelDocument>(names.map((name) => [name, { live: null, staged: null }]));
  const known = new Set<string>();
  const documentOf = (job: ModelJob) => model.get(job.document)!; // Every document of the jobs is there.
  return {
    jobs: jobs as readonly ModelJob[],
    accept(job: Pick<ModelJob, "jobId" | "document" | "text" | "label">): void {
      known.add(job.document);
      jobs.push({ ...job, status: "pending", processed: 0, version: null });
    },
    /** The job that a claim gives, having ended those whose text is there already, labelled as they are. */
    claim(): ModelJob | null {
      for (;;) {
        const next = firstReady(jobs);
        if (next === null) return null;
        const document = documentOf(next);
        if (next.version === null && isUnchanged(next, document)) {
          Object.assign(next, { status: "completed", processed: document.live?.count ?? 0 });
          document.staged = null;
          continue;
        }
        next.version ??= decide(next, document);
        next.status = "running";
        return next;
      }
    },
    commit(job: ModelJob, count: number): void {
      commitWords(job, { document: documentOf(job), count });
    },
    /** False when it was never accepted, or is deleted already. */
    delete(name: string): boolean {
      model.set(name, { live: null, staged: null });
      for (const job of jobs) {
        if (job.document === name && job.status !== "completed") job.status = "failed";
      }
      return known.delete(name);
    },
    visible(): Record<string, readonly string[]> {
      const shown: Record<string, readonly string[]> = {};
      for (const [name, { live }] of model) {
        if (live !== null && live.count > 0) shown[name] = wordsOf(live.text).slice(0, live.count);
      }
      return shown;
    },
    /** Chunks that are kept, seen or not. */
    chunkCount: () =>
      [...model.values()].reduce(
        (sum, { live, staged }) => sum + (live?.count ?? 0) + (staged?.count ?? 0),
        0,
      ),
  };
}

/** The oldest unfinished job that is also the oldest of its document. */
function firstReady(jobs: readonly ModelJob[]): ModelJob | null {
  const seen = new Set<string>();
  for (const job of jobs) {
    if (job.status === "completed" || job.status === "failed" || seen.has(job.document)) continue;
    seen.add(job.document);
    return job;
  }
  return null;
}

function isUnchanged(job: ModelJob, { live }: ModelDocument): boolean {
  return live?.complete === true && isSame(live, job);
}

function isSame(version: ModelVersion | null, job: ModelJob): boolean {
  return version?.text === job.text && version.label === job.label;
}

/** Goes on with a version of the same text and label, the visible one before the hidden; drops a hidden one that nobody needs. */
function decide(job: ModelJob, document: ModelDocument): ModelVersion {
  const { live, staged } = document;
  const resumed = isSame(live, job) ? live : isSame(staged, job) ? staged : null;
  if (resumed !== staged) document.staged = null;
  return resumed ?? { text: job.text, label: job.label, count: 0, complete: false };
}

function commitWords(job: ModelJob, input: { document: ModelDocument; count: number }): void {
  const { document, count } = input;
  const version = job.version!; // A claim has set it.
  const words = wordsOf(job.text);
  if (document.live === null) document.live = version;
  else if (document.live !== version) document.staged = version;
  const added = Math.min(words.length, version.count + count) - version.count;
  version.count += added;
  job.processed += added;
  if (version.count < words.length) return;
  version.complete = true;
  document.live = version;
  document.staged = null;
  job.status = "completed";
  job.processed = version.count;
}
