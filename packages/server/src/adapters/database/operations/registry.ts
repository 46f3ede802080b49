import type { Store } from "../../../ports/store.ts";
import { readSchema } from "../migrate.ts";
import * as accounts from "./accounts.ts";
import * as associations from "./browse-associations.ts";
import { walkEdges } from "./browse-edges.ts";
import * as browseEntities from "./browse-entities.ts";
import * as browseProposals from "./browse-proposals.ts";
import * as browseRelationships from "./browse-relationships.ts";
import { claimJobs } from "./claim.ts";
import { commitBatch, commitWithShortLock } from "./commit.ts";
import * as confirmedEnds from "./confirmed-ends.ts";
import * as conversions from "./conversions.ts";
import * as corrections from "./corrections.ts";
import * as deliveries from "./deliveries.ts";
import * as documentLists from "./document-lists.ts";
import * as documents from "./documents.ts";
import { failJobs } from "./fail-jobs.ts";
import * as feedback from "./feedback.ts";
import * as fileContents from "./file-contents.ts";
import * as entities from "./graph-entities.ts";
import * as levels from "./graph-levels.ts";
import * as lists from "./graph-lists.ts";
import * as passages from "./graph-passages.ts";
import * as relationships from "./graph-relationships.ts";
import * as report from "./graph-report.ts";
import * as types from "./graph-types.ts";
import * as ingestion from "./ingestion.ts";
import * as jobControl from "./job-control.ts";
import * as jobQueue from "./job-queue.ts";
import * as laterEvidence from "./later-evidence.ts";
import * as maintenance from "./maintenance.ts";
import * as matching from "./match-graph.ts";
import * as merge from "./merge.ts";
import * as models from "./models.ts";
import * as ontologies from "./ontologies.ts";
import * as ontologyVersions from "./ontology-versions.ts";
import type { Operation, OperationMode } from "./operation.ts";
import * as outdated from "./outdated-segments.ts";
import * as processes from "./processes.ts";
import { readProgress } from "./progress.ts";
import { readProjectNumbers } from "./project-numbers.ts";
import * as projects from "./projects.ts";
import * as queue from "./queue.ts";
import * as reembeddings from "./reembeddings.ts";
import * as repair from "./repair.ts";
import { findAnswer, performOnce } from "./request-keys.ts";
import { listUnfinishedJobs, rereadDocuments } from "./reread-documents.ts";
import * as rereads from "./rereads.ts";
import * as searchIndex from "./search-index.ts";
import * as segmentObjects from "./segment-objects.ts";
import * as stage from "./stage.ts";
import { readTimedStatements } from "./timed-statements.ts";
import * as usage from "./usage.ts";
import * as versionChanges from "./version-changes.ts";
import * as versionFiles from "./version-files.ts";
import * as webhooks from "./webhooks.ts";

export type OperationName = Exclude<keyof Store, "close" | "now">;
type Input<Name extends OperationName> = Parameters<Store[Name]>[0];
type Output<Name extends OperationName> = Awaited<ReturnType<Store[Name]>>;

/** The operation for each method of the store. The same operations run on both databases. */
type Operations = { readonly [Name in OperationName]: Operation<Input<Name>, Output<Name>> };

const registry: Operations = {
  createProject: { mode: "write", run: projects.createProject },
  findProject: { mode: "read", run: projects.findProject },
  listProjects: { mode: "read", run: projects.listProjects },
  renameProject: { mode: "write", run: projects.renameProject },
  deleteProject: { mode: "write", slow: true, run: projects.deleteProject },
  createOntology: { mode: "write", run: ontologies.createOntology },
  findOntology: { mode: "snapshot", run: ontologies.findOntology },
  listOntologies: { mode: "read", run: ontologies.listOntologies },
  addOntologyVersion: { mode: "write", run: ontologyVersions.addOntologyVersion },
  listOntologyVersions: { mode: "read", run: ontologyVersions.listOntologyVersions },
  deleteOntology: { mode: "write", run: ontologyVersions.deleteOntology },
  bindOntology: { mode: "write", run: ontologyVersions.bindOntology },
  acceptDocuments: { mode: "write", run: ingestion.acceptDocuments },
  checkRoom: { mode: "write", run: ingestion.checkRoom },
  appendFilePiece: { mode: "write", run: fileContents.appendFilePiece },
  discardContents: { mode: "write", run: fileContents.discardContents },
  acceptFiles: { mode: "write", run: ingestion.acceptFiles },
  claimConversion: { mode: "write", run: conversions.claimConversion },
  nextConversion: { mode: "read", run: conversions.nextConversion },
  renewConversion: { mode: "write", run: conversions.renewConversion },
  storePage: { mode: "write", run: conversions.storePage },
  storeConversion: { mode: "write", run: conversions.storeConversion },
  acceptMembers: { mode: "write", run: conversions.acceptMembers },
  failConversion: { mode: "write", run: conversions.failConversion },
  findFile: { mode: "read", run: versionFiles.findFile },
  readFilePiece: { mode: "read", run: fileContents.readFilePiece },
  listJobs: { mode: "read", run: ingestion.listJobs },
  findJob: { mode: "read", run: ingestion.findJob },
  readProgress: { mode: "snapshot", run: readProgress },
  cancelJob: { mode: "write", run: jobControl.cancelJob },
  retryJob: { mode: "write", run: jobControl.retryJob },
  readJobQueue: { mode: "snapshot", run: jobQueue.readJobQueue },
  listOpenFailures: { mode: "snapshot", run: jobQueue.listOpenFailures },
  cancelJobs: { mode: "write", run: jobControl.cancelJobs },
  countUnfinishedJobs: { mode: "read", run: jobQueue.countUnfinishedJobs },
  recordFeedback: { mode: "write", run: feedback.recordFeedback },
  listFeedback: { mode: "snapshot", run: feedback.listFeedback },
  readFeedback: { mode: "read", run: feedback.readFeedback },
  addCorrections: { mode: "write", run: corrections.addCorrections },
  undoCorrection: { mode: "write", run: corrections.undoCorrection },
  listChanges: { mode: "read", run: corrections.listChanges },
  listCorrections: { mode: "snapshot", run: corrections.listCorrections },
  readLaterEvidence: { mode: "snapshot", run: laterEvidence.readLaterEvidence },
  countConflicts: { mode: "snapshot", run: laterEvidence.countConflicts },
  findConfirmedEnds: { mode: "snapshot", run: confirmedEnds.findConfirmedEnds },
  readNamesOf: { mode: "snapshot", run: corrections.readNamesOf },
  createWebhook: { mode: "write", run: webhooks.createWebhook },
  listWebhooks: { mode: "read", run: webhooks.listWebhooks },
  findWebhook: { mode: "read", run: webhooks.findWebhook },
  changeWebhook: { mode: "write", run: webhooks.changeWebhook },
  deleteWebhook: { mode: "write", run: webhooks.deleteWebhook },
  listDeliveries: { mode: "snapshot", run: webhooks.listDeliveries },
  nextDelivery: { mode: "read", run: deliveries.nextDelivery },
  claimDeliveries: { mode: "write", run: deliveries.claimDeliveries },
  recordAttempt: { mode: "write", run: deliveries.recordAttempt },
  disableWebhook: { mode: "write", run: deliveries.disableWebhook },
  releaseWebhook: { mode: "write", run: deliveries.releaseWebhook },
  recordTest: { mode: "write", run: deliveries.recordTest },
  performOnce: { mode: "write", run: performOnce },
  findAnswer: { mode: "read", run: findAnswer },
  walkDocuments: { mode: "snapshot", run: documentLists.walkDocuments },
  readDocuments: { mode: "read", run: documentLists.readDocuments },
  readDocument: {
    mode: "snapshot",
    run: documents.readDocument,
    runOnServer: documents.readDocumentInTurns,
  },
  deleteDocument: { mode: "write", slow: true, run: documents.deleteDocument },
  applyVersionChanges: { mode: "write", run: versionChanges.applyVersionChanges },
  readChunkContext: { mode: "read", run: documents.readChunkContext },
  claimJobs: { mode: "write", run: claimJobs },
  commitBatch: { mode: "write", run: commitBatch, runOnServer: commitWithShortLock },
  failJobs: { mode: "write", run: failJobs },
  releaseJobs: { mode: "write", run: queue.releaseJobs },
  renewLease: { mode: "write", run: queue.renewLease },
  expireAllLeases: { mode: "write", run: queue.expireAllLeases },
  nextWork: { mode: "read", run: queue.nextWork },
  readIndexState: { mode: "read", run: searchIndex.readIndexState },
  readSegment: { mode: "read", run: searchIndex.readSegment, runOnServer: searchIndex.copySegment },
  reserveSegment: { mode: "write", run: segmentObjects.reserveSegment },
  findSegmentObject: { mode: "read", run: segmentObjects.findSegmentObject },
  hasSegmentObjects: { mode: "read", run: segmentObjects.hasSegmentObjects },
  nextObjects: { mode: "read", run: segmentObjects.nextObjects },
  claimObjects: { mode: "write", run: segmentObjects.claimObjects },
  forgetObjects: { mode: "write", run: segmentObjects.forgetObjects },
  readVectors: { mode: "read", run: searchIndex.readVectors },
  readChunks: { mode: "read", run: searchIndex.readChunks },
  readHeads: { mode: "read", run: searchIndex.readHeads },
  readPagesAt: { mode: "read", run: searchIndex.readPagesAt },
  findVectorsByHash: { mode: "read", run: searchIndex.findVectorsByHash },
  listMergeCandidates: { mode: "snapshot", run: merge.listMergeCandidates },
  markMergeChecked: { mode: "write", run: merge.markMergeChecked },
  replaceSegments: { mode: "write", run: merge.replaceSegments },
  reportDamagedSegment: { mode: "write", run: repair.reportDamagedSegment },
  listDamagedSegments: { mode: "read", run: repair.listDamagedSegments },
  listRepairs: { mode: "read", run: repair.listRepairs },
  readRepair: { mode: "snapshot", run: repair.readRepair },
  readIndexedChunks: { mode: "snapshot", run: repair.readIndexedChunks },
  postponeRepair: { mode: "write", run: repair.postponeRepair },
  listOutdatedSegments: { mode: "read", run: outdated.listOutdatedSegments },
  listRewrites: { mode: "read", run: outdated.listRewrites },
  postponeRewrite: { mode: "write", run: outdated.postponeRewrite },
  nextUpkeep: { mode: "read", run: merge.nextUpkeep },
  startReembedding: { mode: "write", run: reembeddings.startReembedding },
  findReembedding: { mode: "snapshot", run: reembeddings.findReembedding },
  cancelReembedding: { mode: "write", run: reembeddings.cancelReembedding },
  claimReembedding: { mode: "write", run: reembeddings.claimReembedding },
  nextReembedding: { mode: "read", run: reembeddings.nextReembedding },
  renewReembedding: { mode: "write", run: reembeddings.renewReembedding },
  releaseReembedding: { mode: "write", run: reembeddings.releaseReembedding },
  failReembedding: { mode: "write", run: reembeddings.failReembedding },
  listUnmovedChunks: { mode: "snapshot", run: stage.listUnmovedChunks },
  stageBatch: { mode: "write", run: stage.stageBatch },
  switchSpace: { mode: "write", run: stage.switchSpace },
  startReread: { mode: "write", run: rereads.startReread },
  rereadDocuments: { mode: "write", run: rereadDocuments },
  listUnfinishedJobs: { mode: "read", run: listUnfinishedJobs },
  findReread: { mode: "snapshot", run: rereads.findReread },
  cancelReread: { mode: "write", run: rereads.cancelReread },
  findAbout: { mode: "read", run: passages.findAbout },
  findByEnds: { mode: "read", run: passages.findByEnds },
  readPassages: { mode: "read", run: passages.readPassages },
  findEntitiesByKeys: { mode: "snapshot", run: entities.findEntitiesByKeys },
  findEntitiesIn: { mode: "snapshot", run: entities.findEntitiesIn },
  readEntities: { mode: "snapshot", run: entities.readEntities },
  listEntities: { mode: "snapshot", run: lists.listEntities },
  readMembers: { mode: "snapshot", run: lists.readMembers },
  findRelationships: { mode: "snapshot", run: relationships.findRelationships },
  readTimedStatements: { mode: "snapshot", run: readTimedStatements },
  listRelationships: { mode: "snapshot", run: levels.listRelationships },
  listChunksOf: { mode: "snapshot", run: levels.listChunksOf },
  readOntologyOf: { mode: "read", run: ontologies.readOntologyOf },
  readFitReport: { mode: "read", run: report.readFitReport },
  readGraphTypes: { mode: "snapshot", run: types.readGraphTypes },
  readTokenUse: { mode: "read", run: models.readTokenUse },
  findModelReply: { mode: "read", run: models.findModelReply },
  touchModelReply: { mode: "write", run: models.touchModelReply },
  recordModelUse: { mode: "write", run: models.recordModelUse },
  trimModelReplies: { mode: "write", run: models.trimModelReplies },
  listModelUse: { mode: "read", run: models.listModelUse },
  searchEntities: { mode: "snapshot", run: browseEntities.searchEntities },
  listEntitiesAfter: { mode: "read", run: browseEntities.listEntitiesAfter },
  readEntityEvidence: { mode: "snapshot", run: browseEntities.readEntityEvidence },
  walkEdges: { mode: "snapshot", run: walkEdges },
  findEntitiesOfNodes: { mode: "read", run: browseRelationships.findEntitiesOfNodes },
  rankRelationships: { mode: "snapshot", run: browseRelationships.rankRelationships },
  selectEntities: { mode: "read", run: matching.selectEntities },
  walkNeighbours: { mode: "snapshot", run: matching.walkNeighbours },
  walkBetween: { mode: "snapshot", run: matching.walkBetween },
  rankProposals: { mode: "snapshot", run: browseProposals.rankProposals },
  readProposalTypes: { mode: "read", run: browseProposals.readProposalTypes },
  listProposalSources: { mode: "read", run: browseProposals.listProposalSources },
  listProposalsFrom: { mode: "snapshot", run: browseProposals.listProposalsFrom },
  readMentionsAround: { mode: "snapshot", run: associations.readMentionsAround },
  readSupport: { mode: "snapshot", run: associations.readSupport },
  countChunks: { mode: "read", run: associations.countChunks },
  addQueries: { mode: "write", run: usage.addQueries },
  listUsage: { mode: "read", run: usage.listUsage },
  readAccountUse: { mode: "snapshot", run: usage.readAccountUse },
  readProjectNumbers: { mode: "read", run: readProjectNumbers },
  findApiKey: { mode: "read", run: accounts.findApiKey },
  touchApiKeys: { mode: "write", run: accounts.touchApiKeys },
  readSetting: { mode: "read", run: accounts.readSetting },
  writeSetting: { mode: "write", run: accounts.writeSetting },
  noteProcess: { mode: "write", run: processes.noteProcess },
  noteStopped: { mode: "write", run: processes.noteStopped },
  readSchema: { mode: "snapshot", run: readSchema },
  listProcesses: { mode: "read", run: processes.listProcesses },
  ping: { mode: "read", run: maintenance.ping },
  readCounts: { mode: "read", run: maintenance.readCounts, runOnServer: maintenance.readServerCounts },
  reclaim: { mode: "write", run: maintenance.reclaim },
};

/**
 * The operations by name, with untyped inputs. The type of `registry` has checked that each operation takes the input of the
 * store's method, which is what a client of the store sends.
 */
export const operations = registry as unknown as Readonly<Record<OperationName, Operation<unknown, unknown>>>;

/** Names of the operations whose mode is accepted. */
export function operationNames(accepts: (mode: OperationMode) => boolean): readonly OperationName[] {
  return (Object.keys(registry) as OperationName[]).filter((name) => accepts(registry[name].mode));
}
