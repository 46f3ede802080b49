import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ontologyChangesQuery, ontologyVersionsQuery } from "../api/ontologies.ts";
import { ButtonLink } from "../components/button-link.tsx";
import { PageFault } from "../components/page-fault.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { Select } from "../components/select.tsx";
import { PageSkeleton, Skeleton } from "../components/skeleton.tsx";
import { ChangeReport } from "./ontologies/change-report.tsx";
import styles from "./ontology.module.css";

interface Pair {
  readonly before: number;
  readonly after: number;
}

/** What differs between two versions of an ontology; by default the last two. The address has the versions. */
export function OntologyComparePage() {
  const from = "/signed-in/ontologies/$ontologyId/compare";
  const { ontologyId } = useParams({ from });
  const search = useSearch({ from });
  const navigate = useNavigate({ from: "/ontologies/$ontologyId/compare" });
  const { data: listed, error } = useQuery(ontologyVersionsQuery(ontologyId));
  const toOntology = (
    <Link to="/ontologies/$ontologyId" params={{ ontologyId }}>
      Back to the ontology
    </Link>
  );
  if (error !== null) return <PageFault error={error} wayBack={toOntology} />;
  if (listed === undefined) return <PageSkeleton />;
  const newest = listed.versions[0];
  const after = search.after ?? newest?.version ?? 1;
  const pair = { before: search.before ?? Math.max(1, after - 1), after };
  const choose = (part: Partial<Pair>) => navigate({ search: { ...pair, ...part }, replace: true });
  const options = listed.versions.map(({ version, name }) => ({
    value: String(version),
    label: `${version}: ${name}`,
  }));
  return (
    <>
      <PageHeader
        title={`What changed in ${newest?.name ?? "the ontology"}`}
        description="Projects stay with the version that they have until you change it in their settings."
      >
        <ButtonLink to="/ontologies/$ontologyId" params={{ ontologyId }}>
          All versions
        </ButtonLink>
      </PageHeader>
      <div className={styles.page}>
        <div className={styles.pair}>
          <Select
            label="From version"
            options={options}
            value={String(pair.before)}
            onChange={(value) => choose({ before: Number(value) })}
          />
          <Select
            label="To version"
            options={options}
            value={String(pair.after)}
            onChange={(value) => choose({ after: Number(value) })}
          />
        </div>
        <Changes ontologyId={ontologyId} pair={pair} />
      </div>
    </>
  );
}

function Changes({ ontologyId, pair }: { readonly ontologyId: string; readonly pair: Pair }) {
  const { data, error } = useQuery(ontologyChangesQuery(ontologyId, pair));
  if (error !== null) return <PageFault error={error} />;
  return data === undefined ? <Skeleton lines={6} /> : <ChangeReport {...data} />;
}
