import type { Correction, CorrectionChange } from "../../domain/correction.ts";
import type { CorrectionEvidence, CorrectionWithConflicts } from "../../services/later-evidence.ts";
import { presentEnd, presentQuote } from "./graph.ts";

export function presentCorrection({ change, ...correction }: Correction) {
  return {
    correction_id: correction.correctionId,
    project_id: correction.projectId,
    ...presentChange(change),
    reason: correction.reason,
    account_id: correction.accountId,
    key_id: correction.keyId,
    created_at: new Date(correction.createdAt).toISOString(),
  };
}

function presentChange(change: CorrectionChange) {
  if (change.kind === "confirm") {
    const { sourceType = change.source.type, targetType = change.target.type, ...rest } = change;
    return { ...rest, source_type: sourceType, target_type: targetType };
  }
  if (change.kind !== "add_relationship") return change;
  const { validFrom = null, validTo = null, ...rest } = change;
  return { ...rest, valid_from: validFrom, valid_to: validTo };
}

export function presentListedCorrection({
  chunks,
  laterChunks,
  conflicts,
  ...correction
}: CorrectionWithConflicts) {
  return { ...presentCorrection(correction), chunks, later_chunks: laterChunks, conflicts };
}

export function presentCorrectionEvidence({ passages, conflicts }: CorrectionEvidence) {
  return {
    passages: passages.map(presentQuote),
    conflicts: conflicts.map(({ kind, at, target, quote, validFrom, validTo }) => ({
      kind,
      at,
      target: presentEnd(target),
      valid_from: validFrom,
      valid_to: validTo,
      evidence: presentQuote(quote),
    })),
  };
}
