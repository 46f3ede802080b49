import type { OntologyChanges } from "@kcs/sdk";
import { type Context, onlyPositional } from "../command.ts";
import { EXIT, type ExitCode, UsageError } from "../exit-codes.ts";
import { counted, grouped } from "../terminal/progress.ts";
import { oneLine, table } from "../terminal/style.ts";
import { printJson } from "./print-json.ts";

/** `kcs projects bind`: moves a project to another ontology or version, or tells what that would change. */
export async function bind(context: Context): Promise<ExitCode> {
  const { io, options, positionals } = context;
  const id =
    positionals.length === 0 ? context.projectId() : onlyPositional(positionals, "the id of the project");
  const ontology = options.text("ontology");
  const version =
    options.text("ontology-version") === undefined
      ? undefined
      : options.integer("ontology-version", { min: 1, max: 1_000_000, fallback: 1 });
  if (ontology === undefined && version === undefined)
    throw new UsageError("expected --ontology ID, --ontology-version N or both");
  const body = {
    ...(ontology !== undefined && { ontology_id: ontology }),
    ...(version !== undefined && { ontology_version: version }),
  };
  const dryRun = options.flag("dry-run");
  const changed = await context.client().projects.change(id, body, { dryRun }, { signal: io.signal });
  if (options.flag("json")) return printJson(io, changed);
  const { node_types: nodes = [], edge_types: edges = [] } = changed.ontology_changes ?? {};
  const rows = [
    ...nodes.map((type) => ({
      ...type,
      counted: type.entities === 1 ? "1 entity" : `${grouped(type.entities)} entities`,
    })),
    ...edges.map((type) => ({ ...type, counted: relationshipsOf(type) })),
  ];
  await io.out(
    table(
      rows.map(({ change, name, to, counted: number }) => [
        ...[change, oneLine(name ?? ""), to === null || to === name ? "" : oneLine(to), number],
      ]),
    ),
  );
  if (changed.reread !== null) io.err("Its documents are read again. Next: kcs reread --status\n");
  return EXIT.ok;
}

/** With how many of them do not fit the other ontology. */
function relationshipsOf({
  relationships,
  fitting,
  proposals,
  fitting_proposals: fittingProposals,
}: OntologyChanges["edge_types"][number]): string {
  const lost = relationships - fitting;
  const unproposed = proposals - fittingProposals;
  return [
    counted(relationships, "relationship"),
    ...(lost === 0 ? [] : [`${grouped(lost)} do not fit`]),
    ...(proposals === 0 ? [] : [`${grouped(proposals)} proposed`]),
    ...(unproposed === 0 ? [] : [`${grouped(unproposed)} of these do not fit`]),
  ].join(", ");
}
