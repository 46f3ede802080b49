/** Files of all types, each broken in one of the ways that fit its type; the same for the same seed. */
import type { Random } from "../soak/random.ts";
import { damagesOf } from "./damages.ts";
import type { WholeFile } from "./whole-files.ts";

export interface BrokenFile {
  readonly name: string;
  readonly type: string;
  readonly damage: string;
  readonly bytes: Buffer;
}

/** Types and, for each of them, damages take turns, so that none is left to chance. */
export function breakFiles(
  whole: readonly WholeFile[],
  count: number,
  random: Random,
): readonly BrokenFile[] {
  return Array.from({ length: count }, (_, at) => {
    const { type, bytes } = whole[at % whole.length] as WholeFile; // There are some.
    const damages = damagesOf(bytes);
    const turn = Math.floor(at / whole.length);
    const [damage, apply] = damages[turn % damages.length] as (typeof damages)[number]; // There are some.
    const broken = apply(bytes, random, random.pick(whole).bytes);
    return { name: `broken-${at}.${type}`, type, damage, bytes: broken };
  });
}
