/** The parts of the built-in reader that can be taken away for a measurement, and what stands in their place. See ablations.ts. */

export interface Change {
  /** Under `engine/ingest/extract`. */
  readonly file: string;
  readonly find: RegExp;
  readonly put: string;
}

export interface Ablation {
  /** Files whose lines would go with the part, beside those that are changed; patterns under `engine/ingest/extract`. */
  readonly owns: readonly string[];
  readonly changes: readonly Change[];
}

/** Another function stands in the place of an exported one. */
function replaced(file: string, name: string, other: string): Change {
  return {
    file,
    find: new RegExp(`export (async )?function ${name}\\b`),
    put: `export const ${name} = ${other};\n$1function ${name}Unused`,
  };
}

const READ_OPENINGS = /resolveOpenings\(passage\.sentences, inSentence\(sure\), documentSubject, before\)/;
const READ_RELATIONS = /await relations\.extract\(\{ sentences, documentSubject: distant \}\)/;
const READ_PAIRS =
  /calibrated\(await pairs\.read\(passage, scoreProse\(prose, \{ typed, learned, typer \}\)\)\)/;

/** A part by its name. */
export const ablations: Readonly<Record<string, Ablation>> = {
  "records: key and value, tables": {
    owns: ["records/*"],
    changes: [
      {
        file: "facts/ontology-facts.ts",
        find: /await readRecords\(passage\)/,
        put: "{ relations: [], covers: () => false }",
      },
    ],
  },
  "statements under an ontology": {
    owns: ["facts/ontology-links.ts", "facts/edge-names.ts"],
    changes: [
      {
        file: "facts/ontology-facts.ts",
        find: /, \.\.\.links\.flatMap\(\(link\) => readLink\(link\) \?\? \[\]\)/,
        put: "",
      },
    ],
  },
  "pairs of names": {
    owns: ["pairs/*"],
    changes: [{ file: "facts/ontology-facts.ts", find: READ_PAIRS, put: "[]" }],
  },
  "relations by the words around": {
    owns: ["relations/*"],
    changes: [{ file: "facts/ontology-facts.ts", find: READ_RELATIONS, put: "[]" }],
  },
  "pronouns that open a sentence": {
    owns: [],
    changes: [
      { file: "facts/ontology-facts.ts", find: READ_OPENINGS, put: "passage.sentences.map(() => null)" },
      {
        file: "facts/open-facts.ts",
        find: /resolveOpenings\(passage\.sentences, entitiesOf, documentSubject, antecedent\)/,
        put: "passage.sentences.map(() => null)",
      },
    ],
  },
  "short forms of full names": {
    owns: [],
    changes: [replaced("facts/back-references.ts", "withFullNames", "(entities) => entities")],
  },
  "aliases in brackets": {
    owns: ["facts/aliases.ts"],
    changes: [replaced("facts/aliases.ts", "readAliases", "() => []")],
  },
  definitions: {
    owns: ["facts/definitions.ts"],
    changes: [
      replaced("facts/definitions.ts", "readTitleDefinition", "() => null"),
      replaced("facts/definitions.ts", "readDefinitions", "() => new Map()"),
      replaced("facts/definitions.ts", "readAsides", "() => new Map()"),
    ],
  },
  "cues in the context of a name": {
    owns: ["types/context-cues.ts"],
    changes: [replaced("types/context-cues.ts", "addContextCues", "() => undefined")],
  },
  "cues in the words of a name": {
    owns: ["types/lexical-cues.ts", "types/cue-scores.ts", "types/type-words.ts"],
    changes: [
      replaced("types/cue-scores.ts", "createCueScorer", "(profiles) => () => profiles.map(() => 0)"),
    ],
  },
  "glossary of kinds": {
    owns: ["types/glossary/type-lexicon.ts"],
    changes: [
      {
        file: "types/glossary/type-lexicon.ts",
        find: /for \(const concept of concepts\) \{\n {4}let owner/,
        put: "for (const concept of []) {\nlet owner",
      },
    ],
  },
  "doubt of the reader of facts": {
    owns: [],
    changes: [
      { file: "facts/typed-passage.ts", find: / && !isDoubted\(mention, type, named\.key\)/, put: "" },
    ],
  },
  "rules for types by form": {
    owns: ["facts/type-rules.ts"],
    changes: [
      {
        file: "facts/type-rules.ts",
        find: /mayBe\(\{ kind, isNamed, isFirm \}, type, key\) \{/,
        put: "mayBe({ kind, isNamed, isFirm }, type, key) {\nreturn true;",
      },
    ],
  },
  "country names": {
    owns: ["types/country-names.ts"],
    changes: [replaced("types/country-names.ts", "readCountryNames", "() => new Set()")],
  },
  "names for pairs joined to whole ones": {
    owns: [],
    changes: [
      replaced(
        "pairs/sentence-names.ts",
        "withWholeNames",
        "(sentence) => ({ ...sentence, whole: new Set() })",
      ),
    ],
  },
  "doubt and negation of pairs": {
    owns: [],
    changes: [replaced("pairs/pair-reader.ts", "isDoubted", "() => false")],
  },
  "word that tells the relation of a pair": {
    owns: [],
    changes: [replaced("pairs/pair-reader.ts", "isSaid", "() => true")],
  },
  "names by shape": {
    owns: ["mentions/shaped-names.ts"],
    changes: [replaced("mentions/shaped-names.ts", "findShapedNames", "() => []")],
  },
  "weak names": {
    owns: ["facts/weak-names.ts"],
    changes: [replaced("facts/weak-names.ts", "isWeakName", "() => false")],
  },
  "amounts, contractions and headings": {
    owns: ["facts/non-names.ts"],
    changes: [
      replaced("facts/non-names.ts", "isAmountOrContraction", "() => false"),
      replaced("facts/non-names.ts", "isHeadingInCapitals", "() => false"),
    ],
  },
  "given names": {
    owns: ["types/glossary/given-names.ts", "types/glossary/given-names.json"],
    changes: [replaced("types/glossary/given-names.ts", "isGivenName", "() => false")],
  },
  "types by the head of a name": {
    owns: [],
    changes: [replaced("facts/open-types.ts", "typeByHead", "() => null")],
  },
  "types by a likely head": {
    owns: ["types/glossary/trade-nouns.ts"],
    changes: [replaced("facts/open-types.ts", "typeByLooseHead", "() => null")],
  },
  "titles of people": {
    owns: ["mentions/titled-names.ts"],
    changes: [replaced("mentions/titled-names.ts", "withoutTitle", "() => null")],
  },
  identifiers: { owns: [], changes: [replaced("mentions/shaped-names.ts", "findIdentifiers", "() => []")] },
  "stems of medicines": {
    owns: [],
    changes: [
      {
        file: "mentions/shaped-names.ts",
        find: /isFormula\(name\) \|\| isSubstance\(name\)/,
        put: "isFormula(name)",
      },
    ],
  },
  "kinds that lead a name, clubs": {
    owns: [],
    changes: [
      {
        file: "facts/open-types.ts",
        find: /leadingOrganizations\.has\(first\) \|\| clubs\.has\(words\[0\] \?\? ""\)/,
        put: "false",
      },
      { file: "facts/open-types.ts", find: /if \(clubs\.has\(head\)\)/, put: "if (false)" },
    ],
  },
  "lone words that own something": {
    owns: [],
    changes: [{ file: "facts/weak-names.ts", find: / && !isTreatedAsName\(tokens, to\)/, put: "" }],
  },
  "firm names": {
    owns: ["mentions/firm-names.ts"],
    changes: [replaced("mentions/firm-names.ts", "findFirmNames", "() => []")],
  },
  "types settled by the chunk": {
    owns: [],
    changes: [replaced("facts/open-entity-types.ts", "settleTypes", "() => new Map()")],
  },
  "signatures of shared meanings": {
    owns: ["facts/open-signatures.ts"],
    changes: [replaced("facts/open-signatures.ts", "fitsSignature", "() => true")],
  },
  "statements without an ontology": {
    owns: ["facts/statement-links.ts", "facts/statement-subjects.ts", "facts/relationship-names.ts"],
    changes: [{ file: "facts/open-facts.ts", find: /\bfindStatementLinks\(input\)/, put: "[]" }],
  },
  "lists of subjects": {
    owns: [],
    changes: [
      {
        file: "facts/statement-subjects.ts",
        find: /const joined = own === null \? null : joinedBefore\(own, input\);/,
        put: "const joined = [];",
      },
    ],
  },
  "mended tags": {
    owns: ["statements/mend-tags.ts"],
    changes: [replaced("statements/mend-tags.ts", "mendTags", "(tokens) => tokens")],
  },
  demonyms: {
    owns: ["mentions/demonyms.ts"],
    changes: [
      replaced("mentions/demonyms.ts", "isDemonym", "() => false"),
      replaced("mentions/demonyms.ts", "isUnsureDemonym", "() => false"),
    ],
  },
};
