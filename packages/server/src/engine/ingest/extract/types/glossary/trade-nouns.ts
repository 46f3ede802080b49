/** Nouns that end the names of businesses and works, general English: "Rowan Foundry", "Ostrava Steel", "Sundqvist Boats". */
import data from "./concepts.json" with { type: "json" };

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** What a business is, or what it deals in; the latter mostly in the plural, as people's names are not. */
export const TRADE_NOUNS = words(data.nouns.trade);

/** What people put up and dig: names that end with these are places. */
export const BUILDING_NOUNS = words(data.nouns.building);

/** Institutions that names of organisations end with beside those of `ANCHOR_NOUNS`. */
export const INSTITUTION_NOUNS = words(data.nouns.institution);
