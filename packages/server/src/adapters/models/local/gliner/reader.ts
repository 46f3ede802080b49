/** Reads entities and relations with a GLiNER model of the models folder. */
import { applyConfidence } from "../../../../domain/confidence-map.ts";
import { createRecentMap } from "../../../../domain/recent-map.ts";
import type { EntityLabel, ReaderLabels, ReaderReading } from "../../../../ports/entity-reader.ts";
import type { AroundRun } from "../../runtime/onnx-session.ts";
import { type IdentifiedModel, requireIntact } from "../identify-model.ts";
import { openTokenizer, orClosed, tryModel } from "../text-model.ts";
import {
  chooseSpans,
  type LabelledSpan,
  relationCandidates,
  spanCandidates,
  tokenCandidates,
} from "./decode.ts";
import type { ReaderDescription } from "./describe-gliner.ts";
import {
  type Floats,
  type LabelsGraph,
  openLabelsGraph,
  openRelationsGraph,
  openTextGraph,
  type RelationsGraph,
  type TextGraph,
  type TextOutputs,
} from "./graphs.ts";
import { planRuns, type ReaderRun, unreadOf } from "./plan-runs.ts";
import { createPrompter, type Prompter, type TokenizedWord } from "./prompt.ts";
import { cutWindows, type WordWindow } from "./words.ts";

export interface LocalReader {
  /** Depends on the text and the labels alone. Blocks the thread, once for each window and run. */
  read(text: string, labels: ReaderLabels): Promise<ReaderReading>;
  close(): Promise<void>;
}

export const READER_LIMITS = {
  /** Sets of labels whose prompts are kept. */
  plans: 8,
  /** Vectors of labels that are kept, of a bi-encoder: 3 kB each. */
  labelVectors: 2_000,
  /** The surest entities of a window between which relations are read. */
  related: 64,
} as const;

/** Of the tokens that a model takes at once; the others are the text's. */
const PROMPT_SHARE = 1 / 2;

/** What a model reads when it is opened: what its files do not say shows before the first text. */
const TRIED_TEXT = "one two";
const TRIED_LABELS: ReaderLabels = {
  entities: [{ name: "person", description: "" }],
  relations: [{ label: "of", sources: [0], targets: [0] }],
};

interface PreparedRun extends ReaderRun {
  readonly prompt: readonly number[];
  /** Of a bi-encoder. */
  readonly labelVectors: Floats | null;
}

interface ScoredRelation {
  readonly source: LabelledSpan;
  readonly target: LabelledSpan;
  readonly label: number;
  readonly score: number;
}

interface WindowReading {
  readonly spans: readonly LabelledSpan[];
  readonly relations: readonly ScoredRelation[];
}

/** What an opened model consists of. */
interface Parts {
  readonly reader: ReaderDescription;
  readonly prompter: Prompter;
  readonly text: TextGraph;
  readonly relations: RelationsGraph | null;
}

/** Verifies the files and loads them. @throws ModelFault */
export async function openLocalReader(
  model: IdentifiedModel,
  { aroundRun }: { readonly aroundRun?: AroundRun } = {},
): Promise<LocalReader> {
  const { reader } = model;
  if (reader === null) throw new Error(`${model.id} is no reader`);
  await requireIntact(model);
  const prompter = await createPrompter(model, reader, await openTokenizer(model, "tokenizer.json"));
  const { text, labels, relations, close } = await openGraphs(model, reader, aroundRun);
  const parts: Parts = { reader, prompter, text, relations };
  const plans = createRecentMap<string, Promise<readonly PreparedRun[]>>(READER_LIMITS.plans);

  /** What a model without relations is not asked for is not missing. */
  const askedOf = (asked: ReaderLabels): ReaderLabels =>
    relations === null ? { ...asked, relations: [] } : asked;

  async function prepareRuns(asked: ReaderLabels): Promise<readonly PreparedRun[]> {
    const all = [...asked.entities.map(({ name }) => name), ...asked.relations.map(({ label }) => label)];
    const tokens = new Map<string, number>();
    if (labels === null) for (const label of all) tokens.set(label, (await prompter.tokensOf(label)).length);
    const limits = {
      labels: reader?.maxLabels ?? 0,
      tokens: Math.floor(model.maxTokens * PROMPT_SHARE),
      relations: relations !== null,
    };
    const runs = planRuns(asked, limits, (label) => tokens.get(label) ?? 0);
    return Promise.all(
      runs.map(async (run) => {
        const entities = run.entities.flatMap((at) => asked.entities[at] ?? []);
        const names = entities.map(({ name }) => name);
        const kinds = run.relations.map((at) => asked.relations[at]?.label ?? "");
        return {
          ...run,
          prompt: await prompter.promptOf(labels === null ? names : null, relations === null ? null : kinds),
          labelVectors: labels === null ? null : await labels.vectorsOf(entities.map(describedLabel)),
        };
      }),
    );
  }

  await tryModel(model, { close }, async () => {
    const [run] = await prepareRuns(TRIED_LABELS);
    const words = await prompter.tokenize(TRIED_TEXT);
    if (run === undefined || words.length < 2) return;
    const outputs = await text.run(prompter.inputOf(run.prompt, words), words.length, run.labelVectors);
    await relations?.run(outputs, [
      { start: 0, end: 0 },
      { start: 1, end: 1 },
    ]);
  });

  return {
    async read(content, asked) {
      if (asked.entities.length === 0)
        return { entities: [], relations: [], unread: unreadOf([], askedOf(asked)) };
      const runs = await plans.getOrMake(JSON.stringify(asked), () => prepareRuns(asked));
      const words = await prompter.tokenize(content);
      const readings: WindowReading[] = [];
      for (const run of runs) {
        const room = Math.max(1, model.maxTokens - prompter.marks - run.prompt.length);
        const tokens = words.map(({ ids }) => ids.length);
        for (const window of cutWindows(tokens, { words: reader.maxWords, tokens: room }))
          readings.push(await readWindow(words, { window, run, parts }));
      }
      return { ...join(readings, { words, reader }), unread: unreadOf(runs, askedOf(asked)) };
    },
    close,
  };
}

/** All graphs of the model, or none: if one cannot be opened, those before it are closed. */
async function openGraphs(
  model: IdentifiedModel,
  reader: ReaderDescription,
  aroundRun: AroundRun | undefined,
) {
  const opened: { close(): Promise<void> }[] = [];
  const close = async () => {
    for (const graph of opened.splice(0)) await graph.close();
  };
  const keep = <T extends { close(): Promise<void> }>(graph: T): T => {
    opened.push(graph);
    return graph;
  };
  return orClosed({ close }, async () => {
    const text = keep(await openTextGraph(model, reader, aroundRun));
    const { isTokenModel } = text;
    const { labelsGraph, relationsGraph: file } = reader;
    const labels = labelsGraph === null ? null : keep(await openLabels(model, labelsGraph, aroundRun));
    const relations =
      file === null ? null : keep(await openRelationsGraph(model, { file, isTokenModel, aroundRun }));
    return { text, labels, relations, close };
  });
}

/** For an encoder of labels, which has room for what they mean. */
function describedLabel({ name, description }: EntityLabel): string {
  return description === "" ? name : `${name}: ${description}`;
}

/** The encoder of labels with the vectors that it made. */
async function openLabels(model: IdentifiedModel, file: string, aroundRun: AroundRun | undefined) {
  const tokenizer = await openTokenizer(model, "labels_encoder/tokenizer.json");
  const graph: LabelsGraph = await openLabelsGraph(model, { file, tokenizer, aroundRun });
  const vectors = createRecentMap<string, Promise<Float32Array>>(READER_LIMITS.labelVectors);
  return {
    async vectorsOf(labels: readonly string[]): Promise<Floats> {
      const rows: Float32Array[] = [];
      for (const label of labels) rows.push(await vectors.getOrMake(label, () => graph.run(label)));
      const size = rows[0]?.length ?? 0;
      const data = new Float32Array(rows.length * size);
      for (const [row, vector] of rows.entries()) data.set(vector, row * size);
      return { data, dims: [rows.length, size] };
    },
    close: graph.close,
  };
}

/** Spans count words of the whole text; labels are those of the request. */
async function readWindow(
  words: readonly TokenizedWord[],
  { window, run, parts }: { readonly window: WordWindow; readonly run: PreparedRun; readonly parts: Parts },
): Promise<WindowReading> {
  const { reader, prompter, text, relations } = parts;
  const own = words.slice(window.from, window.to);
  const outputs = await text.run(prompter.inputOf(run.prompt, own), own.length, run.labelVectors);
  const candidatesOf = text.isTokenModel ? tokenCandidates : spanCandidates;
  const candidates = candidatesOf(outputs.logits, { words: own.length, threshold: reader.threshold });
  const chosen = chooseSpans(candidates, reader.nested);
  const found =
    relations === null || run.relations.length === 0
      ? []
      : await readRelations(chosen, { outputs, graph: relations, reader });
  const inText = (span: LabelledSpan): LabelledSpan => ({
    ...span,
    start: window.from + span.start,
    end: window.from + span.end,
    label: run.entities[span.label] ?? 0,
  });
  return {
    spans: chosen.map(inText),
    relations: found.map(({ source, target, label, score }) => ({
      source: inText(source),
      target: inText(target),
      label: run.relations[label] ?? 0,
      score,
    })),
  };
}

/** Of each pair of spans on its own: the layers that would look at all of them together cannot be exported. */
async function readRelations(
  chosen: readonly LabelledSpan[],
  {
    outputs,
    graph,
    reader,
  }: {
    readonly outputs: TextOutputs;
    readonly graph: RelationsGraph;
    readonly reader: ReaderDescription;
  },
): Promise<readonly ScoredRelation[]> {
  const entities = chosen.toSorted((one, other) => other.score - one.score).slice(0, READER_LIMITS.related);
  if (entities.length < 2) return [];
  const { adjacency, logits } = await graph.run(outputs, entities);
  return relationCandidates({ adjacency, logits }, reader).map(({ source, target, ...relation }) => ({
    ...relation,
    source: entities[source]!, // The graph relates what it was given.
    target: entities[target]!,
  }));
}

/** Of what several windows or runs read of one place the surest; relations only between entities that are left. */
function join(
  readings: readonly WindowReading[],
  { words, reader }: { readonly words: readonly TokenizedWord[]; readonly reader: ReaderDescription },
): Pick<ReaderReading, "entities" | "relations"> {
  const chosen = chooseSpans(
    readings.flatMap(({ spans }) => spans),
    reader.nested,
  );
  const places = new Map(chosen.map((span, at) => [placeOf(span), at]));
  const best = new Map<string, { source: number; target: number; label: number; score: number }>();
  for (const { source, target, label, score } of readings.flatMap(({ relations }) => relations)) {
    const [from, to] = [places.get(placeOf(source)), places.get(placeOf(target))];
    if (from === undefined || to === undefined) continue;
    const id = `${from} ${to} ${label}`;
    if ((best.get(id)?.score ?? 0) < score) best.set(id, { source: from, target: to, label, score });
  }
  return {
    entities: chosen.map(({ start, end, label, score }) => ({
      start: words[start]?.start ?? 0,
      end: words[end]?.end ?? 0,
      label,
      score,
    })),
    relations: [...best.values()].map(({ score, ...relation }) => ({
      ...relation,
      confidence: reader.confidence === null ? score : applyConfidence(reader.confidence, score),
    })),
  };
}

function placeOf({ start, end }: LabelledSpan): string {
  return `${start} ${end}`;
}
