import { bodies, responses } from "@kcs/contract";
import type { IngestionService } from "../../services/ingestion.ts";
import { argumentsOf, optionalOf, projectIdField } from "../fields.ts";
import type { Presenters } from "../presenters.ts";
import { inline } from "../text.ts";
import { type AddTool, defineTool } from "../tool.ts";

/**
 * Enough for text that a model writes or passes on. Files are sent through the
 * API or the CLI, not through a model.
 */
export const MAX_TOOL_TEXT_BYTES = 256 * 1024;

export function createIngestTextTool(deps: {
  readonly ingestion: IngestionService;
  readonly present: Pick<Presenters, "acceptedJob">;
  readonly maxTextBytes: number;
}): AddTool {
  const maxBytes = Math.min(MAX_TOOL_TEXT_BYTES, deps.maxTextBytes);
  const body = bodies.ingestBody(maxBytes).shape;
  return defineTool({
    name: "ingest_text",
    title: "Add a text to a project",
    description:
      "Adds a text to a project as a document, or replaces the document with the same source_doc_id. The text is processed in the background: the tool returns a job, and queries find the text once wait_for_job reports completed. Consumes tokens of the account. Use it only for text that the user wants to keep. Longer texts have to be ingested with the HTTP API or the command line (kcs ingest).",
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    input: argumentsOf({
      project_id: projectIdField,
      source_doc_id: body.source_doc_id.describe(
        "Your id for the document, up to 512 characters, for example a path or a URL. An existing document with this id is replaced; list_documents lists the existing ids.",
      ),
      text: body.text.describe(
        `The complete text, plain or Markdown, at most ${maxBytes} bytes in UTF-8. A title in the first line improves retrieval.`,
      ),
      metadata: optionalOf(
        body.metadata,
        "Labels for the filter of query: up to 32 keys, each with a string or a number.",
      ),
    }),
    output: responses.acceptedJob,
    async run({ project_id, source_doc_id: sourceDocId, text, metadata }, { caller }) {
      const documents = () => [{ text, sourceDocId, metadata }];
      const [job] = await deps.ingestion.accept(caller, project_id, documents);
      if (job === undefined) throw new Error("A document was accepted without a job.");
      const structured = deps.present.acceptedJob(job);
      return {
        structured,
        text: `Accepted ${inline(sourceDocId)} as job ${structured.job_id}. Call wait_for_job with this id; queries find the text when the job is completed.`,
      };
    },
  });
}
