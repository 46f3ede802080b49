/** Reads whom a thing belongs to from a sentence that says it in a plain form: "Grey Sheds is a film directed by Ida Vell." English only. */
import { setImmediate } from "node:timers/promises";
import type { ChunkKey } from "../../../domain/document.ts";
import type { FollowedName, RankedChunk } from "../../../domain/query.ts";
import { normalizeName } from "../../text/names/normal-form.ts";
import { sentencesAbout, titleOf } from "./find-year.ts";
import { afterThing } from "./stated-year.ts";

const WORD = "[\\p{L}.'’-]{0,30}";
/** Two words or more: one alone may be anybody's. */
const NAME = `\\p{Lu}${WORD}(?: (?:(?:al|bin|da|de|del|della|den|der|di|du|ibn|la|le|van|von|zu) ){0,2}\\p{Lu}${WORD}){1,5}`;
const PARTICIPLES = "(?:\\p{Ll}[\\p{Ll}-]{0,20}(?:,? and |, )){0,3}\\p{Ll}[\\p{Ll}-]{0,20}";
/** "written and directed by Ida Vell", not "art direction by Tove Lank" */
const BY = new RegExp(`(?<![\\p{L}-])(${PARTICIPLES}(?:ed|en)) by (${NAME})`, "gu");
/** "the film of director Ida Vell", "its director is Ida Vell" */
const ROLE = new RegExp(`(?<!\\p{L})(?:and|by|its|of|the) (\\p{Ll}{1,30}) (?:(?:is|was) )?(${NAME})`, "gu");
const IS = new RegExp(`^ (?:is|was) (${NAME})`, "u");
/** One of several: "directed by Ida Vell and Tove Lank". */
const FURTHER = /^(?:,? and|,| &) (?=\p{Lu})/u;
/** What follows is said of something else: "a remake of the film directed by". */
const OF_ELSE = /\b(?:who|which|that|whose|about|based|remake|sequel|prequel|adaptation|version)\b/u;
/** "director", "directed" */
const STEM_UNITS = 5;

export interface OwnedThing {
  readonly name: string;
  /** The name with what tells it from others of the same name: "Rope (1948 film)". */
  readonly title: string;
  /** What the owner is of it: "director". */
  readonly role: string;
}

/** null where no passage says it, and where two say different things. */
export async function findOwner(
  chunks: readonly RankedChunk[],
  thing: OwnedThing,
): Promise<FollowedName | null> {
  const found: FollowedName[] = [];
  for (const chunk of aboutOne(chunks, thing)) {
    found.push(...ownersIn(chunk, thing));
    // A passage at a time: this is the main thread.
    await setImmediate();
  }
  const [first = null] = found;
  return found.every(({ key }) => key === first?.key) ? first : null;
}

/** Of things of the same name, those below the title that is asked for; nothing where nothing tells which one is. */
function aboutOne(chunks: readonly RankedChunk[], { name, title }: OwnedThing): readonly RankedChunk[] {
  const titled = Map.groupBy(chunks, (chunk) => normalizeName(titleOf(chunk, name) ?? ""));
  const exact = titled.get(normalizeName(title));
  titled.delete("");
  return exact ?? (titled.size > 1 ? [] : chunks);
}

function ownersIn(chunk: RankedChunk, { name, role }: OwnedThing): readonly FollowedName[] {
  const { versionId, position, sourceDocId } = chunk;
  const of: ChunkKey & { readonly sourceDocId: string } = { versionId, position, sourceDocId };
  return [...sentencesAbout(chunk, name)].flatMap(({ start, end, begins, ...sentence }) => {
    // What begins a passage below the title is about it, whatever name comes first.
    const rest = afterThing(sentence, name) ?? (sentence.isFirst ? sentence.text : null);
    const owner =
      ownerOfOwned(sentence.text, { name, role }) ?? (rest === null ? null : statedOwner(rest, role));
    if (owner === null || !begins()) return [];
    const from = { ...of, sentence: sentence.text, start: chunk.start + start, end: chunk.start + end };
    return { name: owner, key: normalizeName(owner), from };
  });
}

/** "The director of Grey Sheds is Ida Vell." */
function ownerOfOwned(sentence: string, { name, role }: Pick<OwnedThing, "name" | "role">): string | null {
  const opening = `The ${role} of `;
  if (!sentence.startsWith(opening)) return null;
  const text = sentence.slice(opening.length);
  const rest = afterThing({ text, isAbout: false, isFirst: false }, name) ?? "";
  const [all = "", owner = null] = IS.exec(rest) ?? [];
  return owner === null || FURTHER.test(rest.slice(all.length)) ? null : withoutStop(owner);
}

/** `rest`: what a sentence says behind the name of the thing. */
function statedOwner(rest: string, role: string): string | null {
  const stem = (role.split(" ").at(-1) ?? role).slice(0, STEM_UNITS);
  for (const form of [BY, ROLE]) {
    for (const { 0: all, 1: said = "", 2: named = "", index } of rest.matchAll(form)) {
      if (!said.split(/[ ,]+/u).some((word) => word.startsWith(stem))) continue;
      if (OF_ELSE.test(rest.slice(0, index)) || FURTHER.test(rest.slice(index + all.length))) return null;
      return withoutStop(named);
    }
  }
  return null;
}

/** The end of a sentence, not that of an initial. */
function withoutStop(name: string): string {
  return name.replace(/(?<=\p{L}{2})\.$/u, "");
}
