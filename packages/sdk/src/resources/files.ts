import { createMultipartForm, type FormPart, type MultipartForm } from "../multipart-form.ts";
import { type CallOptions, pathOf, type Transport } from "../transport.ts";
import type { AcceptedBatch, IngestDocument, IngestUrl } from "../wire.ts";

export interface FileToUpload {
  /** With folders, separated by `/`. */
  readonly path: string;
  /**
   * Also that of `fs.openAsBlob`, which is read as it is sent. When the file changes before it is sent, the upload is rejected with a
   * `KcsError`.
   */
  readonly content: Blob;
}

export interface UploadFields {
  /** Of each file. */
  readonly metadata?: IngestDocument["metadata"];
  /** The id of a single file, instead of its path. */
  readonly source_doc_id?: string | undefined;
}

export function filesResource(transport: Transport) {
  return {
    /**
     * Sends up to 100 files in one request, all or none; the service turns them into text. The id of each document is exactly the
     * path of its file, unless a single file is given an id. Counts as one request for the rate limit.
     */
    upload: (
      projectId: string,
      files: readonly FileToUpload[],
      fields: UploadFields = {},
      options?: CallOptions,
    ) =>
      transport.json<AcceptedBatch>({
        method: "POST",
        path: pathOf`/projects/${projectId}/files`,
        form: formOf(files, fields),
        creates: true,
        options,
      }),

    /** Fetches one public page and ingests it. Its id is the URL unless `source_doc_id` gives another. */
    ingestUrl: (projectId: string, body: IngestUrl, options?: CallOptions) =>
      transport.json<AcceptedBatch>({
        method: "POST",
        path: pathOf`/projects/${projectId}/urls`,
        body,
        creates: true,
        options,
      }),

    /** The file that the document was made from. The caller reads the body of the response, which has no timeout. */
    download: (projectId: string, sourceDocId: string, options?: CallOptions) =>
      transport.open({
        method: "GET",
        path: pathOf`/projects/${projectId}/documents/${sourceDocId}/file`,
        accept: "*/*",
        options,
      }),
  };
}

function formOf(
  files: readonly FileToUpload[],
  { metadata, source_doc_id: id }: UploadFields,
): MultipartForm {
  // The name of a file in a form is written otherwise than its path: a quotation mark, for example, as %22.
  const ids = id === undefined ? files.map(({ path }) => path) : [id];
  const fields: FormPart[] = [{ name: "source_doc_ids", content: JSON.stringify(ids) }];
  if (metadata !== undefined && metadata !== null)
    fields.push({ name: "metadata", content: JSON.stringify(metadata) });
  const parts = files.map(({ path, content }) => ({ name: "files", content, fileName: path }));
  return createMultipartForm([...fields, ...parts]);
}
