/** Documents as resources: a paginated list over all projects of the caller, and reading in parts. */
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Caller } from "../domain/account.ts";
import { ServiceError } from "../domain/errors.ts";
import type { Project } from "../domain/project.ts";
import type { DocumentPage, DocumentSearch } from "../services/document-list.ts";
import type { DocumentService } from "../services/documents.ts";
import type { ProjectService } from "../services/projects.ts";
import { decode, documentUri, parseDocumentUri, URI_TEMPLATES } from "./document-uri.ts";
import { failureText, runWithDeadline } from "./failures.ts";
import { inline } from "./text.ts";
import { readFor, type Session } from "./tool.ts";

const PAGE = 100;
/** Bounds the work for one page, since many projects may be empty. */
const PROJECTS_PER_PAGE = 20;
/** Length of one part of a document, in UTF-16 code units. */
const MAX_CHARACTERS = 100_000;
/** Of an id with 512 characters, and a place. */
const MAX_CURSOR_CHARACTERS = 8_192;
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

/**
 * Start of a page: the place of a project, and the id of the document of it after which the page begins, null for its first. If the
 * project was deleted since, the page begins with the next one.
 */
interface Cursor {
  readonly place: number;
  readonly after: string | null;
}

async function listDocuments({ caller }: Session, deps: ResourceDeps, cursor: string | undefined) {
  const start = cursor === undefined ? null : parseCursor(cursor);
  const page = { limit: PROJECTS_PER_PAGE + 1, offset: 0, before: start === null ? null : start.place + 1 };
  const projects = (await Array.fromAsync(deps.projects.list(caller, page))).flat();
  const resources = [];
  for (const [index, { project, place }] of projects.slice(0, PROJECTS_PER_PAGE).entries()) {
    const after = place === start?.place ? start.after : null;
    const search = { search: null, withMetadata: false, limit: PAGE - resources.length, offset: 0, after };
    const { documents, total } = await listUnlessDeleted(deps.documents, caller, project, search);
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
    // Also where a document of the page was deleted while it was read, so that the page has room.
    if (documents.length < total) {
      const last = documents.at(-1)?.sourceDocId ?? after;
      return { resources, nextCursor: formatCursor({ place, after: last }) };
    }
    const next = projects[index + 1];
    if (next !== undefined && (resources.length >= PAGE || index + 1 === PROJECTS_PER_PAGE)) {
      return { resources, nextCursor: formatCursor({ place: next.place, after: null }) };
    }
  }
  return { resources };
}

/** No documents of a project that was deleted since it was listed. */
async function listUnlessDeleted(
  documents: DocumentService,
  caller: Caller,
  { projectId }: Project,
  search: DocumentSearch,
): Promise<DocumentPage> {
  try {
    return await documents.list(caller, projectId, () => search);
  } catch (error) {
    if (error instanceof ServiceError && error.kind === "not_found") return { documents: [], total: 0 };
    throw error;
  }
}

function formatCursor({ place, after }: Cursor): string {
  return `${place}:${after === null ? "" : encodeURIComponent(after)}`;
}

function parseCursor(cursor: string): Cursor {
  const isShort = cursor.length <= MAX_CURSOR_CHARACTERS;
  const [, place, encoded] = /^(\d{1,15}):([^:]*)$/.exec(cursor) ?? [];
  const after = encoded === undefined ? null : decode(encoded);
  if (!isShort || place === undefined || after === null || after.includes("\0")) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "cursor: is not a cursor of this list. Leave it out to start at the beginning.",
    );
  }
  return { place: Number(place), after: after === "" ? null : after };
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
