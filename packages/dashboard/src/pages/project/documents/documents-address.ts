/** What of the documents is listed and how: it is in the address of the page, so that a list can be shared. */
import type { DocumentListing, DocumentState } from "../../../api/documents.ts";

export const documentStates = [
  "indexed",
  "replacing",
  "pending",
  "running",
  "failed",
] as const satisfies readonly DocumentState[];

/** A minus: descending. */
const sorts = ["-name", "updated", "-updated"] as const;
/** More would not fit on a screen. */
const maxColumns = 12;
const maxKeyLength = 200;

export interface DocumentsAddress {
  /** A part of the name. */
  readonly find?: string;
  readonly state?: DocumentState;
  /** Default: by name. */
  readonly sort?: (typeof sorts)[number];
  /** Keys of metadata that have a column. */
  readonly columns?: readonly string[];
  /** The place of the first one. */
  readonly from?: number;
}

/** Reads an address that anybody can have written. Defaults are left out. */
export function readDocumentsAddress(search: Record<string, unknown>): DocumentsAddress {
  const { find, columns } = search;
  const state = documentStates.find((each) => each === search["state"]);
  const sort = sorts.find((each) => each === search["sort"]);
  const from = Number(search["from"]);
  const isText = typeof find === "string" || typeof find === "number";
  const keys = Array.isArray(columns) ? columns.filter(isKey).slice(0, maxColumns) : [];
  return {
    ...(isText && find !== "" ? { find: String(find) } : {}),
    ...(state === undefined ? {} : { state }),
    ...(sort === undefined ? {} : { sort }),
    ...(keys.length === 0 ? {} : { columns: [...new Set(keys)] }),
    ...(Number.isSafeInteger(from) && from > 0 ? { from } : {}),
  };
}

function isKey(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= maxKeyLength;
}

/** The part of the address that the list is asked for with. */
export function listingOf({ find = "", from = 0, state, sort }: DocumentsAddress): DocumentListing {
  return {
    ...{ find, from },
    ...(state === undefined ? {} : { state }),
    ...(sort === undefined
      ? {}
      : {
          sort: sort.endsWith("updated") ? "updated_at" : "source_doc_id",
          order: sort.startsWith("-") ? "desc" : "asc",
        }),
  };
}
