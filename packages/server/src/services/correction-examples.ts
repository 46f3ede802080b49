/** What the corrections of a project mean for an ontology: examples of its types, and the types that they need. */
import type { CorrectionChange } from "../domain/correction.ts";
import { type CorrectionTypes, typesOfCorrection } from "../domain/ontology/correction-fit.ts";
import { ONTOLOGY_LIMITS } from "../domain/ontology/types.ts";
import type { CorrectionExamples, FactExample } from "../domain/ontology/with-examples.ts";
import { presentChange } from "../domain/renamed-types.ts";
import type { CorrectionStore, GivenChange } from "../ports/correction-store.ts";

const PAGE = 250;

/** At most `ONTOLOGY_LIMITS.examples` of a type and verdict, the newest. */
export async function readExamples(
  store: Pick<CorrectionStore, "listChanges">,
  projectId: string,
): Promise<CorrectionExamples> {
  const names = new Map<string, Set<string>>();
  const facts = new Map<string, Facts>();
  for (const { change: given, renamed } of await readChanges(store, projectId)) {
    const change = presentChange(given, renamed);
    addName(names, change);
    addFact(facts, change);
  }
  return {
    nodeTypes: [...names].map(([name, examples]) => ({ name, examples: [...examples] })),
    edgeTypes: [...facts].map(([name, { examples, rejected }]) => ({
      name,
      examples: [...examples.values()],
      rejected: [...rejected.values()],
    })),
  };
}

/** What an ontology has to have for the corrections of a project. */
export async function readCorrectionTypes(
  store: Pick<CorrectionStore, "listChanges">,
  projectId: string,
): Promise<readonly CorrectionTypes[]> {
  return (await readChanges(store, projectId)).map(({ change, renamed }) => ({
    ...typesOfCorrection(change),
    renamed,
  }));
}

/** The newest first. */
async function readChanges(
  store: Pick<CorrectionStore, "listChanges">,
  projectId: string,
): Promise<readonly GivenChange[]> {
  const changes: GivenChange[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const found = await store.listChanges({ projectId, page: { limit: PAGE, offset } });
    changes.push(...found);
    if (found.length < PAGE) return changes;
  }
}

function addName(names: Map<string, Set<string>>, change: CorrectionChange): void {
  if (change.kind !== "retype") return;
  const known = names.get(change.type) ?? new Set();
  names.set(change.type, known);
  if (known.size < ONTOLOGY_LIMITS.examples) known.add(change.entity.name);
}

/** By what they say: people confirm a fact in more than one document. */
interface Facts {
  readonly examples: Map<string, FactExample>;
  readonly rejected: Map<string, FactExample>;
}

function addFact(facts: Map<string, Facts>, change: CorrectionChange): void {
  if (change.kind !== "confirm" && change.kind !== "reject" && change.kind !== "add_relationship") return;
  const known = facts.get(change.type) ?? { examples: new Map(), rejected: new Map() };
  facts.set(change.type, known);
  const found = change.kind === "reject" ? known.rejected : known.examples;
  const sentence = change.kind === "add_relationship" ? null : change.sentence;
  const isExample = sentence !== null && [...sentence].length <= ONTOLOGY_LIMITS.exampleCharacters;
  const text = isExample ? sentence : null;
  const ends = { source: change.source.name, target: change.target.name };
  const example = { ...ends, ...(text === null ? {} : { text }) };
  if (found.size < ONTOLOGY_LIMITS.examples) found.set(JSON.stringify(example), example);
}
