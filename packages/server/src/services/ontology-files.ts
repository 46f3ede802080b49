/** Ontologies from files of other formats, and as such files. */
import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import type { Once } from "../domain/once.ts";
import type { Ontology } from "../domain/ontology.ts";
import type {
  CheckedOntologyFile,
  LeftOut,
  OntologyFormat,
  OntologyToWrite,
  SentOntologyFile,
} from "../ports/ontology-files.ts";
import type { OntologyService } from "./ontologies.ts";

/** In another thread: a file of a few MB takes a second. */
export type WriteOntologyFile = (accountId: string, ontology: OntologyToWrite) => Promise<Uint8Array>;

export interface ImportedOntology {
  readonly ontology: Ontology;
  /** Parts of the file that an ontology has no place for. */
  readonly leftOut: readonly LeftOut[];
}

export interface OntologyFileService {
  /** @throws ServiceError `invalid_input` for a file without a name, and for names that no type can have */
  import(caller: Caller, file: SentOntologyFile, once?: Once<ImportedOntology>): Promise<ImportedOntology>;
  /** `bytes`: UTF-8. @throws ServiceError `not_found`, `invalid_input` for an ontology whose file would be too large */
  export(
    caller: Caller,
    ontologyId: string,
    choice: { readonly format: OntologyFormat; readonly version: number | null },
  ): Promise<{ readonly name: string; readonly bytes: Uint8Array }>;
}

const MAX_NAME = 200;

export function createOntologyFileService({
  ontologies,
  write,
}: {
  readonly ontologies: Pick<OntologyService, "create" | "get">;
  readonly write: WriteOntologyFile;
}): OntologyFileService {
  return {
    async import(caller, file, once) {
      const { leftOut } = file;
      const name = file.givenName ?? nameOf(file);
      if (name === "") throw errors.ontologyFileWithoutName();
      const stored = once && {
        ...once,
        answerOf: (ontology: Ontology) => once.answerOf({ ontology, leftOut }),
      };
      return { ontology: await ontologies.create(caller, { ...file, name }, stored), leftOut };
    },

    async export(caller, ontologyId, { format, version }) {
      const { name, schemaJson } = await ontologies.get(caller, ontologyId, version);
      return { name, bytes: await write(caller.accountId, { format, name, schemaJson }) };
    },
  };
}

/** Like any name: without NUL, and not too long. */
function nameOf({ name }: CheckedOntologyFile): string {
  const line = (name ?? "").replaceAll("\0", "").toWellFormed().trim();
  return line.length <= MAX_NAME ? line : line.slice(0, MAX_NAME).toWellFormed();
}
