import { service } from "../api/service.ts";
import { sampleText } from "./sample-text.ts";

/** Creates a project and ingests the sample text. Resolves to the project's id as soon as the text is accepted. */
export async function startSample(): Promise<string> {
  const { project_id: projectId } = await service.projects.create({ name: "Sample", vector_only: false });
  await service.documents.ingest(projectId, { source_doc_id: sampleText.name, text: sampleText.text });
  return projectId;
}
