/** Documents as resources: a paginated list over all projects of the caller, and reading in parts. */
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { ServiceError } from "../domain/errors.ts";
import type { DocumentService } from "../services/documents.ts";
import type { ProjectService } from "../services/projects.ts";
import { documentUri, parseDocumentUri, URI_TEMPLATES } from "./document-uri.ts";
import { failureText, runWithDeadline } from "./failures.ts";
import { inline } from "./text.ts";
import { readFor, type Session } from "./tool.ts";

const PAGE = 100;
/** Bounds the work for one page, since many projects may be empty. */
const PROJECTS_PER_PAGE = 20;
/** Length of one part of a document, in UTF-16 code units. */
const MAX_CHARACTERS = 100_000;
const MIME_TYPE = "text/plain";
const DEADLINE_MS = 30_000;
/** With schemas of its own, wrong parameters are the caller's fault; the library takes them for an internal error. */
const LIST_PARAMS = z.object({ cursor: z.string().optional() });
const READ_PARAMS = z.object({ uri: z.string() });

export interface ResourceDeps {
  readonly projects: ProjectService;
  readonly documents: DocumentService;
}

/** Registers own handlers, because the library's have no pagination and parse URIs with `URL`. */
export function addDocumentResources({ server }: McpServer, session: Session, deps: ResourceDeps): void {
  server.registerCapabilities({ resources: { listChanged: false, subscribe: false } });
  server.setRequestHandler("resources/list", { params: LIST_PARAMS }, ({ cursor }) =>
    withProtocolErrors(session, () => listDocuments(session, deps, cursor)),
  );
  server.setRequestHandler("resources/templates/list", { params: LIST_PARAMS }, () => ({
    resourceTemplates: URI_TEMPLATES.map((template) => ({ ...template, mimeType: MIME_TYPE })),
  }));
  server.setRequestHandler("resources/read", { params: READ_PARAMS }, ({ uri }) =>
    withProtocolErrors(session, () => readDocument(session, deps, uri)),
  );
}

/** Turns failures into protocol errors, with the same texts as for tools. */
async function withProtocolErrors<T>(session: Session, work: () => Promise<T>): Promise<T> {
  try {
    return await runWithDeadline(() => readFor(session, session.disconnected, work), DEADLINE_MS);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const { text, isServiceFault } = failureText(error, session.onFailure);
    const code = isServiceFault ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
    throw new ProtocolError(code, text);
  }
}

/** Start of a page: the index of a project in the list of projects, and of a document in that project. */
interface Cursor {
  readonly project: number;
  readonly document: number;
}

async function listDocuments({ caller }: Session, deps: ResourceDeps, cursor: string | undefined) {
  const start = parseCursor(cursor);
  const page = { limit: PROJECTS_PER_PAGE + 1, offset: start.project };
  const projects = (await Array.fromAsync(deps.projects.list(caller, page))).flat();
  const resources = [];
  let offset = start.document;
  for (const [index, { project }] of projects.slice(0, PROJECTS_PER_PAGE).entries()) {
    const limit = PAGE - resources.length;
    const { documents, total } = await deps.documents.list(caller, project.projectId, () => ({
      search: null,
      withMetadata: false,
      limit,
      offset,
    }));
    for (const { sourceDocId, seen, updatedAt } of documents) {
      resources.push({
        uri: documentUri({ projectId: project.projectId, sourceDocId }),
        name: sourceDocId,
        description: `A document of the project ${inline(project.name)}.`,
        mimeType: MIME_TYPE,
        annotations: { lastModified: new Date(updatedAt).toISOString() },
        ...(seen === null ? {} : { size: seen.byteLength }),
      });
    }
    const next = offset + documents.length;
    // Also where a document of the page was deleted while it was read, so that the page has room.
    if (next < total) {
      return { resources, nextCursor: formatCursor({ project: start.project + index, document: next }) };
    }
    offset = 0;
    const isLast = index + 1 === projects.length;
    if (!isLast && (resources.length >= PAGE || index + 1 === PROJECTS_PER_PAGE)) {
      return { resources, nextCursor: formatCursor({ project: start.project + index + 1, document: 0 }) };
    }
  }
  return { resources };
}

function formatCursor({ project, document }: Cursor): string {
  return `${project}.${document}`;
}

function parseCursor(cursor: string | undefined): Cursor {
  if (cursor === undefined) return { project: 0, document: 0 };
  const [, project, document] = /^(\d{1,9})\.(\d{1,9})$/.exec(cursor) ?? [];
  if (project === undefined || document === undefined) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "cursor: is not a cursor of this list. Leave it out to start at the beginning.",
    );
  }
  return { project: Number(project), document: Number(document) };
}

async function readDocument({ caller }: Session, deps: ResourceDeps, uri: string) {
  const address = parseDocumentUri(uri);
  if (address === null) throw notFound(uri);
  const content = await deps.documents.get(caller, address.projectId, address.sourceDocId).catch((error) => {
    throw error instanceof ServiceError && error.kind === "not_found" ? notFound(uri) : error;
  });
  const { text } = content;
  if (text === null)
    throw new ResourceNotFoundError(uri, "The text of this document is not stored. Ingest it again.");
  const { part, next } = partOf(text, address.start);
  const contents = [{ uri, mimeType: MIME_TYPE, text: part }];
  if (next === null) return { contents };
  const rest = documentUri({ ...address, start: next });
  const note = `The document continues. Read ${rest} for the next part (this one ends at character ${next} of ${text.length}).`;
  return { contents: [...contents, { uri: rest, mimeType: MIME_TYPE, text: note }] };
}

/**
 * At most `MAX_CHARACTERS` from `start`, without splitting a surrogate
 * pair. `next` is the offset of the rest.
 */
export function partOf(text: string, start: number): { readonly part: string; readonly next: number | null } {
  const from = splitsPair(text, start) ? start + 1 : start;
  const to = from + MAX_CHARACTERS;
  if (to >= text.length) return { part: text.slice(from), next: null };
  const end = splitsPair(text, to) ? to - 1 : to;
  return { part: text.slice(from, end), next: end };
}

function splitsPair(text: string, at: number): boolean {
  return /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1));
}

function notFound(uri: string): ResourceNotFoundError {
  const shortUri = uri.slice(0, 200);
  return new ResourceNotFoundError(
    shortUri,
    `There is no document at ${shortUri}. resources/list and the tool list_documents list the existing documents. Ids are percent-encoded.`,
  );
}
