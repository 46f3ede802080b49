/** Words that speak of the request, of models and of text as such, and not of what a graph would be about; and nouns of properties. */
import data from "./words.json" with { type: "json" };

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** Never a type unless a list names it as one. */
export const FRAMING_NOUNS = words(data.framingNouns);

/** Framing only beside words of framing: documents are a subject of some graphs and the source of others. */
export const SOFT_FRAMING_NOUNS = words(data.softFramingNouns);

/** What whoever asks wants to do; their objects are types, and who wants it is not. */
export const FRAMING_VERBS = words(data.framingVerbs);

/** Who stands outside of the graph as the subject of a verb of framing. */
export const FRAMING_SUBJECTS = words(data.framingSubjects);

/** Heads that gather what "of …" names: "families of products". */
export const GATHERING_NOUNS = words(data.gatheringNouns);

export const GATHERING_VERBS = words(data.gatheringVerbs);

const PROPERTY_NOUNS = words(data.propertyNouns);

/** Whether a noun, singular, names a property and no thing of its own: "start date", "price", "date of birth". */
export function isPropertyNoun(head: string): boolean {
  return PROPERTY_NOUNS.has(head);
}
