/** Embeds passages and questions once and writes them for the adapters and the model server: `texts.json`, `vectors.f32`. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type EvaluationSet, textOf } from "../../evals/retrieval-set.ts";
import {
  MINILM_DIMENSIONS,
  openMiniLmEmbedder,
} from "../../packages/server/src/adapters/models/minilm-embedder.ts";
import { silenceRuntime } from "../../packages/server/src/adapters/models/runtime/silence-runtime.ts";
import { describeTimes, type Times } from "../scale/timing.ts";
import { type NamedPassage, namePassage } from "./names.ts";

const WARM_UP = 5;

/** The vectors of passages, questions and `warm` are the rows of `vectors.f32`, in this order. */
export interface InputTexts {
  readonly dimensions: number;
  readonly passages: readonly {
    readonly id: string;
    readonly title: string;
    readonly body: string;
    /** The title as the first line. */
    readonly text: string;
    readonly named: NamedPassage;
  }[];
  readonly questions: readonly { readonly id: string; readonly text: string }[];
  /** Asked before the clock starts. */
  readonly warm: readonly { readonly id: string; readonly text: string }[];
}

/** The bundled model alone, on one thread, a text at a time. */
export interface EmbedderAlone {
  readonly passagesSeconds: number;
  readonly passagesCpuSeconds: number;
  readonly question: Times;
}

export function textsOf(set: EvaluationSet): InputTexts {
  const passages = set.documents.map((document) => {
    const text = textOf(document, true);
    return {
      id: document.source_doc_id,
      title: document.title,
      body: document.body,
      text,
      named: namePassage(text),
    };
  });
  const warm = passages.slice(0, WARM_UP).map(({ id, title }) => ({ id, text: `What is ${title}?` }));
  const questions = set.queries.filter(({ id }) => set.relevant.has(id));
  return { dimensions: MINILM_DIMENSIONS, passages, questions, warm };
}

export async function writeInput(
  texts: InputTexts,
  { folder, modelFolder }: { readonly folder: string; readonly modelFolder: string },
): Promise<EmbedderAlone> {
  silenceRuntime();
  const model = await openMiniLmEmbedder(modelFolder);
  const vectors: Float32Array[] = [];
  const embed = async ({ text }: { readonly text: string }) => {
    const began = performance.now();
    vectors.push(await model.embed(text));
    return performance.now() - began;
  };
  await model.embed("warm");
  const cpu = process.cpuUsage();
  let passagesMs = 0;
  for (const passage of texts.passages) passagesMs += await embed(passage);
  const { user, system } = process.cpuUsage(cpu);
  const questionMs: number[] = [];
  for (const question of texts.questions) questionMs.push(await embed(question));
  for (const question of texts.warm) await embed(question);
  await model.close();
  await writeFile(
    join(folder, "vectors.f32"),
    Buffer.concat(vectors.map((vector) => Buffer.from(vector.buffer))),
  );
  await writeFile(join(folder, "texts.json"), JSON.stringify(texts));
  return {
    passagesSeconds: passagesMs / 1_000,
    passagesCpuSeconds: (user + system) / 1_000_000,
    question: describeTimes(questionMs),
  };
}

/** What `writeInput` wrote, for adapters in TypeScript and the model server. */
export async function readInput(folder: string) {
  // `writeInput` wrote it.
  const texts = JSON.parse(await readFile(join(folder, "texts.json"), "utf8")) as InputTexts;
  const bytes = await readFile(join(folder, "vectors.f32"));
  const numbers = new Float32Array(new Uint8Array(bytes).buffer);
  const all = [...texts.passages, ...texts.questions, ...texts.warm];
  const { dimensions } = texts;
  const vectors = new Map(
    all.map(({ text }, row) => [text, numbers.subarray(row * dimensions, (row + 1) * dimensions)]),
  );
  return { texts, vectors };
}
