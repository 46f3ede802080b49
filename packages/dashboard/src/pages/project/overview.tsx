import type { ProjectStats } from "@kcs/sdk";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { serviceUrl } from "../../api/address.ts";
import { type DocumentCounts, useDocumentCounts } from "../../api/document-counts.ts";
import { documentsQuery } from "../../api/documents.ts";
import { proposalCountQuery, proposalWords } from "../../api/graph.ts";
import { projectConfigQuery, projectQuery, projectStatsQuery } from "../../api/projects.ts";
import { Card } from "../../components/card.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { type Figure, Figures } from "../../components/figures.tsx";
import { PageFault } from "../../components/page-fault.tsx";
import { RankedBars } from "../../components/ranked-bars.tsx";
import { Section } from "../../components/section.tsx";
import { PageSkeleton } from "../../components/skeleton.tsx";
import { FirstSteps, FoldedFirstSteps } from "../../first-run/first-steps.tsx";
import { sampleText } from "../../first-run/sample-text.ts";
import { wordsOf } from "./graph/link-text.ts";
import { GraphAdvice, OntologyAdvice } from "./overview/graph-advice.tsx";
import styles from "./overview.module.css";

const maxTypesShown = 8;
/** A project with more documents has the first steps behind a line. */
const maxFirstStepsDocuments = 1;
const pollMs = 2_000;
/** Documents and verdicts may come from another window or a program. */
const idlePollMs = 20_000;

export function OverviewPage() {
  const { projectId } = useParams({ from: "/signed-in/projects/$projectId" });
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const { data: stats, error } = useQuery({
    ...projectStatsQuery(projectId),
    // A job can end before this page subscribes to its events.
    refetchInterval: ({ state }) => (isBusy(state.data) ? pollMs : idlePollMs),
  });
  const { data: listed } = useQuery(documentsQuery(projectId, { find: "", from: 0 }));
  const counts = useDocumentCounts(projectId, stats);
  const hasGraph = project.mode === "kg_vector";
  // What is said above other things comes at once, so that nothing moves down.
  const proposals = useQuery({
    ...proposalCountQuery(projectId),
    enabled: hasGraph,
    refetchInterval: idlePollMs,
  });
  const config = useQuery({ ...projectConfigQuery(projectId), enabled: hasGraph });
  const proposed = proposals.data ?? 0;
  if (error !== null) return <PageFault error={error} />;
  if (stats === undefined || counts === undefined || (hasGraph && (proposals.isPending || config.isPending)))
    return <PageSkeleton />;
  const isSample = listed?.documents[0]?.source_doc_id === sampleText.name;
  const isNew = stats.documents <= maxFirstStepsDocuments;
  return (
    <div className={styles.page}>
      {isNew && <FirstSteps projectId={projectId} stats={stats} isSample={isSample} />}
      <Figures items={figuresOf(stats, { projectId, hasGraph, proposed, counts })} />
      {hasGraph && stats.entities_by_type.length > 0 && (
        <GraphAdvice
          projectId={projectId}
          relationships={sum(stats.relationships_by_type)}
          proposed={proposed}
        />
      )}
      {hasGraph && config.data?.ontology === null && stats.documents > 0 && (
        <OntologyAdvice projectId={projectId} />
      )}
      {hasGraph && stats.entities_by_type.length > 0 && <Types stats={stats} />}
      <Section title="From a program" description="Programs authenticate with an API key.">
        <CodeBlock label="Ask with curl" text={curlOf(projectId)} />
      </Section>
      {!isNew && <FoldedFirstSteps projectId={projectId} stats={stats} isSample={isSample} />}
    </div>
  );
}

function isBusy(stats: ProjectStats | undefined): boolean {
  return stats !== undefined && stats.jobs.pending + stats.jobs.running > 0;
}

function figuresOf(
  stats: ProjectStats,
  {
    projectId,
    hasGraph,
    proposed,
    counts,
  }: {
    readonly projectId: string;
    readonly hasGraph: boolean;
    readonly proposed: number;
    readonly counts: DocumentCounts | null;
  },
): readonly Figure[] {
  const { searchable, waiting, failed } = counts ?? { searchable: stats.documents, waiting: 0, failed: 0 };
  // The bar above has their number, as of another moment: two numbers would contradict each other.
  const note = (
    <>
      {waiting > 0 && (
        <Link to="/projects/$projectId/jobs" params={{ projectId }}>
          and more to be read
        </Link>
      )}
      {waiting > 0 && failed > 0 && ", "}
      {failed > 0 && (
        <Link to="/projects/$projectId/documents" params={{ projectId }} search={{ state: "failed" }}>
          and {failed.toLocaleString("en")} failed or cancelled
        </Link>
      )}
    </>
  );
  const proposals = (
    <Link to="/projects/$projectId/graph" params={{ projectId }} search={{ view: "proposed" }}>
      and {proposalWords(proposed)} proposed
    </Link>
  );
  return [
    {
      label: "Documents",
      value: searchable,
      ...(waiting + failed > 0 && { note }),
    },
    { label: "Chunks", value: stats.chunks },
    ...(hasGraph
      ? [
          { label: "Entities", value: sum(stats.entities_by_type) },
          {
            label: "Relationships",
            value: sum(stats.relationships_by_type),
            ...(proposed > 0 && { note: proposals }),
          },
        ]
      : []),
  ];
}

function Types({ stats }: { readonly stats: ProjectStats }) {
  return (
    <div className={styles.columns}>
      <Section title="Entities by type">
        <Card>
          <RankedBars items={topOf(stats.entities_by_type)} />
          <Rest types={stats.entities_by_type} />
        </Card>
      </Section>
      {stats.relationships_by_type.length > 0 && (
        <Section title="Relationships by type">
          <Card>
            <RankedBars
              items={topOf(stats.relationships_by_type).map((each) => ({
                ...each,
                label: wordsOf(each.label),
              }))}
            />
            <Rest types={stats.relationships_by_type} />
          </Card>
        </Section>
      )}
    </div>
  );
}

function Rest({ types }: { readonly types: readonly TypeCount[] }) {
  const rest = types.slice(topOf(types).length);
  if (rest.length === 0) return null;
  return (
    <p className={styles.rest}>
      {rest.length} other types, {sum(rest).toLocaleString("en")} together
    </p>
  );
}

interface TypeCount {
  readonly type: string;
  readonly count: number;
}

/** A line that says that there is one more would take its place. */
function topOf(types: readonly TypeCount[]) {
  const shown = types.length === maxTypesShown + 1 ? types.length : maxTypesShown;
  return types.slice(0, shown).map(({ type, count }) => ({ label: type, count }));
}

function sum(counts: readonly TypeCount[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}

function curlOf(projectId: string): string {
  return [
    `curl ${serviceUrl(`api/v1/projects/${projectId}/query`)} \\`,
    `  -H "Authorization: Bearer $KCS_KEY" -H "Content-Type: application/json" \\`,
    `  -d '{"query": "Your question"}'`,
  ].join("\n");
}
