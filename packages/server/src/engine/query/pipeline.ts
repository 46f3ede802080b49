/** A question → terms and vector → candidates of both retrievers, fused → chunks → summary. */
import { errors } from "../../domain/errors.ts";
import type { Answer, Question, RankedChunk } from "../../domain/query.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { IndexState, IndexStore, StoredChunk } from "../../ports/store.ts";
import type { SearchKernels } from "../index/kernels/search-kernels.ts";
import { type Candidate, searchIndex } from "../index/search.ts";
import { queryTerms } from "../text/terms.ts";
import type { SegmentReader } from "./segment-reader.ts";
import { summarize } from "./summarize.ts";

export interface QueryDeps {
  readonly store: Pick<IndexStore, "readIndexState" | "readVectors" | "readChunks">;
  readonly segments: SegmentReader;
  readonly kernels: SearchKernels;
  readonly embedder: Embedder;
}

/** The summary looks at so many chunks, whatever `topK` asks for. */
const SUMMARY_CHUNKS = 10;
/** A chunk that a merge or a deletion took away meanwhile makes a query look again, so many times. */
const MAX_LOOKS = 5;

const NOTHING_INGESTED =
  "Nothing has been ingested into this project yet, so there is nothing to answer from.";

const NOTHING_ALLOWED = "No ingested document meets the filter, so there is nothing to answer from.";

const NOTHING_TO_QUOTE = "The passages that were found hold no sentence that could be quoted.";

/** null when the project is gone or another account's: then nothing of it has been looked at. */
export async function answerQuestion(question: Question, deps: QueryDeps): Promise<Answer | null> {
  const { projectId, accountId } = question;
  const vector = await deps.embedder.embed(question.query);
  const terms = queryTerms(question.query);
  for (let look = 1; ; look++) {
    const state = await deps.store.readIndexState({ projectId, accountId });
    if (state === null) return null;
    const found = await retrieve(question, { vector, terms, state }, deps);
    // A chunk that cannot be read may be missing in the end, but never a part of the index.
    const isEnough = look >= MAX_LOOKS && found.isWhole && found.ranked.length > 0;
    if (found.complete || isEnough) return present(question, found);
    if (look >= MAX_LOOKS) {
      throw errors.unavailable("The project is changing too fast to be searched. Try again.", {
        retryAfterSeconds: 1,
      });
    }
  }
}

interface Found {
  readonly ranked: readonly (RankedChunk & { readonly dense: number })[];
  /** False when something that was ranked could not be read any more. */
  readonly complete: boolean;
  /** False when a segment was gone before it was searched. */
  readonly isWhole: boolean;
}

async function retrieve(
  question: Question,
  asked: { vector: Float32Array; terms: readonly string[]; state: IndexState },
  deps: QueryDeps,
): Promise<Found> {
  const { projectId } = question;
  const index = await deps.segments.open(projectId, asked.state);
  if (index === null) return { ranked: [], complete: false, isWhole: false };
  let missed = false;
  try {
    const candidates = await searchIndex({
      index,
      kernels: deps.kernels,
      terms: asked.terms,
      vector: asked.vector,
      filter: question.filter,
      limit: Math.max(question.topK, SUMMARY_CHUNKS),
      async readVectors(keys) {
        const vectors = await deps.store.readVectors({ projectId, keys });
        missed = vectors.includes(null);
        return vectors;
      },
    });
    const chunks = await deps.store.readChunks({
      projectId,
      keys: candidates.map(({ versionId, position }) => ({ versionId, position })),
    });
    const ranked = candidates.flatMap((candidate, at) => rankedChunk(candidate, chunks[at] ?? null));
    const complete = index.isComplete && !missed && ranked.length === candidates.length;
    return { ranked, complete, isWhole: index.isComplete };
  } finally {
    index.release();
  }
}

function rankedChunk(candidate: Candidate, chunk: StoredChunk | null): Found["ranked"] {
  if (chunk === null) return [];
  return [{ ...chunk, similarity: candidate.score, dense: candidate.dense }];
}

function present(question: Question, found: Found): Answer {
  const summary = summarize({
    query: question.query,
    chunks: found.ranked.slice(0, SUMMARY_CHUNKS),
  });
  return {
    strategyUsed: "hybrid",
    summary: found.ranked.length === 0 ? nothingFound(question) : summary || NOTHING_TO_QUOTE,
    entities: [],
    relationships: [],
    chunks: found.ranked.slice(0, question.topK).map(({ dense: _dense, ...chunk }) => chunk),
  };
}

function nothingFound({ filter }: Question): string {
  return filter === null ? NOTHING_INGESTED : NOTHING_ALLOWED;
}
