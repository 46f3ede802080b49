/** Which labels the model is asked for together: a prompt has room for some, and a relation needs the labels of its ends. */
import type { ReaderLabels, ReaderReading } from "../../../../ports/entity-reader.ts";

/** Indices of labels. */
export interface ReaderRun {
  readonly entities: readonly number[];
  readonly relations: readonly number[];
}

export interface RunLimits {
  /** Of entities, and as many of relations. */
  readonly labels: number;
  /** Of all labels in the prompt. */
  readonly tokens: number;
  /** Whether the model reads relations. */
  readonly relations: boolean;
}

/** Of one text: labels that do not fit into these are not read. */
const MAX_RUNS = 16;

interface Draft {
  readonly entities: Set<number>;
  readonly relations: Set<number>;
}

/** `tokensOf`: of a label in the prompt, its marker included. */
export function planRuns(
  labels: ReaderLabels,
  limits: RunLimits,
  tokensOf: (label: string) => number,
): readonly ReaderRun[] {
  const runs: Draft[] = [];
  const tokens = (draft: Draft) =>
    [...draft.entities].reduce((sum, at) => sum + tokensOf(labels.entities[at]?.name ?? ""), 0) +
    [...draft.relations].reduce((sum, at) => sum + tokensOf(labels.relations[at]?.label ?? ""), 0);
  const fits = (draft: Draft) =>
    draft.entities.size <= limits.labels &&
    draft.relations.size <= limits.labels &&
    tokens(draft) <= limits.tokens;

  /** To the last run, or to a new one. */
  function place(entities: readonly number[], relations: readonly number[]): void {
    const last = runs.at(-1);
    if (last !== undefined) {
      const joined = {
        entities: new Set([...last.entities, ...entities]),
        relations: new Set([...last.relations, ...relations]),
      };
      if (fits(joined)) {
        runs[runs.length - 1] = joined;
        return;
      }
    }
    if (runs.length === MAX_RUNS) return;
    // A relation between more labels than a prompt has room for is read between the first of them.
    const alone = [...entities];
    const draft = () => ({ entities: new Set(alone), relations: new Set(relations) });
    while (alone.length > 1 && !fits(draft())) alone.pop();
    runs.push(draft());
  }

  if (limits.relations) {
    for (const [at, { sources, targets }] of labels.relations.entries())
      place([...new Set([...sources, ...targets])], [at]);
  }
  const placed = new Set(runs.flatMap(({ entities }) => [...entities]));
  for (const at of labels.entities.keys()) if (!placed.has(at)) place([at], []);
  return runs.map(({ entities, relations }) => ({
    entities: [...entities].toSorted((one, other) => one - other),
    relations: [...relations].toSorted((one, other) => one - other),
  }));
}

/** How many labels are in none of the runs. */
export function unreadOf(
  runs: readonly ReaderRun[],
  { entities, relations }: ReaderLabels,
): ReaderReading["unread"] {
  const read = (kind: keyof ReaderRun) => new Set(runs.flatMap((run) => run[kind])).size;
  return { entities: entities.length - read("entities"), relations: relations.length - read("relations") };
}
