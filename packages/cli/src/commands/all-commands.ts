import type { Command } from "../command.ts";
import { completion } from "./completion.ts";
import { corrections } from "./corrections.ts";
import { doctor } from "./doctor.ts";
import { documents } from "./documents.ts";
import { explain } from "./explain.ts";
import { graph } from "./graph.ts";
import { ingest } from "./ingest.ts";
import { jobs } from "./jobs.ts";
import { login } from "./login.ts";
import { match } from "./match.ts";
import { ontologies } from "./ontologies.ts";
import { projects } from "./projects.ts";
import { query } from "./query.ts";
import { reread } from "./reread.ts";
import { watch } from "./watch.ts";

const COMPLETED_COMMANDS: readonly Command[] = [
  login,
  projects,
  ontologies,
  ingest,
  watch,
  jobs,
  query,
  explain,
  documents,
  graph,
  match,
  corrections,
  reread,
  doctor,
];

/** In the order in which a new user needs them. */
export const COMMANDS: readonly Command[] = [...COMPLETED_COMMANDS, completion(COMPLETED_COMMANDS)];
