import type { Command } from "../command.ts";
import { completion } from "./completion.ts";
import { doctor } from "./doctor.ts";
import { documents } from "./documents.ts";
import { explain } from "./explain.ts";
import { graph } from "./graph.ts";
import { ingest } from "./ingest.ts";
import { jobs } from "./jobs.ts";
import { login } from "./login.ts";
import { ontologies } from "./ontologies.ts";
import { projects } from "./projects.ts";
import { query } from "./query.ts";

const NAMED: readonly Command[] = [
  login,
  projects,
  ontologies,
  ingest,
  jobs,
  query,
  explain,
  documents,
  graph,
  doctor,
];

/** In the order in which they are mostly needed. */
export const COMMANDS: readonly Command[] = [...NAMED, completion(NAMED)];
