/** What the cues in and around a mention add to the score of each type. */
import type { EntityMention } from "../mentions/entity-mention.ts";
import type { TaggedToken } from "../statements/tagged-token.ts";
import { CUES, type CuedType, createCueReader } from "./lexical-cues.ts";
import type { Weights } from "./weights.ts";

/** Logits that a name gains for a type that lists it as an example: nearly certain, unless the span is wrong. */
const exampleGain = 4;

/** Logits that a name gains for the only type that its last word is a kind of: "Marling Manor" for buildings among towns. */
const headGain = 1.5;

/** For each type the sum of its cues' weights; a cue that only others have has a weight of its own. */
export function createCueScorer(
  profiles: readonly CuedType[],
  { lexical }: Weights,
): (tokens: readonly TaggedToken[], mention: EntityMention) => Float32Array {
  const reader = createCueReader(profiles);
  const size = CUES.length;
  return (tokens, mention) => {
    const scores = new Float32Array(profiles.length);
    const isOther = new Uint8Array(size);
    let others = 0;
    for (const hit of reader.hits(tokens, mention)) {
      const cue = hit % size;
      const type = (hit - cue) / size;
      scores[type] = scores[type]! + lexical[cue]! - lexical[size + cue]!;
      if (isOther[cue] === 0) others += lexical[size + cue]!;
      isOther[cue] = 1;
    }
    const named = reader.namedBy(tokens, mention);
    const [only] = named;
    if (only !== undefined && named.length === 1) scores[only] = scores[only]! + headGain;
    const isExample = reader.examples(tokens, mention);
    return scores.map((score, type) => score + others + (isExample[type] === true ? exampleGain : 0));
  };
}
