import { Link } from "@tanstack/react-router";
import { proposalWords } from "../../../api/graph.ts";
import { Notice } from "../../../components/notice.tsx";

/** What makes a graph with few relationships richer: those that wait for a person, and an ontology. */
export function GraphAdvice({
  projectId,
  relationships,
  proposed,
  hasOntology,
}: {
  readonly projectId: string;
  readonly relationships: number;
  readonly proposed: number;
  readonly hasOntology: boolean;
}) {
  if (proposed <= relationships) return null;
  return (
    <Notice>
      The graph has {relationships === 0 ? "no" : relationships.toLocaleString("en")}{" "}
      {relationships === 1 ? "relationship" : "relationships"};{" "}
      <Link to="/projects/$projectId/graph" params={{ projectId }} search={{ view: "proposed" }}>
        {proposalWords(proposed)} proposed {proposed === 1 ? "relationship waits" : "relationships wait"} for
        you
      </Link>
      .
      {!hasOntology && (
        <>
          {" "}
          An ontology says what to look for:{" "}
          <Link to="/ontologies/suggest" search={{ project: projectId }}>
            suggest one from these documents
          </Link>
          .
        </>
      )}
    </Notice>
  );
}
