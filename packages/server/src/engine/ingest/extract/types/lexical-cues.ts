/** Words in and around a mention that name its type outright: "Oak University", "the river Tamar", "Kea is a parrot". */
import type { EntityMention } from "../mentions/entity-mention.ts";
import type { TaggedToken } from "../statements/tagged-token.ts";
import { readCountryNames } from "./country-names.ts";
import { singular } from "./type-names.ts";
import { exampleForm, type TypeProfile } from "./type-profile.ts";
import { NETWORK } from "./weights.ts";

/** What a mention's words tell of each type. */
export interface CueReader {
  /**
   * A row of `NETWORK.lexical` ones and zeros for each type: its head is in the mention, before it, after it; the type is a general
   * one among others of its class; the type is a country, and the mention's name is one; or is none.
   */
  features(tokens: readonly TaggedToken[], mention: EntityMention): Float32Array;
  /** For each type whether the mention is one of its examples. */
  examples(tokens: readonly TaggedToken[], mention: EntityMention): readonly boolean[];
}

const country = "country";
const general = new Set(
  "person organization organisation location place event product work thing entity concept other".split(" "),
);

export function createCueReader(profiles: readonly TypeProfile[]): CueReader {
  const countries = readCountryNames();
  const isGeneral = profiles.map(
    ({ readable, anchor }) =>
      general.has(readable) && profiles.filter((profile) => profile.anchor === anchor).length > 1,
  );
  return {
    features(tokens, mention) {
      const { own, before, after } = readMentionWords(tokens, mention);
      const isCountry = countries.has(nameOf(tokens, mention));
      const rows = new Float32Array(profiles.length * NETWORK.lexical);
      for (const [type, { head, readable }] of profiles.entries()) {
        const flags = [own.has(head), before.has(head), after.has(head), isGeneral[type] === true];
        flags.push(readable === country && isCountry, readable === country && !isCountry);
        for (const [at, flag] of flags.entries()) rows[type * NETWORK.lexical + at] = Number(flag);
      }
      return rows;
    },
    examples(tokens, mention) {
      const name = nameOf(tokens, mention);
      return profiles.map(({ examples }) => examples.has(name));
    },
  };
}

function nameOf(tokens: readonly TaggedToken[], { from, to }: EntityMention): string {
  return exampleForm(
    tokens
      .slice(from, to)
      .map(({ lower }) => lower)
      .join(" "),
  );
}

interface MentionWords {
  /** Words of the mention, in the singular and as they are. */
  readonly own: ReadonlySet<string>;
  /** The word before it, and the one before a quotation mark or comma. */
  readonly before: ReadonlySet<string>;
  /** The word after it, and the nouns of a predicate: "is a …". */
  readonly after: ReadonlySet<string>;
}

const copulas = new Set(["is", "was", "are", "were"]);
const predicateTags = new Set(["NOUN", "PROPN", "DET", "ADJ", "NUM", "ADV", "PUNCT"]);
const predicateTokens = 10;
const marks = new Set(['"', "“", "'", ","]);

function readMentionWords(tokens: readonly TaggedToken[], { from, to }: EntityMention): MentionWords {
  const own = new Set<string>();
  for (let at = from; at < to; at++) own.add(tokens[at]!.lower);
  own.add(singular(tokens[to - 1]!.lower));
  const before = new Set<string>();
  const previous = tokens[from - 1];
  if (previous !== undefined) before.add(singular(previous.lower));
  if (from > 1 && marks.has(previous!.lower)) before.add(singular(tokens[from - 2]!.lower));
  const after = new Set<string>();
  const next = tokens[to];
  if (next !== undefined) after.add(singular(next.lower));
  if (next !== undefined && copulas.has(next.lower)) {
    for (let at = to + 1; at < Math.min(tokens.length, to + predicateTokens); at++) {
      const token = tokens[at]!;
      if (!predicateTags.has(token.tag)) break;
      if (token.tag === "NOUN") after.add(singular(token.lower));
    }
  }
  return { own, before, after };
}
