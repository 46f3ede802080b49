/** Versions of ontologies, and the version that a project is bound to. */
import type { WrittenFacts } from "../domain/ontology/allowed-facts.ts";
import type { Ontology, OntologyVersion } from "../domain/ontology.ts";
import type { Project } from "../domain/project.ts";
import type { TypeNames } from "../domain/renamed-types.ts";
import type { AcceptOutcome, IngestLimits } from "./content-store.ts";

/** "unchanged": the newest version has the same name and schema. With the newest version after the call. "changed": the newest is not the one that it was to follow. */
export type AddVersionOutcome =
  | { readonly kind: "added" | "unchanged"; readonly ontology: Ontology }
  | { readonly kind: "not_found" | "changed" | "too_many_versions" | "too_many_bytes" };

export type DeleteOntologyOutcome =
  | { readonly kind: "deleted" | "not_found" }
  /** `projects` are bound to a version of it. */
  | { readonly kind: "bound"; readonly projects: number };

/**
 * "working": a job of the project has begun, under its present ontology. "rereading", "moving": the project is being read again, or
 * moved to another embedding space. Nothing was changed then. "bound": nothing has to be read again.
 */
export type BindOutcome =
  | AcceptOutcome
  | { readonly kind: "bound" | "bound_otherwise" | "working" | "rereading" | "moving" | "ontology_gone" }
  /** With the names that their types would have. */
  | { readonly kind: "corrections_too_long" };

export interface OntologyVersionStore {
  addOntologyVersion(input: {
    accountId: string;
    ontologyId: string;
    name: string;
    schemaJson: string;
    /** The result of `writeAllowedFacts`. */
    allowedFacts: WrittenFacts;
    now: number;
    /** The version that the new one is made from; absent: whichever is the newest. */
    follows?: number;
    /** Of the account's texts and ontologies; null = no limit. */
    maxStoredBytes: number | null;
  }): Promise<AddVersionOutcome>;
  /** Newest first; empty for an ontology that does not exist. */
  listOntologyVersions(input: { accountId: string; ontologyId: string }): Promise<readonly OntologyVersion[]>;
  /** At once for all who read it; upkeep removes what is left of its versions. */
  deleteOntology(input: { accountId: string; ontologyId: string }): Promise<DeleteOntologyOutcome>;
  /**
   * Binds the project to a version of an ontology and starts a reread of all its documents, in one transaction; none where texts are read
   * alike under both (`isSame`), unless the last reread left documents out. Corrections are of the types that the ontology has for those that
   * they name, from this transaction on.
   */
  bindOntology(
    input: IngestLimits & {
      readonly projectId: string;
      readonly ontologyId: string;
      readonly version: number;
      readonly isSame: boolean;
      /** What the new binding was compared with; absent: any. Another one in its place is `bound_otherwise`. */
      readonly follows?: Pick<Project, "ontologyId" | "ontologyVersion">;
      readonly names: TypeNames;
      /** Of all corrections of the project. */
      readonly maxCorrectionBytes: number;
    },
  ): Promise<BindOutcome>;
}
