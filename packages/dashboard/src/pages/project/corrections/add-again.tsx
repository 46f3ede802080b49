import type { Entity, ListedCorrection } from "@kcs/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { refreshProject, undoCorrection, useCorrect } from "../../../api/corrections.ts";
import { entitiesCalled } from "../../../api/graph.ts";
import { Button } from "../../../components/button.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import { correctionWords, undoneWords } from "../entity/correction-words.ts";
import type { AllowedEnds } from "./ontology-fit.ts";

type Addition = Extract<ListedCorrection, { readonly kind: "add_relationship" }>;

/** Adds a relationship again between the entities that have these names now, of types that the ontology allows, in place of the one between others. */
export function AddAgain({
  projectId,
  addition,
  allowed,
}: {
  readonly projectId: string;
  readonly addition: Addition;
  readonly allowed: AllowedEnds;
}) {
  const client = useQueryClient();
  const correct = useCorrect(projectId);
  const adding = useMutation({
    async mutationFn() {
      const { type, valid_from, valid_to, reason } = addition;
      const [source, target] = await Promise.all([
        presentEnd(projectId, addition.source.name, allowed.source),
        presentEnd(projectId, addition.target.name, allowed.target),
      ]);
      const again = { kind: "add_relationship", source, type, target, valid_from, valid_to, reason } as const;
      await correct(again, { text: correctionWords(addition), undone: undoneWords(again) });
      await undoCorrection(projectId, addition.correction_id);
      await refreshProject(client, projectId);
    },
  });
  return (
    <>
      <Button
        size="small"
        aria-label={`Add between the present types: ${correctionWords(addition)}`}
        isPending={adding.isPending}
        onPress={() => adding.mutate()}
      >
        Add between the present types
      </Button>
      <FaultNotice error={adding.error} />
    </>
  );
}

async function presentEnd(
  projectId: string,
  name: string,
  types: readonly string[],
): Promise<Pick<Entity, "name" | "type">> {
  const found = (await entitiesCalled(projectId, name)).find(({ type }) => types.includes(type));
  if (found === undefined)
    throw new Error(
      `The graph has no “${name}” of a type that the ontology allows here (${types.join(", ")}).`,
    );
  return { name: found.name, type: found.type };
}
