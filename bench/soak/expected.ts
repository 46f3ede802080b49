/** The expected content of the service, derived from the accepted requests. */

/** The texts that the service has accepted for a document. */
export interface ExpectedDocument {
  /** All texts that a query may still show, newest last; only one when no job is pending. Never empty. */
  readonly texts: string[];
}

export interface ExpectedProject {
  readonly id: string;
  readonly name: string;
  readonly documents: Map<string, ExpectedDocument>;
  /** Maps every accepted job, whatever its outcome, to its document. */
  readonly jobs: Map<string, string>;
  /** Jobs that are not known to have ended. */
  readonly unfinished: Set<string>;
}

/** A document never has more pending texts than this; older ones are dropped. */
const MAX_TEXTS = 64;

export function expectProject(id: string, name: string): ExpectedProject {
  return { id, name, documents: new Map(), jobs: new Map(), unfinished: new Set() };
}

export function expectAccepted(
  project: ExpectedProject,
  accepted: { readonly jobId: string; readonly sourceDocId: string; readonly text: string },
): void {
  const { jobId, sourceDocId, text } = accepted;
  const document = project.documents.get(sourceDocId) ?? { texts: [] };
  document.texts.push(text);
  if (document.texts.length > MAX_TEXTS) document.texts.shift();
  project.documents.set(sourceDocId, document);
  project.jobs.set(jobId, sourceDocId);
  project.unfinished.add(jobId);
}

export function expectEnded(project: ExpectedProject, jobId: string): void {
  project.unfinished.delete(jobId);
  if (project.unfinished.size > 0) return;
  for (const { texts } of project.documents.values()) texts.splice(0, texts.length - 1);
}

export function newestText(document: ExpectedDocument): string {
  return document.texts.at(-1) ?? "";
}

interface ShownChunk {
  readonly text: string;
  readonly similarity: number;
  readonly source_doc_id?: string;
  readonly start?: number;
  readonly end?: number;
}

/** The faults of the chunks of an answer; empty when all of them are allowed. */
export function findAnswerFaults(project: ExpectedProject, chunks: readonly ShownChunk[]): readonly string[] {
  const faults: string[] = [];
  chunks.forEach((chunk, at) => {
    const before = chunks[at - 1]?.similarity ?? 1;
    if (!(chunk.similarity >= 0 && chunk.similarity <= before))
      faults.push(`similarity ${chunk.similarity} at ${at}`);
  });
  for (const [id, shown] of Map.groupBy(chunks, (chunk) => chunk.source_doc_id ?? "")) {
    const document = project.documents.get(id);
    const places = new Set(shown.map(({ start, end }) => `${start}-${end}`));
    if (places.size < shown.length) faults.push(`a chunk of ${id} is repeated`);
    if (document === undefined) faults.push(`${id} was never ingested here`);
    else if (!document.texts.some((text) => shown.every((chunk) => isOf(text, chunk))))
      faults.push(`${id} shows chunks that no single accepted text has together`);
  }
  return faults;
}

function isOf(text: string, { text: shown, start, end }: ShownChunk): boolean {
  return text.slice(start, end) === shown;
}
