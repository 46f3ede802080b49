/** Sentences that are annotated exhaustively under ontologies that no rule was written for, half of them for tuning and half for reporting. */
import { readdir, readFile } from "node:fs/promises";

export interface AnnotatedFact {
  /** As the sentence writes it. */
  readonly source: string;
  readonly edge: string;
  readonly target: string;
}

export interface AnnotatedName {
  readonly text: string;
  /** Kind of thing, whatever the ontology. */
  readonly kind: string;
  /** Type of the ontology; null where it has none for the name. */
  readonly type: string | null;
}

export interface AnnotatedSentence {
  readonly text: string;
  readonly facts: readonly AnnotatedFact[];
  readonly names: readonly AnnotatedName[];
}

/** `tuned`: may be looked at and learned from. `reported` and `fresh` may not; `fresh` was written after most of the rules were made. */
export const PARTS = ["tuned", "reported", "fresh"] as const;
export type Part = (typeof PARTS)[number];

export interface AnnotatedSet {
  readonly id: string;
  readonly part: Part;
  readonly ontology: {
    readonly entity_types: readonly { readonly name: string; readonly description: string }[];
    readonly edge_types: readonly {
      readonly name: string;
      readonly description: string;
      readonly source: string;
      readonly target: string;
    }[];
  };
  readonly examples: readonly (AnnotatedFact & { readonly sentence: string })[];
  readonly sentences: readonly AnnotatedSentence[];
}

const folder = new URL("./annotated/", import.meta.url);

/** Of the sets of the first two writers every other one is tuned on; of the third writer all are, of the fourth none. */
export async function readAnnotated(): Promise<readonly AnnotatedSet[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  const files = await Promise.all(names.map((name) => readFile(new URL(name, folder), "utf8")));
  const sets = files.flatMap((text) => JSON.parse(text) as Omit<AnnotatedSet, "part">[]); // Our own files.
  const early = sets.filter(({ id }) => /^(?:first|second)-/.test(id));
  return sets.map((set) => {
    const at = early.indexOf(set);
    if (at < 0) return { ...set, part: set.id.startsWith("third-") ? "tuned" : "fresh" };
    return { ...set, part: at % 2 === 0 ? "tuned" : "reported" };
  });
}

/** As the API takes it; with the first `examples` of each edge type. */
export function schemaOf({ ontology, examples }: AnnotatedSet, count: number): object {
  const node_types = Object.fromEntries(
    ontology.entity_types.map(({ name, description }) => [name, { description }]),
  );
  const edge_types = ontology.edge_types.map(({ name, description, source, target }) => ({
    ...{ name, description, source_types: [source], target_types: [target] },
    examples: examples
      .filter(({ edge }) => edge === name)
      .slice(0, count)
      .map((example) => ({ source: example.source, target: example.target, text: example.sentence })),
  }));
  return { ontology: { hierarchy: [{ level: 0, node_types }], edge_types } };
}
