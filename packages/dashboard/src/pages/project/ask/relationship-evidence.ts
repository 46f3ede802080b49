/** The sentences that state a relationship of an answer. */
import type { QueryChunk, QueryResult } from "@kcs/sdk";
import { queryOptions } from "@tanstack/react-query";
import { service } from "../../../api/service.ts";
import { sentencesOf } from "./citations.ts";

export type AnswerRelationship = QueryResult["results"]["relationships"][number];

export interface Evidence {
  readonly text: string;
  readonly document: string;
  readonly chunkId: string | null;
  /** In the document, in UTF-16 code units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** A sentence of the answer's passages that has both names; null when none has. */
export function evidenceIn(
  { source, target }: AnswerRelationship,
  chunks: readonly QueryChunk[],
): Evidence | null {
  for (const { text, source_doc_id: document, chunk_id: chunkId = null, start } of chunks) {
    if (document === undefined || start === undefined || !text.includes(source) || !text.includes(target))
      continue;
    const found = sentencesOf(text).find(
      ({ segment }) => segment.includes(source) && segment.includes(target),
    );
    if (found === undefined) continue;
    const sentence = found.segment.trim();
    const from = start + found.index + found.segment.indexOf(sentence);
    return { text: sentence, document, chunkId, start: from, end: from + sentence.length };
  }
  return null;
}

/** An answer names the ends of its relationships, so the entity is found by its name first. */
export function evidenceQuery(projectId: string, { source, type, target }: AnswerRelationship) {
  return queryOptions({
    queryKey: ["projects", projectId, "evidence", source, type, target],
    async queryFn({ signal }): Promise<readonly Evidence[]> {
      const { entities } = await service.graph.entities(projectId, { search: source, limit: 5 }, { signal });
      for (const { name, entity_id } of entities) {
        if (name !== source) continue;
        const { relationships } = await service.graph.relationships(
          projectId,
          { entity_id, type, limit: 500 },
          { signal },
        );
        const found = relationships.find((one) => one.target.name === target);
        if (found === undefined) continue;
        return found.evidence.map(({ text, source_doc_id: document, chunk_id: chunkId, start, end }) => ({
          ...{ text, document, start, end },
          chunkId,
        }));
      }
      return [];
    },
  });
}
