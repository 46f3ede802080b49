import { initial } from "./001-initial.ts";
import { documentMetadata } from "./002-document-metadata.ts";
import { damagedSegments } from "./003-damaged-segments.ts";
import { graph } from "./004-graph.ts";
import { events } from "./005-events.ts";
import { languageModels } from "./006-language-models.ts";
import { documents } from "./007-documents.ts";
import { usage } from "./008-usage.ts";
import { usageAge } from "./009-usage-age.ts";
import { vectorSets } from "./010-vector-sets.ts";
import { segmentVersions } from "./011-segment-versions.ts";
import { rereads } from "./012-rereads.ts";
import { ontologyBytes } from "./013-ontology-bytes.ts";
import { versionChanges } from "./014-version-changes.ts";
import { proposals } from "./015-proposals.ts";
import { projectNumbers } from "./016-project-numbers.ts";
import { versionsOfJobs } from "./017-versions-of-jobs.ts";
import { upkeep } from "./018-upkeep.ts";
import { relationshipConfidence } from "./019-relationship-confidence.ts";
import { surestPlaces } from "./020-surest-places.ts";
import { files } from "./021-files.ts";
import { feedback } from "./022-feedback.ts";
import { processes } from "./023-processes.ts";
import { relationshipTimes } from "./024-relationship-times.ts";
import { oldestSchema } from "./025-oldest-schema.ts";
import { ontologyVersions } from "./026-ontology-versions.ts";
import { processLimits } from "./027-process-limits.ts";
import { corrections } from "./028-corrections.ts";
import { edgeTimes } from "./029-edge-times.ts";
import { lessons } from "./030-lessons.ts";
import { allowedFacts } from "./031-allowed-facts.ts";
import { projectTurns } from "./032-project-turns.ts";
import { acceptedOrder } from "./033-accepted-order.ts";
import { correctionNames } from "./034-correction-names.ts";
import { bytesOfRows } from "./035-bytes-of-rows.ts";
import { renamedTypes } from "./036-renamed-types.ts";
import { segmentObjects } from "./037-segment-objects.ts";
import { allowedProperties } from "./038-allowed-properties.ts";
import { versionMoves } from "./039-version-moves.ts";
import { graphKeys } from "./040-graph-keys.ts";
import { pageJobs } from "./041-page-jobs.ts";
import { jobsByPage } from "./042-jobs-by-page.ts";
import { batchesOfJobs } from "./043-batches-of-jobs.ts";
import type { Migration } from "./migration.ts";

/** In the order of their numbers, which have no gaps. */
export const migrations: readonly Migration[] = [
  initial,
  documentMetadata,
  damagedSegments,
  graph,
  events,
  languageModels,
  documents,
  usage,
  usageAge,
  vectorSets,
  segmentVersions,
  rereads,
  ontologyBytes,
  versionChanges,
  proposals,
  projectNumbers,
  versionsOfJobs,
  upkeep,
  relationshipConfidence,
  surestPlaces,
  files,
  feedback,
  processes,
  relationshipTimes,
  oldestSchema,
  ontologyVersions,
  processLimits,
  corrections,
  edgeTimes,
  lessons,
  allowedFacts,
  projectTurns,
  acceptedOrder,
  correctionNames,
  bytesOfRows,
  renamedTypes,
  segmentObjects,
  allowedProperties,
  versionMoves,
  graphKeys,
  pageJobs,
  jobsByPage,
  batchesOfJobs,
];
