/** What of the last upload to a project was not sent, kept in this tab until it is dismissed, the next upload begins or somebody signs out. */
import { type QueryClient, queryOptions, skipToken } from "@tanstack/react-query";

const prefix = "kcs-not-sent-";

export interface UploadNote {
  /** Number of files. */
  readonly count: number;
  readonly text: string;
  /** Whether the same files can be sent again. */
  readonly canBeSent: boolean;
}

export function uploadNotesQuery(projectId: string) {
  return queryOptions<readonly UploadNote[]>({
    queryKey: ["upload-notes", projectId],
    queryFn: skipToken,
    initialData: () => parse(withStorage((storage) => storage.getItem(prefix + projectId)) ?? null),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

export function keepUploadNotes(client: QueryClient, projectId: string, notes: readonly UploadNote[]): void {
  client.setQueryData(uploadNotesQuery(projectId).queryKey, notes);
  withStorage((storage) => storage.setItem(prefix + projectId, JSON.stringify(notes)));
}

/** Of all projects. */
export function forgetUploadNotes(): void {
  withStorage((storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(prefix)) storage.removeItem(key);
  });
}

/** A browser may refuse to keep anything; then they go with the page. */
function withStorage<Value>(use: (storage: Storage) => Value): Value | undefined {
  try {
    return use(window.sessionStorage);
  } catch {
    return undefined;
  }
}

function parse(text: string | null): readonly UploadNote[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? value.filter(isNote) : [];
  } catch {
    return [];
  }
}

function isNote(value: unknown): value is UploadNote {
  return (
    typeof value === "object" &&
    value !== null &&
    "count" in value &&
    typeof value.count === "number" &&
    "text" in value &&
    typeof value.text === "string" &&
    "canBeSent" in value &&
    typeof value.canBeSent === "boolean"
  );
}
