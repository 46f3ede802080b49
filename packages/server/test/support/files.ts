/** Uploads as programs send them. */
import assert from "node:assert/strict";
import { type Client, endpointPath, type Reply, readSuccess } from "./http-client.ts";
import { type Job, waitForJob } from "./ingestion.ts";

export type FormPart =
  | { readonly path: string; readonly content: string | Uint8Array }
  | { readonly name: string; readonly value: string };

/** `multipart/form-data` as browsers write it. The boundary is a new one each time. */
export function formOf(parts: readonly FormPart[]): {
  readonly raw: Uint8Array;
  readonly contentType: string;
} {
  const boundary = `----kcs${Math.random().toString(36).slice(2)}`;
  const pieces: Uint8Array[] = [];
  const add = (piece: string | Uint8Array) => pieces.push(Buffer.from(piece));
  for (const part of parts) {
    add(`--${boundary}\r\nContent-Disposition: form-data; `);
    if ("path" in part) {
      add(`name="files"; filename="${part.path}"\r\nContent-Type: application/octet-stream\r\n\r\n`);
      add(part.content);
    } else add(`name="${part.name}"\r\n\r\n${part.value}`);
    add("\r\n");
  }
  add(`--${boundary}--\r\n`);
  return { raw: Buffer.concat(pieces), contentType: `multipart/form-data; boundary=${boundary}` };
}

export function upload(
  client: Client,
  projectId: string,
  parts: readonly FormPart[],
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<Reply> {
  const { raw, contentType } = formOf(parts);
  const path = endpointPath("uploadFiles", { params: { project_id: projectId } });
  return client.call("POST", path, { raw, headers: { "content-type": contentType, ...headers } });
}

/** Uploads and waits until every job has ended; in the order of the files. */
export async function ingestFiles(
  client: Client,
  projectId: string,
  parts: readonly FormPart[],
): Promise<readonly Job[]> {
  const { jobs } = readSuccess("uploadFiles", await upload(client, projectId, parts));
  const ended: Job[] = [];
  for (const { job_id } of jobs) ended.push(await waitForJob(client, projectId, job_id));
  return ended;
}

/** All jobs must have completed. */
export async function ingestedFiles(...args: Parameters<typeof ingestFiles>): Promise<readonly Job[]> {
  const jobs = await ingestFiles(...args);
  for (const job of jobs) assert.equal(job.status, "completed", job.error_message ?? "");
  return jobs;
}

export function downloadPath(projectId: string, sourceDocId: string): string {
  return endpointPath("getDocumentFile", { params: { project_id: projectId, source_doc_id: sourceDocId } });
}
