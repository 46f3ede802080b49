/** The formats of files of ontologies: those of the service, and its own JSON. */
import { ontologyFormats } from "@kcs/contract/ontology-formats";
import type { OntologyFileFormat } from "../../api/ontologies.ts";

interface FileFormat {
  readonly value: OntologyFileFormat;
  readonly label: string;
  readonly endings: readonly string[];
}

const others = Object.entries(ontologyFormats).map(([format, { title, endings }]): FileFormat => {
  return { value: format as keyof typeof ontologyFormats, label: title, endings }; // A key of a constant.
});

export const fileFormats: readonly FileFormat[] = [
  { value: "json", label: "JSON of this service", endings: [] },
  ...others,
];

/** By what the file contains if it is JSON of this service, else by the longest ending that its name has; null: unknown. */
export function guessFormat(name: string, content: string): OntologyFileFormat | null {
  if (isOwnJson(content)) return "json";
  const known = others.flatMap(({ value, endings }) => endings.map((ending) => ({ value, ending })));
  const fitting = known.filter(({ ending }) => name.toLowerCase().endsWith(`.${ending}`));
  return fitting.sort((one, other) => other.ending.length - one.ending.length)[0]?.value ?? null;
}

function isOwnJson(content: string): boolean {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === "object" && value !== null && ("ontology" in value || "schema" in value);
  } catch {
    return false;
  }
}
