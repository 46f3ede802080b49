/** Turns sentences into described candidates of one ontology's relations; what extraction scores and training learns from. */

import type { OntologySchema } from "../../../../domain/ontology-schema.ts";
import { createWordVectors, type WordVectors } from "../pairs/word-vectors.ts";
import type { TagSentence } from "../statements/create-tagger.ts";
import { readWeights } from "../types/weights.ts";
import type { Embed } from "../vectors.ts";
import { type Candidate, findCandidates, groupByTarget, splitByEdge } from "./candidates.ts";
import { type EdgeProfile, profileEdges, type ValueKind } from "./edge-profile.ts";
import { createExampleLikeness } from "./example-likeness.ts";
import { readPrototypes } from "./example-prototypes.ts";
import type { EdgePrototypes } from "./feature-input.ts";
import { describeCandidates } from "./features.ts";
import type { DistantSubject, EncodedSentence, RelationSentence } from "./relation-types.ts";
import { type SentenceView, viewSentence } from "./sentence-context.ts";
import { embedEdges, joinExamples } from "./state-features.ts";
import { createTriggerStem } from "./word-forms.ts";

export interface RelationReading {
  readonly view: SentenceView;
  readonly candidates: readonly Candidate[];
  /** Candidates whose targets overlap. */
  readonly groups: readonly (readonly number[])[];
  /** The same by edge type: what is scored together. */
  readonly questions: readonly (readonly number[])[];
  /** For each candidate its features. */
  readonly rows: readonly Float64Array[];
}

export interface RelationReader {
  readonly edges: readonly EdgeProfile[];
  /** For each edge type whether its examples say something. */
  readonly hasExamples: readonly boolean[];
  read(sentence: RelationSentence, distant: readonly DistantSubject[]): Promise<RelationReading>;
}

export interface ReaderModels {
  /** Unit vectors of short texts. */
  readonly embed: Embed;
  readonly tag: TagSentence;
  /** Of examples' sentences: vector and states of the same model. */
  readonly encode: (text: string) => Promise<EncodedSentence>;
  /** Shared with others that read the same sentences; its own without. */
  readonly vectors?: WordVectors | undefined;
  /** Called before each sentence, so that other work of the thread goes on. */
  readonly turn?: (() => Promise<void>) | undefined;
}

/** Embeds the edge types and the words of their examples: about 2 ms for each edge type, 1 ms for each word. */
export async function createRelationReader(
  schema: OntologySchema,
  { embed, tag, encode, turn, vectors = createWordVectors(embed) }: ReaderModels,
): Promise<RelationReader> {
  const stem = createTriggerStem();
  const named = profileEdges(schema, stem);
  const { mean } = readWeights();
  const edgeVectors = await embedEdges(named, embed);
  const prototypes = await readPrototypes(named, { tag, stem, vectors, encode, mean });
  const examples = joinExamples(prototypes);
  const edges = named.map((profile, at) => ({
    ...profile,
    value: valueByExamples(profile, prototypes[at] ?? null),
  }));
  const hasPrototypes = prototypes.some((prototype) => prototype !== null);
  return {
    edges,
    hasExamples: prototypes.map((prototype) => prototype !== null),
    async read(sentence, distant) {
      await turn?.();
      const view = viewSentence(sentence, stem, mean);
      if (hasPrototypes) await vectors.load(wordsOf(view));
      const isLikeExample = createExampleLikeness({ view, prototypes, examples, vectors });
      const candidates = findCandidates(view, { edges, distant, isLikeExample });
      const groups = groupByTarget(candidates, view.mentions);
      const input = {
        view,
        edges,
        candidates,
        groups,
        vectors,
        prototypes,
        stretches: new Map(),
        nearest: new Map(),
        states: new Map(),
        examples,
        exampleDots: new Map(),
        edgeVectors,
      };
      const questions = splitByEdge(groups, candidates);
      return { view, candidates, groups, questions, rows: describeCandidates(input) };
    },
  };
}

/** What most of the examples' targets are. */
function valueByExamples({ value }: EdgeProfile, prototype: EdgePrototypes | null): ValueKind {
  if (prototype === null) return value;
  const share = (kind: "date" | "number") => prototype.kinds.get(kind) ?? 0;
  if (share("date") > 0.5) return "date";
  if (share("number") > 0.5) return "number";
  return value !== "entity" && share(value) === 0 ? "entity" : value;
}

/** Words of the sentence outside its names; longer ones are no words. */
function wordsOf(view: SentenceView): readonly string[] {
  return view.tokens.flatMap(({ tag, lemma }, at) => {
    const isName = (view.cover[at] ?? -1) >= 0 || tag === "PROPN";
    return !isName && /^\p{L}[\p{L}-]{0,24}$/u.test(lemma) ? [lemma] : [];
  });
}
