/** Documents as resources: listed page by page over all projects of the caller, and read piece by piece. */
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import { ServiceError } from "../domain/errors.ts";
import type { DocumentService } from "../services/documents.ts";
import type { ProjectService } from "../services/projects.ts";
import { documentUri, parseDocumentUri, URI_TEMPLATES } from "./document-uri.ts";
import { failureText, runWithDeadline } from "./failures.ts";
import type { Session } from "./tool.ts";

const PAGE = 100;
/** Projects that one page looks into: many may be empty. */
const PROJECTS_A_PAGE = 20;
/** Of one reading, in UTF-16 code units. */
const MAX_CHARACTERS = 100_000;
const MIME_TYPE = "text/plain";
const DEADLINE_MS = 30_000;

export interface ResourceDeps {
  readonly projects: ProjectService;
  readonly documents: DocumentService;
}

/** Handlers of our own: the library's know no pages, and take addresses apart as those of the web. */
export function addDocumentResources({ server }: McpServer, session: Session, deps: ResourceDeps): void {
  server.registerCapabilities({ resources: { listChanged: false, subscribe: false } });
  server.setRequestHandler("resources/list", ({ params }) =>
    answered(session, () => listDocuments(session, deps, params?.cursor)),
  );
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: URI_TEMPLATES.map((template) => ({ ...template, mimeType: MIME_TYPE })),
  }));
  server.setRequestHandler("resources/read", ({ params }) =>
    answered(session, () => readDocument(session, deps, params.uri)),
  );
}

/** Failures of resources are errors of the protocol; what is said is the same as of tools. */
async function answered<T>(session: Session, work: () => Promise<T>): Promise<T> {
  try {
    return await runWithDeadline(work, DEADLINE_MS);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const { text, isOurs } = failureText(error, session.onFailure);
    throw new ProtocolError(isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams, text);
  }
}

/** Where a page begins: so many projects are passed over, and so many documents of the next one. */
interface Place {
  readonly project: number;
  readonly document: number;
}

async function listDocuments({ caller }: Session, deps: ResourceDeps, cursor: string | undefined) {
  const start = parseCursor(cursor);
  const page = { limit: PROJECTS_A_PAGE + 1, offset: start.project };
  const projects = await deps.projects.list(caller, page);
  const resources = [];
  let offset = start.document;
  for (const [at, { project }] of projects.slice(0, PROJECTS_A_PAGE).entries()) {
    const limit = PAGE - resources.length;
    const found = await deps.documents.list(caller, project.projectId, () => ({
      search: null,
      limit,
      offset,
    }));
    for (const { sourceDocId, seen, updatedAt } of found.documents) {
      resources.push({
        uri: documentUri({ projectId: project.projectId, sourceDocId }),
        name: sourceDocId,
        description: `A document of the project ${JSON.stringify(project.name)}.`,
        mimeType: MIME_TYPE,
        annotations: { lastModified: new Date(updatedAt).toISOString() },
        ...(seen === null ? {} : { size: seen.byteLength }),
      });
    }
    const next = offset + found.documents.length;
    if (next < found.total && resources.length >= PAGE) {
      return { resources, nextCursor: formatCursor({ project: start.project + at, document: next }) };
    }
    offset = 0;
    const isLast = at + 1 === projects.length;
    if (!isLast && (resources.length >= PAGE || at + 1 === PROJECTS_A_PAGE)) {
      return { resources, nextCursor: formatCursor({ project: start.project + at + 1, document: 0 }) };
    }
  }
  return { resources };
}

function formatCursor({ project, document }: Place): string {
  return `${project}.${document}`;
}

function parseCursor(cursor: string | undefined): Place {
  if (cursor === undefined) return { project: 0, document: 0 };
  const [, project, document] = /^(\d{1,9})\.(\d{1,9})$/.exec(cursor) ?? [];
  if (project === undefined || document === undefined) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "cursor: is none of this list; leave it out to begin at the start",
    );
  }
  return { project: Number(project), document: Number(document) };
}

async function readDocument({ caller }: Session, deps: ResourceDeps, uri: string) {
  const place = parseDocumentUri(uri);
  if (place === null) throw notFound(uri);
  const { text } = await deps.documents.get(caller, place.projectId, place.sourceDocId).catch((error) => {
    throw error instanceof ServiceError && error.kind === "not_found" ? notFound(uri) : error;
  });
  if (text === null)
    throw new ResourceNotFoundError(uri, "Nothing is kept of this document. Ingest it again.");
  const { piece, next } = pieceOf(text, place.start);
  const contents = [{ uri, mimeType: MIME_TYPE, text: piece }];
  if (next === null) return { contents };
  const rest = documentUri({ ...place, start: next });
  const note = `The document goes on: read ${rest} for what follows (${next} of ${text.length} characters are behind you).`;
  return { contents: [...contents, { uri: rest, mimeType: MIME_TYPE, text: note }] };
}

/** From `start` on, as much as one reading may have; `next` is where the rest begins. No surrogate pair is cut. */
export function pieceOf(
  text: string,
  start: number,
): { readonly piece: string; readonly next: number | null } {
  const from = splitsPair(text, start) ? start + 1 : start;
  const to = from + MAX_CHARACTERS;
  if (to >= text.length) return { piece: text.slice(from), next: null };
  const end = splitsPair(text, to) ? to - 1 : to;
  return { piece: text.slice(from, end), next: end };
}

function splitsPair(text: string, at: number): boolean {
  return /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1));
}

function notFound(uri: string): ResourceNotFoundError {
  const shown = uri.slice(0, 200);
  return new ResourceNotFoundError(
    shown,
    `There is no document at ${shown}. resources/list and the tool list_documents show which there are; ids are percent-encoded.`,
  );
}
