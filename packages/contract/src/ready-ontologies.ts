/** Ontologies to begin with, as bodies of `POST /ontologies`: the files of `ready-ontologies/`, each loaded when it is wanted. */

export interface ReadyOntology {
  readonly name: string;
  readonly schema: object;
}

export const readyOntologies = {
  general: () => import("../ready-ontologies/general.json", { with: { type: "json" } }),
  business: () => import("../ready-ontologies/business.json", { with: { type: "json" } }),
  software: () => import("../ready-ontologies/software.json", { with: { type: "json" } }),
  biomedicine: () => import("../ready-ontologies/biomedicine.json", { with: { type: "json" } }),
  legal: () => import("../ready-ontologies/legal.json", { with: { type: "json" } }),
  support: () => import("../ready-ontologies/support.json", { with: { type: "json" } }),
} satisfies Readonly<Record<string, () => Promise<{ readonly default: ReadyOntology }>>>;

export type ReadyOntologyName = keyof typeof readyOntologies;
