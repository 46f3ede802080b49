/** A line of an evaluation file. */
export interface Labelled {
  readonly text: string;
  readonly entities: readonly { readonly start: number; readonly end: number; readonly label: string }[];
}

/** Labels of entities of no type in particular. */
export const NO_TYPES: ReadonlySet<string> = new Set(["misc", "miscellaneous", "?misc", "unknown"]);

/** Labels of public sets that run words together, as a user would name the node type. */
const spelled: Readonly<Record<string, string>> = {
  programlang: "ProgrammingLanguage",
  musicgenre: "MusicGenre",
  musicalartist: "MusicalArtist",
  musicalinstrument: "MusicalInstrument",
  literarygenre: "LiteraryGenre",
  astronomicalobject: "AstronomicalObject",
  politicalparty: "PoliticalParty",
  chemicalcompound: "ChemicalCompound",
  chemicalelement: "ChemicalElement",
  academicjournal: "AcademicJournal",
};

export function spelledOut(label: string): string {
  return spelled[label] ?? label;
}
