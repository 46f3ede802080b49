import { useQuery } from "@tanstack/react-query";
import { allCorrectionsQuery } from "../../../api/corrections.ts";
import { Time } from "../../../components/time.tsx";
import { additionOf, type TypedRelationship } from "./addition-of.ts";
import styles from "./evidence-list.module.css";

/** In place of sentences: a person said so. Texts may say it, too, in a way that was not read. */
export function AddedByHand({
  projectId,
  relationship,
}: {
  readonly projectId: string;
  readonly relationship: TypedRelationship;
}) {
  const { data } = useQuery(allCorrectionsQuery(projectId));
  const addition = additionOf(relationship, data ?? []);
  return (
    <p className={styles.none}>
      {addition === null || addition.key_id === null ? "Added by hand" : "Added by a program"}
      {addition !== null && (
        <>
          {" "}
          <Time at={addition.created_at} />
        </>
      )}
      . It was not read from a text.
      {addition?.reason != null && (
        <>
          {" "}
          Reason: <bdi>{addition.reason}</bdi>
        </>
      )}
    </p>
  );
}
