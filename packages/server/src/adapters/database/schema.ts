import type { Kysely } from "kysely";
import type { RequestKeyRow, WebhookDeliveryRow, WebhookRow } from "./event-schema.ts";
import type {
  ChunkFactsRow,
  EntityJoinRow,
  EntityPlaceRow,
  EntityPropertyRow,
  EntityRow,
  EntityTypeRow,
  PassageGraphRow,
  PassageSubjectRow,
  PropertyPlaceRow,
  RelationshipPlaceRow,
  RelationshipTypeRow,
  UnfitFactRow,
} from "./graph-schema.ts";
import type { ModelReplyRow, ModelUsageRow } from "./model-schema.ts";
import type { MovedVectorRow, ReembeddingRow } from "./reembed-schema.ts";

/**
 * The tables as both databases hold them: text, integers (times as epoch milliseconds), and bytes.
 * Every key of project data leads with `project_id`. No table has a foreign key to another: whoever writes
 * project data holds the lock of its project row, and `deleteProject` removes each table's rows by name.
 */
export interface Schema {
  readonly projects: ProjectRow;
  readonly ontologies: OntologyRow;
  readonly jobs: JobRow;
  readonly documents: DocumentRow;
  readonly document_versions: DocumentVersionRow;
  readonly version_texts: VersionTextRow;
  readonly chunks: ChunkRow;
  readonly segments: SegmentRow;
  readonly segment_blobs: SegmentBlobRow;
  readonly segment_documents: SegmentDocumentRow;
  readonly moved_vectors: MovedVectorRow;
  readonly reembeddings: ReembeddingRow;
  readonly passage_graphs: PassageGraphRow;
  readonly passage_subjects: PassageSubjectRow;
  readonly chunk_facts: ChunkFactsRow;
  readonly unfit_facts: UnfitFactRow;
  readonly entities: EntityRow;
  readonly entity_joins: EntityJoinRow;
  readonly entity_places: EntityPlaceRow;
  readonly entity_properties: EntityPropertyRow;
  readonly property_places: PropertyPlaceRow;
  readonly relationship_places: RelationshipPlaceRow;
  readonly entity_types: EntityTypeRow;
  readonly relationship_types: RelationshipTypeRow;
  readonly webhooks: WebhookRow;
  readonly webhook_deliveries: WebhookDeliveryRow;
  readonly request_keys: RequestKeyRow;
  readonly account_state: AccountStateRow;
  readonly rate_requests: RateRequestRow;
  readonly token_meters: TokenMeterRow;
  readonly model_replies: ModelReplyRow;
  readonly model_usage: ModelUsageRow;
  readonly usage_days: UsageDayRow;
  readonly settings: SettingRow;
  readonly apikey: ApiKeyRow;
}

export type Database = Kysely<Schema>;

export interface ProjectRow {
  readonly project_id: string;
  readonly account_id: string;
  /** Place among what its account ever made: the order of creation, whatever the clock says. */
  readonly account_seq: number;
  readonly name: string;
  readonly mode: string;
  readonly created_at: number;
  readonly ontology_id: string | null;
  /** A `ProjectConfig` as JSON. */
  readonly config: string;
  readonly next_version_id: number;
  readonly next_segment_id: number;
  readonly index_version: number;
  /** Of listed ones. */
  readonly segment_count: number;
  /** The number of its vectors: raised when it is moved to another space. Segments of other numbers are not listed. */
  readonly vector_set: number;
  /** The `index_version` at which the segments were last found to need no merge; -1 before that. */
  readonly merge_checked_version: number;
  /** Raised above all others when the project is merged or found to need no merge; the lowest is looked at first. */
  readonly merge_turn: number;
  /** How many jobs have ended, since they are counted. */
  readonly ended_jobs: number;
}

export interface OntologyRow {
  readonly account_id: string;
  readonly ontology_id: string;
  readonly account_seq: number;
  readonly name: string;
  readonly created_at: number;
  readonly schema_json: string;
}

/** ready: may be claimed. waiting: from `ready_at` on. running: until the lease ends at `ready_at`. blocked: behind an earlier job of its document. */
export type QueueState = "ready" | "waiting" | "running" | "blocked" | "done";

export interface JobRow {
  readonly project_id: string;
  /** From the account's counter, so it orders the jobs of an account and of each of its projects. */
  readonly seq: number;
  readonly job_id: string;
  readonly account_id: string;
  readonly source_doc_id: string;
  readonly version_id: number;
  readonly status: string;
  readonly queue_state: QueueState;
  /** When a waiting job, or a running one whose lease was not renewed, may be claimed; else null. */
  readonly ready_at: number | null;
  readonly lease_token: string | null;
  readonly attempts: number;
  readonly chunks_processed: number;
  /** As estimated, until the job is completed; null while it is pending. */
  readonly chunks_total: number | null;
  readonly nodes_created: number;
  readonly edges_created: number;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly completed_at: number | null;
  readonly error_message: string | null;
  /** Its place in the order in which the project's jobs ended; null before. */
  readonly ended_place: number | null;
}

/** A document from its first ingest until it is deleted, whatever its versions. */
export interface DocumentRow {
  readonly project_id: string;
  readonly source_doc_id: string;
  readonly created_at: number;
  /** When a version of it last came to be seen whole; before that, when one was last accepted. */
  readonly updated_at: number;
  /** Of its last job. */
  readonly job_seq: number;
}

/** new: no batch committed. staged: invisible until its last batch. live: the document that a query sees. */
export type VersionState = "new" | "staged" | "live";

export interface DocumentVersionRow {
  readonly project_id: string;
  readonly version_id: number;
  readonly source_doc_id: string;
  readonly state: VersionState;
  /** 1 when every chunk of the text is there. */
  readonly complete: number;
  readonly text_hash: string;
  /** Length of the text, before compression, and of the metadata, in UTF-8. */
  readonly byte_length: number;
  readonly chunk_count: number;
  /** As `encodeMetadata` writes it: equal metadata has equal text. null = none. */
  readonly metadata: string | null;
}

/** Apart from `document_versions`, whose counts change with every batch: SQLite rewrites a whole row. */
export interface VersionTextRow {
  readonly project_id: string;
  readonly version_id: number;
  readonly encoding: "utf8" | "zstd";
  readonly bytes: Uint8Array;
}

export interface ChunkRow {
  readonly project_id: string;
  readonly version_id: number;
  readonly position: number;
  readonly start_offset: number;
  readonly end_offset: number;
  readonly token_count: number;
  readonly content_hash: string;
  /** Little-endian f32; of the project's space unless `moved_vectors` has one for its text. */
  readonly vector: Uint8Array;
  /** UTF-8; bytes, because PostgreSQL's text cannot hold NUL. */
  readonly header: Uint8Array;
  readonly text: Uint8Array;
}

export interface SegmentRow {
  readonly project_id: string;
  readonly segment_id: number;
  readonly byte_length: number;
  readonly chunk_count: number;
  readonly dead_chunk_count: number;
  /** When a damaged segment may be built again; null when nothing is known to be wrong with it. */
  readonly repair_at: number | null;
  /** Tries to build it again that have failed. */
  readonly repair_failures: number;
  /** Of its vectors. */
  readonly vector_set: number;
}

export interface SegmentBlobRow {
  readonly project_id: string;
  readonly segment_id: number;
  readonly bytes: Uint8Array;
}

export type SegmentDocumentState = "live" | "staged" | "dead";

export interface SegmentDocumentRow {
  readonly project_id: string;
  readonly segment_id: number;
  readonly version_id: number;
  readonly chunk_count: number;
  readonly state: SegmentDocumentState;
}

export interface AccountStateRow {
  readonly account_id: string;
  readonly next_seq: number;
  readonly project_count: number;
  readonly ontology_count: number;
  /** Jobs that are neither completed nor failed. */
  readonly pending_jobs: number;
  readonly stored_bytes: number;
  /** When the queue last served this account; raised at each claim, so that ties cannot starve anyone. */
  readonly served_at: number;
}

export interface RateRequestRow {
  readonly account_id: string;
  readonly seq: number;
  readonly requested_at: number;
}

export interface TokenMeterRow {
  readonly account_id: string;
  readonly month: string;
  readonly tokens: number;
}

/** Counted by the statements that accept, commit and answer; outlives its project. */
export interface UsageDayRow {
  readonly account_id: string;
  readonly project_id: string;
  /** UTC: "2031-04-09". */
  readonly day: string;
  readonly tokens: number;
  readonly documents: number;
  readonly chunks: number;
  readonly queries: number;
}

export interface SettingRow {
  readonly name: string;
  readonly value: string;
}

/** The part of better-auth's own table that the service reads; better-auth creates it. */
export interface ApiKeyRow {
  readonly id: string;
  readonly key: string;
  readonly referenceId: string;
  readonly enabled: number | boolean | null;
  readonly expiresAt: string | number | Date | null;
  readonly lastRequest: string | number | Date | null;
}
