/**
 * What recorded triples are worth to retrieval, with the service's own chunks, search and ranking in this process:
 *
 *   node evals/language-model/recall.ts FOLDER
 *
 * FOLDER is in the BEIR layout with recorded replies beside it (openie.jsonl). The names over which passages are connected are those
 * of the built-in rules, those of the recorded replies alone, and both; each with the documents' titles and without.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  MINILM_MAX_TOKENS,
  openMiniLmEmbedder,
} from "../../packages/server/src/adapters/models/minilm-embedder.ts";
import { silenceRuntime } from "../../packages/server/src/adapters/models/runtime/silence-runtime.ts";
import type { Mention } from "../../packages/server/src/domain/graph.ts";
import { groundReply } from "../../packages/server/src/engine/ingest/extract/model/ground-facts.ts";
import { readReply } from "../../packages/server/src/engine/ingest/extract/model/read-reply.ts";
import { createRelationNames } from "../../packages/server/src/engine/ingest/extract/model/relation-names.ts";
import { rankByGraph } from "../../packages/server/src/engine/query/graph/rank.ts";
import type { Embedder } from "../../packages/server/src/ports/embedder.ts";
import { corpusOf, readChunks, type StoredChunk } from "../graph-ranking/corpus.ts";
import { type EvaluationSet, readSet } from "../graph-ranking/sets.ts";
import { ndcg, recall } from "../metrics.ts";
import { type RecordedPassage, readRecorded, replyTo } from "./recorded-replies.ts";

const WAYS = ["built_in", "recorded", "both"] as const;
type Way = (typeof WAYS)[number];

const nameRelation = createRelationNames();

/** The names that the reply has and the chunk shows, as the service keeps them. */
function namesOf(passage: RecordedPassage, chunk: StoredChunk): readonly Mention[] {
  const reply = readReply(replyTo(passage, chunk.text));
  if (reply === null) return [];
  const { sentences } = chunk.knowledge;
  const { entities } = groundReply(reply, {
    chunk: { text: chunk.text, start: 0, header: passage.title, sentences, documentSubject: passage.title },
    ...{ types: null, nameRelation, knownTypes: new Map() },
  });
  return entities.flatMap(({ key: name, start, end }) => {
    const sentence = sentences.findIndex((one) => one.start <= start && start < one.end);
    return sentence === -1 ? [] : [{ name, sentence, isVariant: false, start, end }];
  });
}

function withNames(chunk: StoredChunk, passage: RecordedPassage | undefined, way: Way): StoredChunk {
  if (way === "built_in" || passage === undefined) return chunk;
  const own = namesOf(passage, chunk);
  const { mentions } = chunk.knowledge;
  const known = new Set(mentions.map(({ name }) => name));
  const joined = way === "recorded" ? own : [...mentions, ...own.filter(({ name }) => !known.has(name))];
  return { ...chunk, knowledge: { ...chunk.knowledge, mentions: joined } };
}

async function scoreSet(set: EvaluationSet, chunks: readonly StoredChunk[], embedder: Embedder) {
  const corpus = corpusOf(chunks);
  const embed = async (text: string) => (await embedder.embed(text)).slice();
  const sums = { recall2: 0, recall5: 0, ndcg10: 0 };
  for (const { text, relevant } of set.questions) {
    const vector = await embed(text);
    const scores = await corpus.search(text, vector);
    const { ranked } = await rankByGraph({ text, vector, reader: corpus.reader, scores, embed });
    const ids = [...new Set(ranked.map(({ sourceDocId }) => sourceDocId))];
    sums.recall2 += recall(ids, relevant, 2);
    sums.recall5 += recall(ids, relevant, 5);
    sums.ndcg10 += ndcg(ids, relevant, 10);
  }
  const mean = (sum: number) => Math.round((1000 * sum) / Math.max(1, set.questions.length)) / 10;
  return { recall2: mean(sums.recall2), recall5: mean(sums.recall5), ndcg10: mean(sums.ndcg10) };
}

async function main([folder]: readonly string[]): Promise<void> {
  if (folder === undefined) throw new Error("Usage: node evals/language-model/recall.ts FOLDER");
  silenceRuntime();
  const embedder = await openMiniLmEmbedder(join(tmpdir(), "kcs-model"));
  const recorded = new Map((await readRecorded(folder)).map((passage) => [passage.id, passage]));
  try {
    for (const hasTitles of [true, false]) {
      const set = await readSet(folder, hasTitles);
      const chunks = await readChunks(set, embedder, MINILM_MAX_TOKENS);
      for (const way of WAYS) {
        const named = chunks.map((chunk) => withNames(chunk, recorded.get(chunk.sourceDocId), way));
        const mentions = named.reduce((sum, { knowledge }) => sum + knowledge.mentions.length, 0);
        const line = { set: set.name, way, mentions, ...(await scoreSet(set, named, embedder)) };
        process.stdout.write(`${JSON.stringify(line)}\n`);
      }
    }
  } finally {
    await embedder.close();
  }
}

await main(process.argv.slice(2));
