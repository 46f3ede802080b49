import type { CreateCorrections, ListedCorrection } from "@kcs/sdk";
import { keepPreviousData, type QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query";
import { toasts } from "../app/toasts/toast-store.ts";
import { undoMs } from "./deletions.ts";
import { messageOf } from "./fault.ts";
import { projectQuery } from "./projects.ts";
import { service } from "./service.ts";

export const correctionsPage = 50;

export type NewCorrection = CreateCorrections["corrections"][number];

/** Those that change nothing at present, or all. */
export type CorrectionState = "without_evidence";

export function correctionsQuery(
  projectId: string,
  { from: offset, state }: { readonly from: number; readonly state: CorrectionState | null },
) {
  return queryOptions({
    queryKey: ["projects", projectId, "corrections", { offset, state }],
    queryFn: ({ signal }) =>
      service.corrections.list(
        projectId,
        { limit: correctionsPage, offset, ...(state !== null && { state }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
}

/** How many there are, and how many of them change nothing at present. */
export function correctionCountsQuery(projectId: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "corrections", "counts"],
    async queryFn({ signal }) {
      const [all, without] = await Promise.all([
        service.corrections.list(projectId, { limit: 1 }, { signal }),
        service.corrections.list(projectId, { limit: 1, state: "without_evidence" }, { signal }),
      ]);
      return { all: all.total, without: without.total };
    },
  });
}

/** What texts that were ingested later say of it. */
export function correctionEvidenceQuery(projectId: string, correctionId: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "corrections", "evidence", correctionId],
    queryFn: ({ signal }) => service.corrections.evidence(projectId, correctionId, { signal }),
  });
}

/** What people have confirmed and rejected, as an ontology has examples. */
export function correctionExamplesQuery(projectId: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "corrections", "examples"],
    queryFn: ({ signal }) => service.corrections.examples(projectId, { signal }),
  });
}

/** All of a project, the newest first. The service allows 1,000; most projects have few. */
export function allCorrectionsQuery(projectId: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "corrections", "all"],
    queryFn: async ({ signal }): Promise<readonly ListedCorrection[]> => {
      const all: ListedCorrection[] = [];
      for await (const each of service.corrections.each(projectId, { signal })) all.push(each);
      return all.reverse();
    },
    staleTime: 30_000,
  });
}

/** The member of a correction, if one was written. */
export function reasonOf(written: string): { readonly reason?: string } {
  const reason = written.trim();
  return reason === "" ? {} : { reason };
}

/** Makes a correction and offers its undo, after which `onUndone` is called. */
export function useCorrect(projectId: string) {
  const correctAll = useCorrectAll(projectId);
  return (correction: NewCorrection, correcting: Correcting): Promise<void> =>
    correctAll([correction], correcting);
}

/** Makes corrections in one request, all or none, and offers one undo. */
export function useCorrectAll(projectId: string) {
  const client = useQueryClient();
  return async (
    made: readonly NewCorrection[],
    { text, list = [], undone, onUndone, readEffect }: Correcting,
  ): Promise<void> => {
    const { corrections } = await service.corrections.create(projectId, [...made]);
    const ids = corrections.map(({ correction_id: id }) => id);
    const undo = async () => {
      try {
        for (const id of ids.toReversed()) await undoCorrection(projectId, id);
        await onUndone?.();
        await refreshProject(client, projectId);
        toasts.show({ text: undone });
      } catch (error) {
        toasts.show({ kind: "bad", text: messageOf(error) });
      }
    };
    // It is made, whether the rest can be read or not.
    const effect = (await readEffect?.().catch(() => null)) ?? { also: "", list: [] };
    toasts.show({
      ...{ text: `${text}${effect.also}`, list: [...list, ...effect.list], forMs: undoMs },
      ...{ about: ids.join(" "), projectId },
      action: { label: "Undo", onPress: () => void undo() },
    });
  };
}

/** The notice that offers the same goes. */
export async function undoCorrection(projectId: string, correctionId: string): Promise<void> {
  await service.corrections.delete(projectId, correctionId);
  toasts.closeAbout(correctionId);
}

interface Correcting {
  /** What was done, as a sentence. */
  readonly text: string;
  /** Each of it, where it is several. */
  readonly list?: readonly string[];
  /** How it is once that is undone. */
  readonly undone: string;
  readonly onUndone?: () => Promise<unknown>;
  /** What else it has changed, read once it is made: as the end of the text, and each of it. */
  readonly readEffect?: () => Promise<{ readonly also: string; readonly list: readonly string[] }>;
}

/** All that is shown of a project may have changed. */
export function refreshProject(client: QueryClient, projectId: string): Promise<void> {
  return client.invalidateQueries({ queryKey: projectQuery(projectId).queryKey });
}
