import { bodies, responses } from "@kcs/contract";
import type { IngestionService } from "../../services/ingestion.ts";
import { argumentsOf, optionalOf, projectIdField } from "../fields.ts";
import type { Presenters } from "../presenters.ts";
import { inline } from "../text.ts";
import { type AddTool, defineTool } from "../tool.ts";

/** What a model writes or passes on; files go by the API or the CLI, past the model. */
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
      "Adds a text to a project as a document, or replaces the document that has the same source_doc_id. It is worked on in the background: the answer is a job, and queries see the text once wait_for_job says completed. Costs the account tokens. Only for text that the user wants to keep; longer texts than this takes go by the HTTP API or the command line (kcs ingest).",
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    input: argumentsOf({
      project_id: projectIdField,
      source_doc_id: body.source_doc_id.describe(
        "Your name for the document, up to 512 characters, such as a path or an address. A document that has it already is replaced; list_documents shows which there are.",
      ),
      text: body.text.describe(
        `The whole text, plain or Markdown, at most ${maxBytes} bytes in UTF-8. A title in its first line helps.`,
      ),
      metadata: optionalOf(
        body.metadata,
        "Labels for the filter of query: up to 32 strings or numbers by key.",
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
        text: `Accepted ${inline(sourceDocId)} as job ${structured.job_id}. Call wait_for_job with it; queries see the text when it is completed.`,
      };
    },
  });
}
