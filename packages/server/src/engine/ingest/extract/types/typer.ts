/** Scores the mentions of a sentence for the node types of an ontology, also types that nothing was learned for. */
import type { FactReading } from "../learned/fact-reading.ts";
import type { EntityMention } from "../mentions/entity-mention.ts";
import { dotAll, type Embed } from "../vectors.ts";
import { ANCHORS } from "./anchors.ts";
import { addContextCues } from "./context-cues.ts";
import { createCueScorer } from "./cue-scores.ts";
import { createViewReader } from "./span-views.ts";
import { describeTypes, termPrior } from "./type-profile.ts";
import type { TypeDescription, TypedSentence, Typer, TypeScores } from "./type-scores.ts";
import { createSpanScorer, type ScoreSpans } from "./typing-network.ts";
import { NETWORK, readWeights, type Weights } from "./weights.ts";
import { centredWordStates } from "./word-states.ts";

export interface TyperDeps {
  /** Of the same model as the token states. */
  readonly embed: Embed;
  /** Gives the thread's other requests their turn. */
  readonly turn?: (() => Promise<void>) | undefined;
  readonly weights?: Weights;
  /** Of the same weights; shared by typers that read the same sentences. */
  readonly scoreSpans?: ScoreSpans;
}

/**
 * A typer for these types. The score of a type joins what the network says of the type's broad classes, how near the mention and the
 * words around it are to the type's meaning, and words that name the type outright. Scores are a softmax over the types and
 * `none`, as learned. Takes a quarter of a second; keeps no text.
 */
export async function createTyper(types: readonly TypeDescription[], deps: TyperDeps): Promise<Typer> {
  const weights = deps.weights ?? readWeights();
  const profiles = await describeTypes(types, deps);
  const scoreSpans = deps.scoreSpans ?? createSpanScorer(weights);
  const readView = createViewReader(weights);
  const cue = createCueScorer(profiles, weights);
  const prior = termPrior(profiles);
  const directions = profiles.map(({ direction }) => direction);
  return {
    types: types.map(({ name }) => name),
    score({ tokens, mentions, states, offset }: TypedSentence): readonly TypeScores[] {
      const centred = centredWordStates(tokens, { states, offset, mean: weights.mean });
      const spans = scoreSpans(tokens, mentions, centred);
      return mentions.map((mention, index) => {
        const read = readTypes(states.reading, mention);
        if (read !== null) return read;
        const anchors = spans.anchors.subarray(index * NETWORK.anchors, (index + 1) * NETWORK.anchors);
        addContextCues(tokens, mention, anchors);
        const view = readView(centred, tokens.length, mention);
        const cues = cue(tokens, mention);
        const near = dotAll(view, directions);
        const logits = profiles.map(
          (profile, type) => logOfSum(anchors, profile.anchors) + near[type]! + cues[type]!,
        );
        return softmax(spans.none[index]! - (mention.kind === "noun" ? prior : 0), logits);
      });
    },
  };
}

/** What the model reads that was taught to; dates, numbers and the like have rules of their own. */
function readTypes(reading: FactReading | null | undefined, mention: EntityMention): TypeScores | null {
  if (mention.kind !== "proper" && mention.kind !== "noun") return null;
  const types = reading?.typesOf(mention) ?? null;
  if (types === null) return null;
  return { types, none: Math.max(0, 1 - types.reduce((sum, share) => sum + share, 0)) };
}

/** log Σ exp(left + right) over the anchors. */
function logOfSum(left: Float32Array, right: Float32Array): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < ANCHORS.length; k++) highest = Math.max(highest, left[k]! + right[k]!);
  let sum = 0;
  for (let k = 0; k < ANCHORS.length; k++) sum += Math.exp(left[k]! + right[k]! - highest);
  return highest + Math.log(sum);
}

function softmax(none: number, logits: readonly number[]): TypeScores {
  const highest = Math.max(none, ...logits);
  const types = Float32Array.from(logits, (logit) => Math.exp(logit - highest));
  const rest = Math.exp(none - highest);
  const sum = types.reduce((total, value) => total + value, rest);
  return { none: rest / sum, types: types.map((value) => value / sum) };
}
