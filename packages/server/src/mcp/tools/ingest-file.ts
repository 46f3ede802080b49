/** Files and pages as documents: the service turns them into text. */
import { bodies, responses } from "@kcs/contract";
import { z } from "zod";
import { errors } from "../../domain/errors.ts";
import { fileName } from "../../domain/file.ts";
import type { AcceptedJob } from "../../domain/job.ts";
import type { FileService } from "../../services/files.ts";
import { argumentsOf, optionalOf, projectIdField } from "../fields.ts";
import type { Presenters } from "../presenters.ts";
import { inline } from "../text.ts";
import { type AddTool, defineTool } from "../tool.ts";

/** In base64 it fits into a request. */
export const MAX_TOOL_FILE_BYTES = 1024 * 1024;
const MAX_BASE64_CHARACTERS = 4 * Math.ceil(MAX_TOOL_FILE_BYTES / 3);

interface Deps {
  readonly files: FileService;
  readonly present: Pick<Presenters, "acceptedJob">;
}

const fields = bodies.ingestUrlBody.shape;
const WRITES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true } as const;
const metadata = optionalOf(
  fields.metadata,
  "Labels for the filter of query: up to 32 keys, each with a string or a number.",
);
const TYPES =
  "PDF, Word, PowerPoint, Excel, OpenDocument, EPUB, HTML, e-mail, CSV, JSON, Markdown or plain text";

export function createIngestUrlTool({ files, present }: Deps): AddTool {
  return defineTool({
    name: "ingest_url",
    title: "Add a web page to a project",
    description: `Fetches one page or file (${TYPES}) from the web and adds it to a project as a document, or replaces the document with the same id. Links in it are not followed; of a sitemap, the pages that it names are added. It is processed in the background: the tool returns a job, and queries find the text once wait_for_job reports completed. Consumes tokens of the account. Use it only for pages that the user wants to keep.`,
    annotations: { ...WRITES, openWorldHint: true },
    input: argumentsOf({
      project_id: projectIdField,
      url: fields.url.describe("Address of the page, with https. Private addresses are refused."),
      source_doc_id: optionalOf(fields.source_doc_id, "Your id for the document. Without one, the URL."),
      metadata,
    }),
    output: responses.acceptedJob,
    async run({ project_id: projectId, url, source_doc_id, metadata }, { caller }) {
      const page = { url, sourceDocId: source_doc_id ?? null, metadata };
      const jobs = await files.fetchPage({ caller, projectId }, () => page);
      return accepted(jobs, present);
    },
  });
}

export function createIngestFileTool({ files, present }: Deps): AddTool {
  return defineTool({
    name: "ingest_file",
    title: "Add a file to a project",
    description: `Adds a file (${TYPES}) of up to 1 MiB to a project as a document, or replaces the document with the same id. Its type goes by its content. It is processed in the background: the tool returns a job, and queries find the text once wait_for_job reports completed. Consumes tokens of the account. Use it only for files that the user wants to keep. Larger files are sent with the HTTP API or the command line (kcs ingest); for text that you have, use ingest_text.`,
    annotations: { ...WRITES, openWorldHint: false },
    input: argumentsOf({
      project_id: projectIdField,
      source_doc_id: bodies
        .ingestBody(0)
        .shape.source_doc_id.describe(
          "Your id for the document, up to 512 characters, for example the file's path.",
        ),
      content: z
        .base64({ error: "expected the bytes of the file in base64" })
        .min(1, { error: "is empty" })
        .max(MAX_BASE64_CHARACTERS, { error: `has more than ${MAX_TOOL_FILE_BYTES} bytes` })
        .describe("The bytes of the file in base64, at most 1 MiB before encoding."),
      metadata,
    }),
    output: responses.acceptedJob,
    async run({ project_id: projectId, source_doc_id: sourceDocId, content, metadata }, { caller }) {
      const bytes = Buffer.from(content, "base64");
      if (bytes.length > MAX_TOOL_FILE_BYTES)
        throw errors.tooLarge(`content: has more than ${MAX_TOOL_FILE_BYTES} bytes`);
      const name = fileName(sourceDocId);
      const jobs = await files.upload({ caller, projectId }, async (upload) => {
        const sink = upload.addFile();
        await sink.write(bytes);
        return upload.accept([{ content: await sink.end(), sourceDocId, name, metadata }]);
      });
      return accepted(jobs, present);
    },
  });
}

/** Of a sitemap the first job is told of; the others are in the list of documents. */
function accepted([job, ...others]: readonly AcceptedJob[], present: Deps["present"]) {
  if (job === undefined) throw new Error("A file was accepted without a job.");
  const structured = present.acceptedJob(job);
  const more = others.length === 0 ? "" : ` and ${others.length} other pages of the sitemap`;
  const text = `Accepted ${inline(job.sourceDocId)} as job ${structured.job_id}${more}. Call wait_for_job with this id; queries find the text when the job is completed.`;
  return { structured, text };
}
