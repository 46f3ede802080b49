import type { Correction, ListedCorrection } from "../../domain/correction.ts";

export function presentCorrection({ change, ...correction }: Correction) {
  return {
    correction_id: correction.correctionId,
    project_id: correction.projectId,
    ...change,
    reason: correction.reason,
    account_id: correction.accountId,
    key_id: correction.keyId,
    created_at: new Date(correction.createdAt).toISOString(),
  };
}

export function presentListedCorrection({ chunks, laterChunks, ...correction }: ListedCorrection) {
  return { ...presentCorrection(correction), chunks, later_chunks: laterChunks };
}
