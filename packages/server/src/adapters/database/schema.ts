import type { Generated, Kysely } from "kysely";
import type {
  CorrectedChunkRow,
  CorrectionNameRow,
  CorrectionRow,
  JudgedFactRow,
  LessonRow,
  OutdatedFactsRow,
  TaughtChunkRow,
} from "./correction-schema.ts";
import type { RequestKeyRow, WebhookDeliveryRow, WebhookRow } from "./event-schema.ts";
import type { FeedbackRow } from "./feedback-schema.ts";
import type { FileContentRow, FilePieceRow, VersionFileRow } from "./file-schema.ts";
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
  ProposalPlaceRow,
  RelationshipPlaceRow,
  RelationshipTypeRow,
  UnfitFactRow,
} from "./graph-schema.ts";
import type { ModelReplyRow, ModelUsageRow } from "./model-schema.ts";
import type { OntologyRow, OntologyVersionRow } from "./ontology-schema.ts";
import type { ProcessRow } from "./process-schema.ts";
import type { MovedVectorRow, ReembeddingRow } from "./reembed-schema.ts";
import type { RereadRow } from "./reread-schema.ts";

/**
 * The tables, which are the same in both databases: text, integers (times are epoch milliseconds) and bytes.
 * Every key of project data has `project_id`. There are no foreign keys: operations that write
 * project data hold the lock of the project's row, and the rows of a deleted project are removed table by table
 * (`operations/deleted-projects.ts`).
 */
export interface Schema {
  readonly projects: ProjectRow;
  readonly deleted_projects: DeletedProjectRow;
  readonly removal_turns: RemovalTurnRow;
  readonly ontologies: OntologyRow;
  readonly ontology_versions: OntologyVersionRow;
  readonly jobs: JobRow;
  readonly documents: DocumentRow;
  readonly document_versions: DocumentVersionRow;
  readonly version_texts: VersionTextRow;
  readonly version_changes: VersionChangeRow;
  readonly file_contents: FileContentRow;
  readonly file_pieces: FilePieceRow;
  readonly version_files: VersionFileRow;
  readonly chunks: ChunkRow;
  readonly segments: SegmentRow;
  readonly segment_blobs: SegmentBlobRow;
  readonly segment_objects: SegmentObjectRow;
  readonly segment_documents: SegmentDocumentRow;
  readonly moved_vectors: MovedVectorRow;
  readonly reembeddings: ReembeddingRow;
  readonly rereads: RereadRow;
  readonly feedback: FeedbackRow;
  readonly corrections: CorrectionRow;
  readonly correction_names: CorrectionNameRow;
  readonly corrected_chunks: CorrectedChunkRow;
  readonly outdated_facts: OutdatedFactsRow;
  readonly judged_facts: JudgedFactRow;
  readonly lessons: LessonRow;
  readonly taught_chunks: TaughtChunkRow;
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
  readonly proposal_places: ProposalPlaceRow;
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
  readonly processes: ProcessRow;
  readonly apikey: ApiKeyRow;
}

export type Database = Kysely<Schema>;

export interface ProjectRow {
  readonly project_id: string;
  readonly account_id: string;
  /** From the account's counter: the order of creation, independent of the clock. */
  readonly account_seq: number;
  readonly name: string;
  readonly mode: string;
  readonly created_at: number;
  readonly ontology_id: string | null;
  /** Meaningless without an ontology. */
  readonly ontology_version: number;
  /** A `ProjectConfig` as JSON. */
  readonly config: string;
  readonly next_version_id: number;
  readonly next_segment_id: number;
  readonly next_node_id: number;
  readonly index_version: number;
  /** Number of listed segments. */
  readonly segment_count: number;
  /** The current vector set. Every move to another space raises it. Segments of other sets are not listed. */
  readonly vector_set: number;
  /** The `index_version` at which the last check found that no merge is needed; -1 before the first check. */
  readonly merge_checked_version: number;
  /**
   * Set above all other projects' values when the project is merged or needs no merge. The project with the
   * lowest value is checked first.
   */
  readonly merge_turn: number;
  /** Number of jobs that have ended since migration 5. */
  readonly ended_jobs: number;
  /** `seq` of the last job that was accepted while none was unfinished; 0: before migration 43. */
  readonly batch_seq: number;
  /** How often it was moved to an ontology that is not the same. */
  readonly moves: number;
}

/** A project that is gone, except for rows that upkeep still has to remove. */
export interface DeletedProjectRow {
  /** Also the id of a deleted ontology. */
  readonly project_id: string;
  readonly account_id: string;
}

/** An account with deleted projects or ontologies. The one with the lowest turn is next. */
export interface RemovalTurnRow {
  readonly account_id: string;
  readonly turn: number;
}

/**
 * ready: can be claimed. waiting: can be claimed from `ready_at` on. running: leased until `ready_at`.
 * blocked: waits for an earlier job of its document. unread: its file has first to be turned into text.
 */
export type QueueState = "ready" | "waiting" | "running" | "blocked" | "unread" | "done";

export interface JobRow {
  readonly project_id: string;
  /** From the account's counter: orders the jobs of an account, and so those of each of its projects. */
  readonly seq: number;
  readonly job_id: string;
  readonly account_id: string;
  readonly source_doc_id: string;
  readonly version_id: number;
  readonly status: string;
  readonly queue_state: QueueState;
  /** When a waiting job, or a running job whose lease is not renewed, can be claimed; else null. */
  readonly ready_at: number | null;
  readonly lease_token: string | null;
  readonly attempts: number;
  readonly chunks_processed: number;
  /** An estimate until the job is completed; null while it is pending. */
  readonly chunks_total: number | null;
  readonly nodes_created: number;
  readonly edges_created: number;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly completed_at: number | null;
  readonly error_message: string | null;
  /** Position in the order in which the project's jobs ended; null until it has ended. */
  readonly ended_place: number | null;
  /**
   * The live version whose stored text the job reads again; null for a job that was accepted with a text. Until its first
   * claim, such a job's `version_id` is only reserved: the version is created then.
   */
  readonly rereads_version: number | null;
  /** From when on its file can be turned into text; null for a job that has a text. While that is done, the end of the lease. */
  readonly convert_at: number | null;
  /** Of the worker that turns the file into text. */
  readonly convert_token: string | null;
  /** 1: its file is a page that is not fetched yet. */
  readonly is_page: number;
}

/** Exists from the first ingest of a document until its deletion, regardless of its versions. */
export interface DocumentRow {
  readonly project_id: string;
  readonly source_doc_id: string;
  readonly created_at: number;
  /** When a version was last completed and visible; before that, when the last version was accepted. */
  readonly updated_at: number;
  /** `seq` of the last job that was accepted with a text. */
  readonly job_seq: number;
  /** Where that is of a member of an archive: `seq` of the archive's job, which was accepted first. */
  readonly archive_seq: number | null;
  /** What it counts towards the storage of its account, beside texts and files. */
  readonly byte_length: number;
}

/** new: no batch committed. staged: not visible until its last batch. live: visible to queries. */
export type VersionState = "new" | "staged" | "live";

export interface DocumentVersionRow {
  readonly project_id: string;
  readonly version_id: number;
  readonly source_doc_id: string;
  readonly state: VersionState;
  /** 1 when every chunk of the text is stored. */
  readonly complete: number;
  readonly text_hash: string;
  /** UTF-8 bytes of the text, before compression, and of the metadata. */
  readonly byte_length: number;
  readonly chunk_count: number;
  /** The result of `encodeMetadata`: equal metadata gives equal text. null = none. */
  readonly metadata: string | null;
  /** Of a reread, or of a member of an archive: the version with which its text was accepted; null = this one. */
  readonly text_version: number | null;
  /** The project's `moves` when it was read; null: before these were counted. */
  readonly moves: number | null;
}

/**
 * Separate from `document_versions`, whose counts change with every batch: SQLite always rewrites whole rows.
 */
export interface VersionTextRow {
  readonly project_id: string;
  readonly version_id: number;
  readonly encoding: "utf8" | "zstd";
  readonly bytes: Uint8Array;
}

/** A version of which the graph and the stored rows have not yet followed a change. It has at most one. */
export interface VersionChangeRow {
  readonly project_id: string;
  readonly version_id: number;
  /** add: it is live, and its facts enter the graph. remove: its row is gone, and its facts and chunks go from the last on. */
  readonly kind: "add" | "remove";
  /** Chunks that it has, or of one to be removed, that are left. */
  readonly chunk_count: number;
  /** Of its first chunks, so many have their facts in the graph. */
  readonly in_graph: number;
}

export interface ChunkRow {
  readonly project_id: string;
  readonly version_id: number;
  readonly position: number;
  readonly start_offset: number;
  readonly end_offset: number;
  readonly token_count: number;
  readonly content_hash: string;
  /** Little-endian f32. In the project's space, unless `moved_vectors` has a vector for the chunk's text. */
  readonly vector: Uint8Array;
  /** UTF-8 as bytes, because PostgreSQL's text type cannot contain NUL. */
  readonly header: Uint8Array;
  readonly text: Uint8Array;
  /** Of its file, on which it begins; null where the file has no pages. */
  readonly page: number | null;
}

export interface SegmentRow {
  readonly project_id: string;
  readonly segment_id: number;
  readonly byte_length: number;
  readonly chunk_count: number;
  readonly dead_chunk_count: number;
  /** When a repair of a damaged segment is due; null when no damage is known. */
  readonly repair_at: number | null;
  /** Number of failed repairs or rewrites. */
  readonly repair_failures: number;
  /** The vector set that it belongs to. */
  readonly vector_set: number;
  /** The format version of its bytes. */
  readonly format_version: number;
  /** When a rewrite in the current format version is due; of no meaning in a segment that has it. */
  readonly rewrite_at: number;
  /** Of its bytes in the segment store; null where they are in `segment_blobs`. */
  readonly object_key: Generated<string | null>;
  /** SHA-256 of those bytes, in hexadecimal. */
  readonly object_hash: Generated<string | null>;
}

/** An object in the segment store that belongs to no segment: not yet, or no longer. */
export interface SegmentObjectRow {
  readonly project_id: string;
  readonly object_key: string;
  /** 0 = not chosen yet. */
  readonly remove_at: number;
  /** 1 = it is being removed, so no segment may take it any more. */
  readonly is_claimed: number;
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
  /**
   * When the queue last served this account. Strictly increased by each claim, so that ties cannot starve an
   * account.
   */
  readonly served_at: number;
  /** Of its projects, the one whose jobs were claimed last; empty before the first. */
  readonly served_project: string;
  /** The same for files that are turned into text. */
  readonly converted_at: number;
  /** Where the pass over its ended jobs has arrived, by `seq`; 0 between passes. */
  readonly jobs_checked: number;
  /** `next_seq` from which another pass is due. */
  readonly jobs_check_at: number;
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

/**
 * Counted by the statements that accept documents, commit batches and add query counts. Kept when its project
 * is deleted.
 */
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

/** The columns of better-auth's table that the service reads. better-auth creates the table. */
export interface ApiKeyRow {
  readonly id: string;
  readonly key: string;
  readonly referenceId: string;
  readonly enabled: number | boolean | null;
  readonly expiresAt: string | number | Date | null;
  readonly lastRequest: string | number | Date | null;
}
