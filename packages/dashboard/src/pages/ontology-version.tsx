import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { ontologyVersionQuery, ontologyVersionsQuery } from "../api/ontologies.ts";
import { ButtonLink } from "../components/button-link.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { Folded } from "../components/folded.tsx";
import { PageFault } from "../components/page-fault.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { PageSkeleton } from "../components/skeleton.tsx";
import { OntologyDownloads } from "./ontologies/ontology-downloads.tsx";
import { printSchema, readDraft } from "./ontologies/schema-draft.ts";
import { SchemaPicture } from "./ontologies/schema-picture.tsx";
import styles from "./ontology.module.css";

/** An ontology as it was in one of its versions, to look at. */
export function OntologyVersionPage() {
  const { ontologyId, version: written } = useParams({
    from: "/signed-in/ontologies/$ontologyId/versions/$version",
  });
  const version = Number(written);
  const { data: ontology, error } = useQuery(ontologyVersionQuery(ontologyId, version));
  const { data: listed } = useQuery(ontologyVersionsQuery(ontologyId));
  const schema = useMemo(() => ({ ...ontology?.schema }), [ontology]);
  const draft = useMemo(() => readDraft(schema), [schema]);
  const toOntology = (
    <Link to="/ontologies/$ontologyId" params={{ ontologyId }}>
      Back to the ontology
    </Link>
  );
  if (error !== null) return <PageFault error={error} wayBack={toOntology} />;
  if (ontology === undefined) return <PageSkeleton />;
  const newest = listed?.versions[0]?.version ?? version;
  return (
    <>
      <PageHeader
        title={`${ontology.name}, version ${version}`}
        description={
          version < newest
            ? `Versions stay as they were saved. The newest one is version ${newest}.`
            : "This is the newest version."
        }
      >
        {version > 1 && (
          <ButtonLink
            to="/ontologies/$ontologyId/compare"
            params={{ ontologyId }}
            search={{ before: version - 1, after: version }}
          >
            What changed in it
          </ButtonLink>
        )}
        {version < newest && (
          <ButtonLink
            to="/ontologies/$ontologyId/compare"
            params={{ ontologyId }}
            search={{ before: version, after: newest }}
          >
            What changed since
          </ButtonLink>
        )}
        <ButtonLink to="/ontologies/$ontologyId" params={{ ontologyId }}>
          Edit the newest
        </ButtonLink>
      </PageHeader>
      <div className={styles.page}>
        <SchemaPicture draft={draft} />
        <Folded title="Schema as JSON">
          <CodeBlock label="JSON" text={printSchema(schema)} />
        </Folded>
        <OntologyDownloads ontologyId={ontologyId} name={ontology.name} version={version} />
      </div>
    </>
  );
}
