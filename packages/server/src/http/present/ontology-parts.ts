/** Cuts the parts of an ontology that a project shows out of its text. */
import { RawJson, rawMembersOf } from "@kcs/contract";
import { keyOfVersion, type Ontology } from "../../domain/ontology.ts";

export interface OntologyParts {
  /** null where the text has none. */
  readonly hierarchy: RawJson | null;
  readonly edgeTypes: RawJson | null;
}

export type ReadOntologyParts = (ontology: Ontology) => OntologyParts;

const MAX_KEPT = 64;
/** Of the parts that are kept. */
const MAX_KEPT_CHARACTERS = 16 * 1024 * 1024;

/** A text of 4 MiB takes 25 ms, so what was cut last is kept. A version never changes. */
export function createOntologyParts(): ReadOntologyParts {
  const kept = new Map<string, OntologyParts>();
  let keptCharacters = 0;

  function forget(key: string): void {
    keptCharacters -= sizeOf(kept.get(key));
    kept.delete(key);
  }

  return (ontology) => {
    const key = keyOfVersion(ontology);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const parts = cut(ontology.schemaJson);
    kept.set(key, parts);
    keptCharacters += sizeOf(parts);
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT && keptCharacters <= MAX_KEPT_CHARACTERS) break;
      forget(oldest);
    }
    return parts;
  };
}

function cut(schemaJson: string): OntologyParts {
  const partOf = rawMembersOf(schemaJson, "ontology");
  return { hierarchy: copyOf(partOf("hierarchy")), edgeTypes: copyOf(partOf("edge_types")) };
}

/** A part of a string keeps the whole string in memory. */
function copyOf(part: RawJson | null): RawJson | null {
  return part === null ? null : new RawJson(Buffer.from(part.text).toString());
}

function sizeOf(parts: OntologyParts | undefined): number {
  return (parts?.hierarchy?.text.length ?? 0) + (parts?.edgeTypes?.text.length ?? 0);
}
