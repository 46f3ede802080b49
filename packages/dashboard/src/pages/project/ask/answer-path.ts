/** The searches of a dynamic answer that led to what it says: from the question over names to passages. */
import type { QueryResult, QueryStep } from "@kcs/sdk";
import { wordsOf } from "../graph/link-text.ts";

/** A name that was followed, with the sentence that has it. */
export interface Hop {
  readonly name: string;
  readonly from: NonNullable<QueryStep["from"]>;
  /** What the graph says of the name and the one before it, for example "directed by"; null where it says nothing. */
  readonly relation: string | null;
}

export interface AnswerPath {
  /** The chunk that the answer quotes. */
  readonly chunkId: string;
  readonly hops: readonly Hop[];
}

/** What the answer quotes, with the words around it. */
interface Quote {
  readonly chunkId: string;
  readonly document: string;
  readonly sentence: string;
}

/** The paths to quotes that no search for the question itself explains. A step that led to no quote is on none. */
export function answerPaths(
  steps: readonly QueryStep[],
  quotes: readonly Quote[],
  {
    query,
    relationships,
  }: { readonly query: string; readonly relationships: QueryResult["results"]["relationships"] },
): readonly AnswerPath[] {
  const isLinked = (name: string) => relationBetween(query, name, relationships) !== null;
  const paths = quotes.flatMap((quote): AnswerPath[] => {
    const { chunkId } = quote;
    const step = stepTo(steps, quote, isLinked);
    const names = step === null ? [] : chainTo(steps, step);
    if (names.length === 0) return [];
    const hops = names.map(({ name, from }, at) => ({
      name,
      from,
      relation: relationBetween(at === 0 ? query : (names[at - 1]?.name ?? ""), name, relationships),
    }));
    return [{ chunkId, hops }];
  });
  const keys = paths.map(({ chunkId, hops }) => [chunkId, ...hops.map(({ name }) => name)].join("\n"));
  return paths.filter((_, at) => keys.indexOf(keys[at] ?? "") === at);
}

/**
 * The search that best explains a quote: the question's own where it found the chunk before all others, else one for a name that the
 * quote is about, best for one that the graph relates to the question, else the first that found its chunk.
 */
function stepTo(
  steps: readonly QueryStep[],
  quote: Quote,
  isLinked: (name: string) => boolean,
): QueryStep | null {
  const finding = steps.filter((step) => step.chunk_ids.includes(quote.chunkId));
  const [first = null] = finding;
  if (first?.name === null && first.chunk_ids[0] === quote.chunkId) return first;
  const ofNames = finding.filter(
    ({ name, from }) => name !== null && from?.chunk_id !== quote.chunkId && isAbout(quote, name),
  );
  return ofNames.find(({ name }) => name !== null && isLinked(name)) ?? ofNames[0] ?? first;
}

/** Whether it is named by the sentence, if only by its last word, or by its document. */
function isAbout({ sentence, document }: Quote, name: string): boolean {
  return [sentence, document].some((text) => text.includes(name)) || sentence.includes(lastWord(name));
}

function lastWord(name: string): string {
  return name.split(" ").at(-1) ?? name;
}

/** The followed names up to a step, the first one first. Each was found by an earlier step. */
function chainTo(steps: readonly QueryStep[], last: QueryStep) {
  const names: Pick<Hop, "name" | "from">[] = [];
  let step: QueryStep | undefined = last;
  while (step !== undefined && step.name !== null && step.from !== null) {
    const from: Hop["from"] = step.from;
    names.unshift({ name: step.name, from });
    const before: readonly QueryStep[] = steps.slice(0, steps.indexOf(step));
    step = before.find(({ chunk_ids: found }) => found.includes(from.chunk_id));
  }
  return names;
}

function relationBetween(
  before: string,
  name: string,
  relationships: QueryResult["results"]["relationships"],
): string | null {
  for (const { source, target, type } of relationships) {
    if (target === name && before.includes(source)) return wordsOf(type);
    if (source === name && before.includes(target)) return wordsOf(type);
  }
  return null;
}
