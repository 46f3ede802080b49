import { Link } from "@tanstack/react-router";
import { proposalWords } from "../../../api/graph.ts";
import { Notice } from "../../../components/notice.tsx";
import styles from "./graph-advice.module.css";

/** What makes a graph with few relationships richer: those that wait for a person. */
export function GraphAdvice({
  projectId,
  relationships,
  proposed,
}: {
  readonly projectId: string;
  readonly relationships: number;
  readonly proposed: number;
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
    </Notice>
  );
}

/** Of a project without an ontology that has documents. */
export function OntologyAdvice({ projectId }: { readonly projectId: string }) {
  return (
    <p className={styles.quiet}>
      This project has no ontology. One tells what to look for in its texts:{" "}
      <Link to="/ontologies/suggest" search={{ project: projectId }}>
        suggest one from its documents
      </Link>
      .
    </p>
  );
}
