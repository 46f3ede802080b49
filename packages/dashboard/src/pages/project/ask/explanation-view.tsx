import type { Explanation, QueryResult } from "@kcs/sdk";
import { Badge } from "../../../components/badge.tsx";
import { counted } from "../../../components/counted.ts";
import { Facts } from "../../../components/facts.tsx";
import { Section } from "../../../components/section.tsx";
import { type Column, Table } from "../../../components/table.tsx";
import { Tabs } from "../../../components/tabs.tsx";
import { periodWords } from "../../../components/time-words.ts";
import { ChunkLink } from "./chunk-link.tsx";
import styles from "./explanation-view.module.css";
import { Timings } from "./timings.tsx";

interface Props {
  readonly projectId: string;
  readonly explanation: Explanation;
}

/** The results of every step of a query, from the terms of the question to the order of the passages. */
export function ExplanationView({
  projectId,
  explanation,
  result,
}: Props & { readonly result: QueryResult }) {
  const steps = [
    {
      id: "plan",
      title: "Plan",
      content: <Plan explanation={explanation} strategy={result.strategy_used} />,
    },
    ...(result.steps === undefined || result.steps.length < 2
      ? []
      : [{ id: "steps", title: "Searches", content: <Searches steps={result.steps} /> }]),
    {
      id: "fused",
      title: "Retrievers",
      content: <Fused projectId={projectId} explanation={explanation} />,
    },
    {
      id: "graph",
      title: "Graph",
      content: <GraphPaths projectId={projectId} explanation={explanation} />,
    },
    {
      id: "ranked",
      title: "Ranking",
      content: <Ranked projectId={projectId} explanation={explanation} />,
    },
    { id: "timings", title: "Timings", content: <Timings timings={explanation.timings_ms} /> },
  ];
  return (
    <Section title="How it was found" description="The results of every step of the first search.">
      <Tabs label="Steps" tabs={steps} />
    </Section>
  );
}

/** Every search of a dynamic question, those that led nowhere, too. */
function Searches({ steps }: { readonly steps: NonNullable<QueryResult["steps"]> }) {
  type Row = { readonly key: number } & (typeof steps)[number];
  const columns: readonly Column<Row>[] = [
    { title: "Search", cell: ({ query }) => <bdi>{query}</bdi> },
    { title: "Follows the name", cell: ({ name }) => <bdi>{name ?? "–"}</bdi> },
    { title: "Found in", cell: ({ from }) => <bdi>{from?.source_doc_id ?? "–"}</bdi> },
    { title: "Passages", isNumber: true, cell: ({ chunk_ids: ids }) => ids.length },
  ];
  const rows = steps.map((step, key) => ({ key, ...step }));
  return (
    <div className={styles.rows}>
      <Table label="Searches" columns={columns} rows={rows} keyOf={({ key }) => String(key)} />
    </div>
  );
}

function Plan({
  explanation: { plan, check },
  strategy,
}: Pick<Props, "explanation"> & { readonly strategy: string }) {
  const names = plan.entities.map(({ name, documents }) => `${name} (${documents.toLocaleString("en")})`);
  return (
    <Facts
      items={[
        { label: "Strategy", value: <code>{strategy}</code> },
        { label: "Search terms", value: <code>{plan.terms.join(" ") || "none"}</code> },
        { label: "Names (documents)", value: names.join(", ") || "none in the graph" },
        { label: "Graph", value: graphs[plan.graph] },
        {
          label: "Relationships of",
          value: plan.as_of === null ? "any time" : `${periodOf(plan.as_of)} (${times[plan.as_of.by]})`,
        },
        ...(plan.event === undefined ? [] : [{ label: "Event", value: <bdi>{eventWords(plan.event)}</bdi> }]),
        { label: "Index", value: `version ${plan.index_version}, ${counted(plan.segments, "segment")}` },
        { label: "Index reads", value: plan.looks },
        ...(check === undefined
          ? []
          : [
              { label: "Sentences of the model", value: `${check.sentences}, ${check.unsupported} left out` },
            ]),
      ]}
    />
  );
}

function periodOf({ date, until }: { readonly date: string; readonly until?: string | undefined }): string {
  return until === undefined ? periodWords(date) : `${periodWords(date)} to ${periodWords(until)}`;
}

/** The event by which the question names its time, and what tells when it was. */
function eventWords({ text, from, to, evidence }: NonNullable<Explanation["plan"]["event"]>): string {
  if (from === null && to === null) return `${text}: no text tells its time`;
  const [first, last] = [from, to].map((each) => (each === null ? "…" : periodWords(each)));
  const when = from === to ? first : `${first} to ${last}`;
  return `${text}: ${when}${evidence === null ? "" : ` (${evidence.source_doc_id}: “${evidence.text}”)`}`;
}

const times = { request: "asked for", question: "named in the question", today: "today" } as const;

const graphs = {
  none: "none in this project",
  bound: "types of an ontology",
  grown: "types from the texts",
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
    { title: "Fused", isNumber: true, cell: ({ score }) => score.toFixed(3) },
  ];
  return (
    <>
      <p className={styles.note}>
        {candidates.lexical.length} passages found by keyword, {candidates.dense.length} by meaning, with
        their score and rank.
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
  if (graph === null) return <p className={styles.note}>The graph was not used in this ranking.</p>;
  const documents = new Map(
    [...fused, ...ranked].map(({ chunk_id: id, source_doc_id }) => [id, source_doc_id]),
  );
  const linked = (id: string) => (
    <ChunkLink projectId={projectId} chunk_id={id} source_doc_id={documents.get(id)} />
  );
  type Row = { readonly key: number } & (typeof graph.paths)[number];
  const columns: readonly Column<Row>[] = [
    { title: "From", cell: ({ from_chunk_id: id }) => linked(id) },
    { title: "Through the name", cell: ({ name }) => name },
    { title: "To", cell: ({ to_chunk_id: id }) => linked(id) },
    { title: "Score", isNumber: true, cell: ({ score }) => score.toFixed(3) },
  ];
  return (
    <>
      <p className={styles.note}>Names: {graph.names.join(", ") || "none"}</p>
      <div className={styles.rows}>
        <Table
          label="Paths through the graph"
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
    { title: "Relevance", isNumber: true, cell: ({ similarity }) => similarity.toFixed(3) },
    {
      title: "Outcome",
      cell: ({ chunk_id: id, returned, summarized }) =>
        summarized ? (
          <Badge kind="accent">used for the summary</Badge>
        ) : returned ? (
          <Badge>returned</Badge>
        ) : (
          <span className={styles.note}>
            {reasons.get(id) === "gone" ? "deleted meanwhile" : "ranked too low"}
          </span>
        ),
    },
  ];
  return (
    <div className={styles.rows}>
      <Table label="The final order" columns={columns} rows={ranked} keyOf={({ chunk_id: id }) => id} />
    </div>
  );
}
