import type { ChunkGraph } from "../../ports/graph-store.ts";
import type { StageBatch } from "../../ports/reembed-store.ts";
import type { SegmentBytes } from "../../ports/segment-objects.ts";
import type { CommitBatch, Store } from "../../ports/store.ts";
import type { OperationMode } from "./operations/operation.ts";
import { type OperationName, operationNames, operations } from "./operations/registry.ts";

/** Runs one operation, in this thread or another. */
export type CallOperation = (name: OperationName, input: unknown, mode: OperationMode) => Promise<unknown>;

/** The methods that change nothing. */
export type ReadStore = Pick<Store, ReadOperationName | "close">;

type ReadOperationName =
  | "findProject"
  | "listProjects"
  | "findOntology"
  | "listOntologyVersions"
  | "listOntologies"
  | "listJobs"
  | "findJob"
  | "walkDocuments"
  | "readDocuments"
  | "readDocument"
  | "readChunkContext"
  | "findFile"
  | "readFilePiece"
  | "nextConversion"
  | "nextWork"
  | "readProgress"
  | "listWebhooks"
  | "findWebhook"
  | "listDeliveries"
  | "findAnswer"
  | "nextDelivery"
  | "readIndexState"
  | "readSegment"
  | "findSegmentObject"
  | "hasSegmentObjects"
  | "nextObjects"
  | "readVectors"
  | "readChunks"
  | "readHeads"
  | "readPagesAt"
  | "findVectorsByHash"
  | "listMergeCandidates"
  | "listDamagedSegments"
  | "listRepairs"
  | "listOutdatedSegments"
  | "listRewrites"
  | "readRepair"
  | "readIndexedChunks"
  | "nextUpkeep"
  | "findReembedding"
  | "nextReembedding"
  | "findReread"
  | "listUnmovedChunks"
  | "findAbout"
  | "findByEnds"
  | "readPassages"
  | "findEntitiesByKeys"
  | "findEntitiesIn"
  | "readEntities"
  | "listEntities"
  | "readMembers"
  | "findRelationships"
  | "readTimedStatements"
  | "listRelationships"
  | "listChunksOf"
  | "readOntologyOf"
  | "readFitReport"
  | "readGraphTypes"
  | "readTokenUse"
  | "findModelReply"
  | "listModelUse"
  | "searchEntities"
  | "listEntitiesAfter"
  | "readEntityEvidence"
  | "walkEdges"
  | "findEntitiesOfNodes"
  | "rankRelationships"
  | "selectEntities"
  | "walkNeighbours"
  | "walkBetween"
  | "rankProposals"
  | "readProposalTypes"
  | "listProposalSources"
  | "listProposalsFrom"
  | "readMentionsAround"
  | "readSupport"
  | "countChunks"
  | "listUsage"
  | "readAccountUse"
  | "readProjectNumbers"
  | "findApiKey"
  | "readSetting"
  | "listProcesses"
  | "ping"
  | "readCounts";

/** A store in which each method calls its operation. */
export function createStoreClient(
  call: CallOperation,
  { close, now }: { readonly close: () => Promise<void>; readonly now: () => number },
): Store {
  // The registry has an operation for each method.
  const methods = client(call, { close, names: operationNames(() => true) }) as Omit<Store, "now">;
  return { ...methods, now };
}

/** The methods of a store that read. */
export function createReadStoreClient(call: CallOperation, close: () => Promise<void>): ReadStore {
  return client(call, { close, names: operationNames((mode) => mode !== "write") }) as ReadStore; // Likewise.
}

function client(
  call: CallOperation,
  options: { close: () => Promise<void>; names: readonly OperationName[] },
) {
  const methods = options.names.map((name) => {
    const { mode } = operations[name];
    return [name, (input: unknown) => call(name, input, mode)];
  });
  return { ...Object.fromEntries(methods), close: options.close } as unknown;
}

/**
 * Copies the vectors of a batch into one buffer of their own: cloning a view clones its whole buffer (a WebAssembly
 * memory, a pool).
 */
export function packBatch(batch: CommitBatch): CommitBatch {
  const total = batch.parts.reduce(
    (sum, part) => sum + part.chunks.reduce((length, chunk) => length + chunk.vector.length, 0),
    0,
  );
  const packed = new Float32Array(total);
  let offset = 0;
  const place = (vector: Float32Array) => {
    const view = packed.subarray(offset, offset + vector.length);
    view.set(vector);
    offset += vector.length;
    return view;
  };
  return {
    ...batch,
    segment: batch.segment === null ? null : ownSegment(batch.segment),
    parts: batch.parts.map((part) => ({
      ...part,
      chunks: part.chunks.map((chunk) => ({ ...chunk, vector: place(chunk.vector) })),
      ...(part.graph === undefined ? {} : { graph: part.graph.map(packGraph) }),
    })),
  };
}

/** As `packBatch`, for the batches of a move to another embedding model. */
export function packStage(batch: StageBatch): StageBatch {
  const packed = new Float32Array(batch.vectors.reduce((sum, { vector }) => sum + vector.length, 0));
  let offset = 0;
  const vectors = batch.vectors.map(({ contentHash, vector }) => {
    const view = packed.subarray(offset, offset + vector.length);
    view.set(vector);
    offset += vector.length;
    return { contentHash, vector: view };
  });
  return { ...batch, vectors, segment: ownSegment(batch.segment) };
}

function packGraph(chunk: ChunkGraph): ChunkGraph {
  return chunk.passage === null ? chunk : { ...chunk, passage: ownBytes(chunk.passage) };
}

/** As `ownBytes`; an object outside of the database stays as it is. */
export function ownSegment(segment: SegmentBytes): SegmentBytes {
  return segment instanceof Uint8Array ? ownBytes(segment) : segment;
}

/** The bytes in a buffer that holds nothing else; copied if necessary. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}
