import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { allCorrectionsQuery, refreshProject, undoCorrection, useCorrect } from "../../../api/corrections.ts";
import { entitiesCalled, entitiesNamedQuery } from "../../../api/graph.ts";
import { Button } from "../../../components/button.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import { correctionWords, undoneWords } from "../entity/correction-words.ts";
import {
  correctionOfPresent,
  type EntityCorrection,
  lastName,
  presentEntity,
  presentName,
} from "./present-entity.ts";

/** What became of the entity of a correction without effect: makes the correction again where the graph has it under another type. */
export function MakeAgain({
  projectId,
  correction,
}: {
  readonly projectId: string;
  readonly correction: EntityCorrection;
}) {
  const { name } = correction.entity;
  const { data: found } = useQuery(entitiesNamedQuery(projectId, name));
  const client = useQueryClient();
  const correct = useCorrect(projectId);
  const now = found === undefined ? null : presentName(correction.entity, found);
  const present = now?.entity ?? null;
  const isLeft = present !== null && correctionOfPresent(correction, present) !== null;
  const making = useMutation({
    async mutationFn() {
      if (present === null) return;
      const into = "into" in correction ? await entitiesCalled(projectId, correction.into.name) : [];
      const meant = await underLastName(present.type);
      const again = correctionOfPresent(meant, present, presentEntity(into));
      if (again === null) return;
      await correct(again, { text: correctionWords(meant), undone: undoneWords(again) });
      await undoCorrection(projectId, correction.correction_id);
      await refreshProject(client, projectId);
    },
  });
  /** The next renaming of a chain may have been made again before: corrections are applied in the order in which they were made. */
  async function underLastName(type: string): Promise<EntityCorrection> {
    if (correction.kind !== "rename") return correction;
    const all = await client.fetchQuery(allCorrectionsQuery(projectId));
    return { ...correction, name: lastName(all, { name: correction.name, type }) };
  }
  if (now === null) return null;
  return (
    <>
      <span>
        <bdi>“{name}”</bdi> {now.words}
      </span>
      {isLeft && (
        <Button
          size="small"
          aria-label={`Make it again for the present type: ${correctionWords(correction)}`}
          isPending={making.isPending}
          onPress={() => making.mutate()}
        >
          Make it again
        </Button>
      )}
      <FaultNotice error={making.error} />
    </>
  );
}
