import type { Explanation } from "@kcs/sdk";
import { Badge } from "../../../components/badge.tsx";
import { Facts } from "../../../components/facts.tsx";
import { Section } from "../../../components/section.tsx";
import { type Column, Table } from "../../../components/table.tsx";
import { Tabs } from "../../../components/tabs.tsx";
import { ChunkLink } from "./chunk-link.tsx";
import styles from "./explanation-view.module.css";
import { Timings } from "./timings.tsx";

interface Props {
  readonly projectId: string;
  readonly explanation: Explanation;
}

/** The value at every arrow of a question: from its words to the order of the passages. */
export function ExplanationView({ projectId, explanation }: Props) {
  const steps = [
    { id: "plan", title: "Plan", content: <Plan explanation={explanation} /> },
    { id: "fused", title: "Retrievers", content: <Fused {...{ projectId, explanation }} /> },
    { id: "graph", title: "Graph", content: <GraphPaths {...{ projectId, explanation }} /> },
    { id: "ranked", title: "Ranking", content: <Ranked {...{ projectId, explanation }} /> },
    { id: "timings", title: "Timings", content: <Timings timings={explanation.timings_ms} /> },
  ];
  return (
    <Section title="How it was found" description="The values at every step, of the first search.">
      <Tabs label="Steps" tabs={steps} />
    </Section>
  );
}

function Plan({ explanation: { plan } }: Pick<Props, "explanation">) {
  const names = plan.entities.map(({ name, documents }) => `${name} (${documents.toLocaleString("en")})`);
  return (
    <Facts
      items={[
        { label: "Strategy", value: <Badge>{plan.strategy}</Badge> },
        { label: "Terms looked for", value: <code>{plan.terms.join(" ") || "none"}</code> },
        { label: "Names, with documents", value: names.join(", ") || "none that the graph knows" },
        { label: "Graph", value: graphs[plan.graph] },
        { label: "Index", value: `version ${plan.index_version}, ${plan.segments} segments` },
        { label: "Looks at the index", value: plan.looks },
      ]}
    />
  );
}

const graphs = {
  none: "none in this project",
  bound: "with an ontology’s types",
  grown: "with types of its own",
} as const;

function Fused({ projectId, explanation: { fused, candidates } }: Props) {
  const rankIn = (list: readonly { readonly chunk_id: string }[]) =>
    new Map(list.map(({ chunk_id: id }, at) => [id, at + 1]));
  const [lexical, dense] = [rankIn(candidates.lexical), rankIn(candidates.dense)];
  type Row = Explanation["fused"][number];
  const columns: readonly Column<Row>[] = [
    { title: "Passage", cell: (row) => <ChunkLink projectId={projectId} {...row} /> },
    { title: "Lexical", isNumber: true, cell: (row) => valueAndRank(row.lexical, lexical.get(row.chunk_id)) },
    { title: "Dense", isNumber: true, cell: (row) => valueAndRank(row.dense, dense.get(row.chunk_id)) },
    { title: "Both", isNumber: true, cell: ({ score }) => score.toFixed(3) },
  ];
  return (
    <>
      <p className={styles.note}>
        {candidates.lexical.length} passages by words, {candidates.dense.length} by meaning, each with its
        rank there.
      </p>
      <div className={styles.rows}>
        <Table label="Both retrievers" columns={columns} rows={fused} keyOf={({ chunk_id: id }) => id} />
      </div>
    </>
  );
}

function valueAndRank(value: number, rank: number | undefined) {
  return (
    <>
      {value.toFixed(3)} <span className={styles.rank}>{rank === undefined ? "–" : `#${rank}`}</span>
    </>
  );
}

function GraphPaths({ projectId, explanation: { graph, fused, ranked } }: Props) {
  if (graph === null) return <p className={styles.note}>The graph had no word in this ranking.</p>;
  const documents = new Map(
    [...fused, ...ranked].map(({ chunk_id: id, source_doc_id }) => [id, source_doc_id]),
  );
  const linked = (id: string) => (
    <ChunkLink projectId={projectId} chunk_id={id} source_doc_id={documents.get(id)} />
  );
  type Row = { readonly key: number } & (typeof graph.paths)[number];
  const columns: readonly Column<Row>[] = [
    { title: "From", cell: ({ from_chunk_id: id }) => linked(id) },
    { title: "Over the name", cell: ({ name }) => name },
    { title: "To", cell: ({ to_chunk_id: id }) => linked(id) },
    { title: "Score", isNumber: true, cell: ({ score }) => score.toFixed(3) },
  ];
  return (
    <>
      <p className={styles.note}>Names: {graph.names.join(", ") || "none"}</p>
      <div className={styles.rows}>
        <Table
          label="Steps over the graph"
          columns={columns}
          rows={graph.paths.map((path, key) => ({ key, ...path }))}
          keyOf={({ key }) => String(key)}
        />
      </div>
    </>
  );
}

function Ranked({ projectId, explanation: { ranked, dropped } }: Props) {
  const reasons = new Map(dropped.map(({ chunk_id: id, reason }) => [id, reason]));
  type Row = Explanation["ranked"][number];
  const columns: readonly Column<Row>[] = [
    { title: "Passage", cell: (row) => <ChunkLink projectId={projectId} {...row} /> },
    { title: "Similarity", isNumber: true, cell: ({ similarity }) => similarity.toFixed(3) },
    {
      title: "What became of it",
      cell: ({ chunk_id: id, returned, summarized }) =>
        summarized ? (
          <Badge kind="accent">in the summary’s reach</Badge>
        ) : returned ? (
          <Badge>returned</Badge>
        ) : (
          <span className={styles.note}>{reasons.get(id) === "gone" ? "gone meanwhile" : "no room"}</span>
        ),
    },
  ];
  return (
    <div className={styles.rows}>
      <Table label="The final order" columns={columns} rows={ranked} keyOf={({ chunk_id: id }) => id} />
    </div>
  );
}
