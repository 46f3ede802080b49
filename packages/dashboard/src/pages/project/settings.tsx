import type { ProjectConfiguration } from "@kcs/sdk";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { projectConfigQuery, projectQuery, rereadQuery } from "../../api/projects.ts";
import { byteSize } from "../../components/byte-size.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { Facts } from "../../components/facts.tsx";
import { PageFault } from "../../components/page-fault.tsx";
import { Section } from "../../components/section.tsx";
import { PageSkeleton, Skeleton } from "../../components/skeleton.tsx";
import { ChangeOntology } from "./settings/change-ontology.tsx";
import { DeleteProject } from "./settings/delete-project.tsx";
import { EmbeddingMove } from "./settings/embedding-move.tsx";
import { FitReport } from "./settings/fit-report.tsx";
import { GraphExport } from "./settings/graph-export.tsx";
import { ReadAgain } from "./settings/read-again.tsx";
import { RenameProject } from "./settings/rename-project.tsx";
import styles from "./settings.module.css";

export function SettingsPage() {
  const { projectId } = useParams({ from: "/signed-in/projects/$projectId" });
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const hasGraph = project.mode === "kg_vector";
  // What follows comes at once, so that nothing moves down under a finger.
  const config = useQuery(projectConfigQuery(projectId));
  const reread = useQuery({ ...rereadQuery(projectId), enabled: hasGraph });
  if (config.isPending || (hasGraph && reread.isPending)) return <PageSkeleton />;
  return (
    <div className={styles.page}>
      <RenameProject projectId={projectId} name={project.name} />
      <Configuration projectId={projectId} ontology={project.ontology?.name ?? null} />
      {hasGraph && config.data !== undefined && (
        <ChangeOntology projectId={projectId} bound={config.data.ontology} />
      )}
      {hasGraph && <ReadAgain projectId={projectId} />}
      {config.data?.ontology != null && <FitReport projectId={projectId} />}
      {hasGraph && <GraphExport projectId={projectId} />}
      <DeleteProject projectId={projectId} name={project.name} />
    </div>
  );
}

/** The API gives a graph without an ontology the project's name as that of its types. */
function ontologyWords(bound: ProjectConfiguration["ontology"], name: string | null): ReactNode {
  if (bound === null) return "none";
  return (
    <>
      <Link to="/ontologies/$ontologyId" params={{ ontologyId: bound.id }}>
        {name}
      </Link>
      , version {bound.version}
    </>
  );
}

const extractions = {
  none: "None: passages only",
  built_in: "Built in: runs on this machine",
  model: "Built in, together with a model",
} as const;

function Configuration({
  projectId,
  ontology,
}: {
  readonly projectId: string;
  readonly ontology: string | null;
}) {
  const { data, error } = useQuery(projectConfigQuery(projectId));
  if (error !== null) return <PageFault error={error} />;
  if (data === undefined) return <Skeleton lines={6} />;
  const { config, in_use: used } = data;
  return (
    <>
      <Section
        title="Configuration"
        description="Fixed when the project was created, except for the ontology and the embedding model."
      >
        <Facts
          items={[
            {
              label: "Project id",
              value: (
                <span className={styles.id}>
                  <code>{projectId}</code> <CopyButton text={projectId} label="Copy the id" />
                </span>
              ),
            },
            { label: "Ontology", value: ontologyWords(data.ontology, ontology) },
            { label: "Extraction", value: extractions[config.extraction] },
            {
              label: "Embedding model",
              value: `${config.embedding_model}, ${config.embedding_dimensions} dimensions`,
            },
            {
              label: "Chunks",
              value: `up to ${config.chunk_tokens} tokens, with an overlap of ${config.chunk_overlap_tokens}`,
            },
            { label: "Largest text", value: byteSize(used.max_text_bytes) },
            { label: "Language model", value: used.language_model ?? "none configured" },
          ]}
        />
      </Section>
      <EmbeddingMove projectId={projectId} own={config.embedding_model} offered={used.embedding_model} />
    </>
  );
}
