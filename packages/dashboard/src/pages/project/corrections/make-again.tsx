import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { refreshProject, undoCorrection, useCorrect } from "../../../api/corrections.ts";
import { entitiesCalled, entitiesCalledQuery } from "../../../api/graph.ts";
import { Button } from "../../../components/button.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import { correctionWords, undoneWords } from "../entity/correction-words.ts";
import { correctionOfPresent, type EntityCorrection, presentEntity } from "./present-entity.ts";

/** What became of the entity of a correction without effect: makes the correction again where the graph has it under another type. */
export function MakeAgain({
  projectId,
  correction,
}: {
  readonly projectId: string;
  readonly correction: EntityCorrection;
}) {
  const { name, type } = correction.entity;
  const { data: found = [] } = useQuery(entitiesCalledQuery(projectId, name));
  const client = useQueryClient();
  const correct = useCorrect(projectId);
  const present = presentEntity(found);
  const isLeft = present !== null && correctionOfPresent(correction, present) !== null;
  const making = useMutation({
    async mutationFn() {
      if (present === null) return;
      const into = "into" in correction ? await entitiesCalled(projectId, correction.into.name) : [];
      const again = correctionOfPresent(correction, present, presentEntity(into));
      if (again === null) return;
      await correct(again, { text: correctionWords(correction), undone: undoneWords(again) });
      await undoCorrection(projectId, correction.correction_id);
      await refreshProject(client, projectId);
    },
  });
  const types = [...new Set(found.map((each) => each.type))];
  if (types.length === 0 || types.includes(type)) return null;
  return (
    <>
      <span>
        <bdi>“{name}”</bdi>{" "}
        {present === null
          ? `is there under several types now (${types.join(", ")}). Correct it on its page.`
          : `is of the type ${present.type} now.`}
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
