/** Made by `npm run api` from the contract: do not edit. */

export interface AcceptedBatch {
  readonly jobs: readonly {
    readonly job_id: string;
    readonly status: "pending" | "running" | "completed" | "failed";
    readonly created_at: string;
    readonly source_doc_id: string;
  }[];
}

export interface AcceptedJob {
  readonly job_id: string;
  readonly status: "pending" | "running" | "completed" | "failed";
  readonly created_at: string;
}

export interface AddExamplesToOntology {
  readonly bind?: boolean | null | undefined;
}

export interface Association {
  readonly entity: RelationshipEnd;
  readonly strength: number;
  readonly chunks: number;
  readonly evidence: readonly Evidence[];
}

export interface AssociationList {
  readonly associations: readonly Association[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

export interface CancelledJobs {
  readonly cancelled: number;
  readonly left: number;
}

export interface ChangeProject {
  readonly name?: string | null | undefined;
  readonly ontology_id?: string | null | undefined;
  readonly ontology_version?: number | null | undefined;
}

export interface ChangeWebhook {
  readonly url?: string | null | undefined;
  readonly events?: readonly ("job.completed" | "job.failed" | "project.deleted")[] | null | undefined;
  readonly description?: string | null | undefined;
  readonly status?: "enabled" | "disabled" | null | undefined;
}

export interface ChangedProject {
  readonly project: Project;
  readonly ontology_changes: OntologyChanges | null;
  readonly reread: Reread | null;
}

export interface Chunk {
  readonly chunk_id: string;
  readonly source_doc_id: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly page?: number;
  readonly section?: string;
}

export interface CorrectedEntity {
  readonly type: string;
  readonly name: string;
  readonly also: readonly EntityName[];
}

export type Correction = {
  readonly correction_id: string;
  readonly project_id: string;
  readonly reason: string | null;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly created_at: string;
  readonly kind: "rename";
  readonly entity: CorrectedEntity;
  readonly name: string;
} | {
  readonly correction_id: string;
  readonly project_id: string;
  readonly reason: string | null;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly created_at: string;
  readonly kind: "retype";
  readonly entity: CorrectedEntity;
  readonly type: string;
} | {
  readonly correction_id: string;
  readonly project_id: string;
  readonly reason: string | null;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly created_at: string;
  readonly kind: "merge";
  readonly entity: CorrectedEntity;
  readonly into: EntityName;
} | {
  readonly correction_id: string;
  readonly project_id: string;
  readonly reason: string | null;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly created_at: string;
  readonly kind: "split";
  readonly entity: CorrectedEntity;
  readonly documents: readonly string[];
  readonly into: EntityName;
} | {
  readonly correction_id: string;
  readonly project_id: string;
  readonly reason: string | null;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly created_at: string;
  readonly kind: "add_property";
  readonly entity: CorrectedEntity;
  readonly property: string;
  readonly value: string;
} | {
  readonly correction_id: string;
  readonly project_id: string;
  readonly reason: string | null;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly created_at: string;
  readonly kind: "remove_property";
  readonly entity: CorrectedEntity;
  readonly property: string;
  readonly value: string | null;
} | {
  readonly correction_id: string;
  readonly project_id: string;
  readonly reason: string | null;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly created_at: string;
  readonly kind: "add_relationship";
  readonly source: CorrectedEntity;
  readonly type: string;
  readonly target: CorrectedEntity;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
} | {
  readonly correction_id: string;
  readonly project_id: string;
  readonly reason: string | null;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly created_at: string;
  readonly kind: "reject";
  readonly source: CorrectedEntity;
  readonly type: string;
  readonly target: CorrectedEntity;
  readonly document: string | null;
  readonly sentence: string | null;
} | {
  readonly correction_id: string;
  readonly project_id: string;
  readonly reason: string | null;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly created_at: string;
  readonly kind: "confirm";
  readonly source: CorrectedEntity;
  readonly type: string;
  readonly target: CorrectedEntity;
  readonly document: string | null;
  readonly sentence: string | null;
  readonly source_type: string;
  readonly target_type: string;
};

export interface CorrectionEvidence {
  readonly passages: readonly Evidence[];
  readonly conflicts: readonly {
    readonly kind: "ended" | "other_target";
    readonly at: string;
    readonly target: RelationshipEnd;
    readonly valid_from: string | null;
    readonly valid_to: string | null;
    readonly evidence: Evidence;
  }[];
}

export interface CorrectionExamples {
  readonly node_types: readonly {
    readonly name: string;
    readonly examples: readonly string[];
  }[];
  readonly edge_types: readonly {
    readonly name: string;
    readonly examples: readonly {
      readonly source: string;
      readonly target: string;
      readonly text?: string;
    }[];
    readonly rejected: readonly {
      readonly source: string;
      readonly target: string;
      readonly text?: string;
    }[];
  }[];
}

export interface CorrectionList {
  readonly corrections: readonly ListedCorrection[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly taught: readonly {
    readonly type: string;
    readonly confirmed: number;
    readonly rejected: number;
    readonly asserted: number;
    readonly proposed: number;
  }[];
}

export interface CreateCorrections {
  readonly corrections: readonly ({
    readonly kind: "rename";
    readonly entity: GivenEntity;
    readonly name: string;
    readonly reason?: string | null | undefined;
  } | {
    readonly kind: "retype";
    readonly entity: GivenEntity;
    readonly type: string;
    readonly reason?: string | null | undefined;
  } | {
    readonly kind: "merge";
    readonly entity: GivenEntity;
    readonly into: GivenEntityName;
    readonly reason?: string | null | undefined;
  } | {
    readonly kind: "split";
    readonly entity: GivenEntity;
    readonly documents: readonly string[];
    readonly into: GivenEntityName;
    readonly reason?: string | null | undefined;
  } | {
    readonly kind: "add_property";
    readonly entity: GivenEntity;
    readonly property: string;
    readonly value: string;
    readonly reason?: string | null | undefined;
  } | {
    readonly kind: "remove_property";
    readonly entity: GivenEntity;
    readonly property: string;
    readonly value?: string | null | undefined;
    readonly reason?: string | null | undefined;
  } | {
    readonly kind: "add_relationship";
    readonly source: GivenEntity;
    readonly type: string;
    readonly target: GivenEntity;
    readonly valid_from?: string | null | undefined;
    readonly valid_to?: string | null | undefined;
    readonly reason?: string | null | undefined;
  } | {
    readonly kind: "reject";
    readonly source: GivenEntity;
    readonly type: string;
    readonly target: GivenEntity;
    readonly document?: string | null | undefined;
    readonly sentence?: string | null | undefined;
    readonly reason?: string | null | undefined;
  } | {
    readonly kind: "confirm";
    readonly source: GivenEntity;
    readonly type: string;
    readonly target: GivenEntity;
    readonly document?: string | null | undefined;
    readonly sentence?: string | null | undefined;
    readonly reason?: string | null | undefined;
    readonly source_type?: string | null | undefined;
    readonly target_type?: string | null | undefined;
  })[];
}

export interface CreateOntology {
  readonly name: string;
  readonly schema: OntologySchema;
}

export interface CreateProject {
  readonly name: string;
  readonly vector_only?: boolean | null | undefined;
  readonly ontology_id?: string | null | undefined;
}

export interface CreateWebhook {
  readonly url: string;
  readonly events?: readonly ("job.completed" | "job.failed" | "project.deleted")[] | null | undefined;
  readonly description?: string | null | undefined;
}

export interface CreatedProject {
  readonly project_id: string;
  readonly name: string;
  readonly mode: "vector_only" | "kg_vector";
  readonly created_at: string;
  readonly ontology: ProjectOntology | null;
  readonly config: ProjectConfig;
}

export interface CreatedWebhook {
  readonly webhook_id: string;
  readonly url: string;
  readonly events: readonly ("job.completed" | "job.failed" | "project.deleted")[];
  readonly description: string | null;
  readonly status: "enabled" | "disabled";
  readonly disabled_reason: string | null;
  readonly disabled_at: string | null;
  readonly created_at: string;
  readonly secret: string;
}

export interface DeletedProject {
  readonly project_id: string;
  readonly name: string;
}

export interface Document {
  readonly source_doc_id: string;
  readonly status: DocumentStatus;
  readonly chunks: readonly {
    readonly chunk_id: string;
    readonly start: number;
    readonly end: number;
    readonly page?: number;
  }[];
  readonly bytes: number;
  readonly metadata: Readonly<Record<string, string | number>>;
  readonly created_at: string;
  readonly updated_at: string;
  readonly job_id: string | null;
  readonly error_message: string | null;
  readonly file?: {
    readonly name: string;
    readonly media_type: string | null;
    readonly bytes: number;
  };
  readonly text: string | null;
}

export interface DocumentList {
  readonly documents: readonly ListedDocument[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

export type DocumentStatus = "indexed" | "replacing" | "pending" | "running" | "failed";

export interface EdgeType {
  readonly name: string;
  readonly source_types: readonly string[];
  readonly target_types: readonly string[];
  readonly temporal?: boolean | null;
  readonly functional?: boolean | null;
  readonly properties?: readonly string[] | null;
  readonly description?: string | null;
  readonly aliases?: readonly string[] | null;
  readonly read_as?: string | null;
  readonly examples?: readonly (string | {
    readonly source: string;
    readonly target: string;
    readonly text?: string | null;
  } | {
    readonly subject: string;
    readonly object: string;
    readonly text?: string | null;
  } | readonly string[])[] | null;
}

export interface Entity {
  readonly entity_id: string;
  readonly type: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly properties: Readonly<Record<string, readonly string[]>>;
  readonly chunks: number;
}

export interface EntityDetail {
  readonly entity_id: string;
  readonly type: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly properties: Readonly<Record<string, readonly string[]>>;
  readonly chunks: number;
  readonly evidence: readonly Evidence[];
  readonly relationships: readonly Relationship[];
  readonly history: readonly {
    readonly relationship_id: string;
    readonly type: string;
    readonly source: RelationshipEnd;
    readonly target: RelationshipEnd;
    readonly chunks: number;
    readonly confidence: number | null;
    readonly valid_from: string | null;
    readonly valid_to: string | null;
    readonly confirmed?: true;
    readonly evidence: readonly Evidence[];
  }[];
  readonly associations?: readonly Association[];
}

export interface EntityList {
  readonly entities: readonly Entity[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

export interface EntityName {
  readonly type: string;
  readonly name: string;
}

export interface Evidence {
  readonly chunk_id: string;
  readonly source_doc_id: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Explanation {
  readonly plan: {
    readonly strategy: string;
    readonly terms: readonly string[];
    readonly entities: readonly {
      readonly name: string;
      readonly start: number;
      readonly end: number;
      readonly documents: number;
    }[];
    readonly as_of: {
      readonly date: string;
      readonly until?: string;
      readonly by: "request" | "question" | "today";
    } | null;
    readonly event?: {
      readonly text: string;
      readonly relation: "before" | "after" | "during";
      readonly searched: string;
      readonly from: string | null;
      readonly to: string | null;
      readonly evidence: {
        readonly chunk_id: string;
        readonly source_doc_id: string;
        readonly start: number;
        readonly end: number;
        readonly text: string;
      } | null;
    };
    readonly graph: "none" | "bound" | "grown";
    readonly index_version: number;
    readonly segments: number;
    readonly looks: number;
  };
  readonly candidates: {
    readonly lexical: readonly {
      readonly chunk_id: string;
      readonly source_doc_id: string;
      readonly score: number;
    }[];
    readonly dense: readonly {
      readonly chunk_id: string;
      readonly source_doc_id: string;
      readonly score: number;
    }[];
  };
  readonly fused: readonly {
    readonly chunk_id: string;
    readonly source_doc_id: string;
    readonly score: number;
    readonly lexical: number;
    readonly dense: number;
  }[];
  readonly graph: {
    readonly names: readonly string[];
    readonly paths: readonly {
      readonly from_chunk_id: string;
      readonly name: string;
      readonly to_chunk_id: string;
      readonly score: number;
    }[];
  } | null;
  readonly rerank?: {
    readonly model: string;
    readonly limit_ms: number;
    readonly took_ms: number;
    readonly scores: readonly {
      readonly chunk_id: string;
      readonly source_doc_id: string;
      readonly score: number;
    }[];
    readonly error?: string;
  };
  readonly dated?: readonly {
    readonly chunk_id: string;
    readonly source_doc_id: string;
    readonly date: string | null;
    readonly share: number;
  }[];
  readonly answer?: {
    readonly model: string;
    readonly limit_ms: number;
    readonly took_ms: number;
    readonly passages: readonly {
      readonly chunk_id: string;
      readonly source_doc_id: string;
      readonly span: {
        readonly text: string;
        readonly start: number;
        readonly end: number;
        readonly score: number;
      } | null;
      readonly no_answer_score: number;
      readonly chosen: boolean;
    }[];
  };
  readonly check?: {
    readonly sentences: number;
    readonly unsupported: number;
    readonly left_out: readonly {
      readonly text: string;
      readonly missing: "figure" | "name" | "words";
    }[];
  };
  readonly ranked: readonly {
    readonly chunk_id: string;
    readonly source_doc_id: string;
    readonly similarity: number;
    readonly returned: boolean;
    readonly summarized: boolean;
  }[];
  readonly dropped: readonly {
    readonly chunk_id: string;
    readonly source_doc_id: string;
    readonly score: number;
    readonly reason: "top_k" | "max_per_document" | "gone";
  }[];
  readonly timings_ms: {
    readonly embed: number;
    readonly index: number;
    readonly search: number;
    readonly graph: number;
    readonly chunks: number;
    readonly reading: number;
    readonly answer_graph: number;
    readonly summary: number;
    readonly total: number;
  };
}

export interface Fault {
  readonly detail: string;
}

export interface Feedback {
  readonly feedback_id: string;
  readonly project_id: string;
  readonly rating: "up" | "down";
  readonly query: string;
  readonly mode: "static" | "dynamic";
  readonly answer: string;
  readonly strategy_used: string;
  readonly source_doc_ids: readonly string[];
  readonly comment: string | null;
  readonly index_version: number;
  readonly service_version: string;
  readonly created_at: string;
}

export interface FeedbackList {
  readonly feedback: readonly Feedback[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

export interface GivenEntity {
  readonly type: string;
  readonly name: string;
  readonly also?: readonly GivenEntityName[] | null;
}

export interface GivenEntityName {
  readonly type: string;
  readonly name: string;
}

export interface GraphFit {
  readonly entities: readonly {
    readonly type: string;
    readonly count: number;
    readonly example: string;
  }[];
  readonly relationships: readonly {
    readonly type: string;
    readonly source_type: string;
    readonly target_type: string;
    readonly count: number;
    readonly example: string;
  }[];
  readonly dropped: readonly {
    readonly reason: string;
    readonly count: number;
    readonly example: string;
  }[];
}

export interface GraphMatch {
  readonly rows: readonly {
    readonly nodes: readonly RelationshipEnd[];
    readonly relationships: readonly string[];
  }[];
  readonly relationships: readonly {
    readonly relationship_id: string;
    readonly type: string;
    readonly source: RelationshipEnd;
    readonly target: RelationshipEnd;
    readonly chunks: number;
    readonly confidence: number | null;
    readonly valid_from: string | null;
    readonly valid_to: string | null;
    readonly confirmed?: true;
    readonly evidence: readonly Evidence[];
  }[];
  readonly is_complete: boolean;
  readonly bounds_met: readonly ("rows" | "nodes" | "time")[];
  readonly explain?: {
    readonly steps: readonly {
      readonly step: string;
      readonly nodes_read: number;
      readonly rows: number;
    }[];
    readonly took_ms: number;
  };
}

export interface GraphOverview {
  readonly entities: readonly {
    readonly entity_id: string;
    readonly name: string;
    readonly type: string;
    readonly degree: number;
  }[];
  readonly relationships: readonly {
    readonly relationship_id: string;
    readonly type: string;
    readonly source: string;
    readonly target: string;
    readonly chunks: number;
  }[];
  readonly connected_entities: number;
  readonly total_relationships: number;
  readonly is_complete: boolean;
}

export interface GraphPath {
  readonly relationships: readonly {
    readonly relationship_id: string;
    readonly type: string;
    readonly source: RelationshipEnd;
    readonly target: RelationshipEnd;
    readonly chunks: number;
    readonly confidence: number | null;
    readonly valid_from: string | null;
    readonly valid_to: string | null;
    readonly confirmed?: true;
    readonly evidence: readonly Evidence[];
  }[];
  readonly is_complete: boolean;
}

export interface GraphPattern {
  readonly nodes: readonly {
    readonly entity_id?: string | null | undefined;
    readonly type?: string | readonly string[] | null | undefined;
    readonly name?: string | {
      readonly contains: string;
    } | null | undefined;
    readonly properties?: Readonly<Record<string, true | string | readonly string[]>> | null | undefined;
  }[];
  readonly edges?: readonly {
    readonly type?: string | readonly string[] | null | undefined;
    readonly direction?: "out" | "in" | "any" | null | undefined;
    readonly min_confidence?: number | null | undefined;
  }[] | null | undefined;
  readonly as_of?: string | null | undefined;
  readonly limit?: number | null | undefined;
  readonly explain?: boolean | null | undefined;
}

export interface HierarchyLevel {
  readonly level: number;
  readonly node_types: Readonly<Record<string, NodeType>>;
}

export interface ImportOntology {
  readonly content: string;
  readonly name?: string | null | undefined;
}

export interface ImportedOntology {
  readonly ontology: {
    readonly id: string;
    readonly name: string;
    readonly created_at: string;
    readonly schema: OntologySchema;
  };
  readonly left_out: readonly {
    readonly item: string;
    readonly reason: string;
  }[];
}

export interface IngestBatch {
  readonly documents: readonly {
    readonly text: string;
    readonly source_doc_id: string;
    readonly metadata?: Readonly<Record<string, string | number>> | null | undefined;
  }[];
}

export interface IngestDocument {
  readonly text: string;
  readonly source_doc_id: string;
  readonly metadata?: Readonly<Record<string, string | number>> | null | undefined;
}

export interface IngestUrl {
  readonly url: string;
  readonly source_doc_id?: string | null | undefined;
  readonly metadata?: Readonly<Record<string, string | number>> | null | undefined;
}

export interface Job {
  readonly job_id: string;
  readonly project_id: string;
  readonly source_doc_id: string;
  readonly status: "pending" | "running" | "completed" | "failed";
  readonly chunks_processed: number;
  readonly nodes_created: number;
  readonly edges_created: number;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly error_message: string | null;
}

export interface JobList {
  readonly jobs: readonly Job[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

export interface JobProgress {
  readonly job_id: string;
  readonly project_id: string;
  readonly source_doc_id: string;
  readonly status: "pending" | "running" | "completed" | "failed";
  readonly chunks_processed: number;
  readonly nodes_created: number;
  readonly edges_created: number;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly error_message: string | null;
  readonly chunks_total: number | null;
  readonly chunks_per_second: number | null;
  readonly seconds_left: number | null;
}

export interface JobQueue {
  readonly pending: number;
  readonly running: number;
  readonly completed: number;
  readonly failed: number;
  readonly batch: {
    readonly completed: number;
    readonly failed: number;
  };
  readonly others_unfinished: number;
  readonly jobs_per_minute: number | null;
  readonly reread: {
    readonly documents_processed: number;
    readonly documents_failed: number;
    readonly documents_total: number;
    readonly documents_queued: number;
  } | null;
  readonly seconds_left: number | null;
  readonly failures: readonly {
    readonly error_message: string;
    readonly jobs: number;
    readonly can_retry: boolean;
  }[];
}

export interface LintOntology {
  readonly schema: Readonly<Record<string, unknown>>;
}

export type ListedCorrection = {
  readonly correction_id: string;
  readonly project_id: string;
  readonly reason: string | null;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly created_at: string;
  readonly chunks: number;
  readonly later_chunks: number;
  readonly conflicts: number;
  readonly kind: "rename";
  readonly entity: CorrectedEntity;
  readonly name: string;
} | {
  readonly correction_id: string;
  readonly project_id: string;
  readonly reason: string | null;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly created_at: string;
  readonly chunks: number;
  readonly later_chunks: number;
  readonly conflicts: number;
  readonly kind: "retype";
  readonly entity: CorrectedEntity;
  readonly type: string;
} | {
  readonly correction_id: string;
  readonly project_id: string;
  readonly reason: string | null;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly created_at: string;
  readonly chunks: number;
  readonly later_chunks: number;
  readonly conflicts: number;
  readonly kind: "merge";
  readonly entity: CorrectedEntity;
  readonly into: EntityName;
} | {
  readonly correction_id: string;
  readonly project_id: string;
  readonly reason: string | null;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly created_at: string;
  readonly chunks: number;
  readonly later_chunks: number;
  readonly conflicts: number;
  readonly kind: "split";
  readonly entity: CorrectedEntity;
  readonly documents: readonly string[];
  readonly into: EntityName;
} | {
  readonly correction_id: string;
  readonly project_id: string;
  readonly reason: string | null;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly created_at: string;
  readonly chunks: number;
  readonly later_chunks: number;
  readonly conflicts: number;
  readonly kind: "add_property";
  readonly entity: CorrectedEntity;
  readonly property: string;
  readonly value: string;
} | {
  readonly correction_id: string;
  readonly project_id: string;
  readonly reason: string | null;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly created_at: string;
  readonly chunks: number;
  readonly later_chunks: number;
  readonly conflicts: number;
  readonly kind: "remove_property";
  readonly entity: CorrectedEntity;
  readonly property: string;
  readonly value: string | null;
} | {
  readonly correction_id: string;
  readonly project_id: string;
  readonly reason: string | null;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly created_at: string;
  readonly chunks: number;
  readonly later_chunks: number;
  readonly conflicts: number;
  readonly kind: "add_relationship";
  readonly source: CorrectedEntity;
  readonly type: string;
  readonly target: CorrectedEntity;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
} | {
  readonly correction_id: string;
  readonly project_id: string;
  readonly reason: string | null;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly created_at: string;
  readonly chunks: number;
  readonly later_chunks: number;
  readonly conflicts: number;
  readonly kind: "reject";
  readonly source: CorrectedEntity;
  readonly type: string;
  readonly target: CorrectedEntity;
  readonly document: string | null;
  readonly sentence: string | null;
} | {
  readonly correction_id: string;
  readonly project_id: string;
  readonly reason: string | null;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly created_at: string;
  readonly chunks: number;
  readonly later_chunks: number;
  readonly conflicts: number;
  readonly kind: "confirm";
  readonly source: CorrectedEntity;
  readonly type: string;
  readonly target: CorrectedEntity;
  readonly document: string | null;
  readonly sentence: string | null;
  readonly source_type: string;
  readonly target_type: string;
};

export interface ListedDocument {
  readonly source_doc_id: string;
  readonly status: DocumentStatus;
  readonly chunks: number;
  readonly bytes: number;
  readonly metadata: Readonly<Record<string, string | number>>;
  readonly created_at: string;
  readonly updated_at: string;
  readonly job_id: string | null;
  readonly error_message: string | null;
  readonly file?: {
    readonly name: string;
    readonly media_type: string | null;
    readonly bytes: number;
  };
}

export interface MadeCorrections {
  readonly corrections: readonly Correction[];
}

export interface NodeType {
  readonly properties?: readonly string[] | null;
  readonly description?: string | null;
  readonly aliases?: readonly string[] | null;
  readonly read_as?: string | null;
  readonly aggregates?: readonly string[] | null;
  readonly examples?: readonly string[] | null;
}

export interface Ontology {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly schema: OntologySchema;
}

export interface OntologyChanges {
  readonly node_types: readonly {
    readonly change: "kept" | "changed" | "renamed" | "dropped" | "added";
    readonly name: string | null;
    readonly to: string | null;
    readonly members: readonly string[];
    readonly entities: number;
  }[];
  readonly edge_types: readonly {
    readonly change: "kept" | "changed" | "renamed" | "dropped" | "added";
    readonly name: string | null;
    readonly to: string | null;
    readonly members: readonly string[];
    readonly relationships: number;
    readonly fitting: number;
    readonly proposals: number;
    readonly fitting_proposals: number;
  }[];
  readonly corrections: readonly {
    readonly kind: "rename" | "retype" | "merge" | "split" | "add_property" | "remove_property" | "add_relationship" | "reject" | "confirm";
    readonly corrections: number;
    readonly without_effect: number;
  }[];
}

export interface OntologyCheck {
  readonly valid: boolean;
  readonly faults: readonly string[];
  readonly fault_count: number;
}

export interface OntologyDiff {
  readonly before: number;
  readonly after: number;
  readonly node_types: readonly {
    readonly change: "kept" | "changed" | "renamed" | "dropped" | "added";
    readonly name: string | null;
    readonly to: string | null;
    readonly members: readonly string[];
  }[];
  readonly edge_types: readonly {
    readonly change: "kept" | "changed" | "renamed" | "dropped" | "added";
    readonly name: string | null;
    readonly to: string | null;
    readonly members: readonly string[];
  }[];
}

export interface OntologyList {
  readonly ontologies: readonly {
    readonly id: string;
    readonly name: string;
    readonly created_at: string;
  }[];
}

export interface OntologySchema {
  readonly ontology: {
    readonly hierarchy: readonly HierarchyLevel[];
    readonly edge_types?: readonly EdgeType[] | null;
  };
}

export interface OntologyVersion {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly schema: OntologySchema;
  readonly version: number;
}

export interface OntologyVersionList {
  readonly versions: readonly {
    readonly version: number;
    readonly name: string;
    readonly created_at: string;
    readonly projects: number;
  }[];
}

export interface OntologyWithExamples {
  readonly ontology: OntologyVersion;
  readonly node_types: readonly {
    readonly name: string;
    readonly added: number;
    readonly left_out: number;
  }[];
  readonly edge_types: readonly {
    readonly name: string;
    readonly added: number;
    readonly left_out: number;
  }[];
  readonly moved: ChangedProject | null;
}

export interface Project {
  readonly project_id: string;
  readonly name: string;
  readonly mode: "vector_only" | "kg_vector";
  readonly created_at: string;
  readonly ontology: ProjectOntology | null;
}

export interface ProjectConfig {
  readonly embedding_model: string;
  readonly embedding_dimensions: number;
  readonly chunk_tokens: number;
  readonly chunk_overlap_tokens: number;
  readonly extraction: "none" | "built_in" | "model";
}

export interface ProjectConfiguration {
  readonly ontology: {
    readonly id: string;
    readonly version: number;
  } | null;
  readonly config: ProjectConfig;
  readonly in_use: {
    readonly embedding_model: string;
    readonly embedding_dimensions: number;
    readonly embedding_models: readonly string[];
    readonly max_text_bytes: number;
    readonly language_model: string | null;
  };
}

export type ProjectEvent = JobProgress | Readonly<Record<string, unknown>>;

export interface ProjectList {
  readonly projects: readonly {
    readonly project_id: string;
    readonly name: string;
    readonly mode: "vector_only" | "kg_vector";
    readonly created_at: string;
    readonly ontology: {
      readonly name: string;
    } | null;
  }[];
}

export interface ProjectOntology {
  readonly name: string;
  readonly hierarchy: readonly HierarchyLevel[];
  readonly edge_types: readonly EdgeType[];
}

export interface ProjectStats {
  readonly documents: number;
  readonly chunks: number;
  readonly bytes: number;
  readonly entities_by_type: readonly {
    readonly type: string;
    readonly count: number;
  }[];
  readonly relationships_by_type: readonly {
    readonly type: string;
    readonly count: number;
  }[];
  readonly segments: number;
  readonly index_version: number;
  readonly jobs: {
    readonly pending: number;
    readonly running: number;
    readonly completed: number;
    readonly failed: number;
  };
  readonly tokens: number;
  readonly last_ingested_at: string | null;
}

export interface Proposal {
  readonly type: string;
  readonly source: {
    readonly entity_id: string | null;
    readonly name: string;
    readonly type: string;
    readonly confirmed_type: string;
    readonly same_name: readonly RelationshipEnd[];
  };
  readonly target: {
    readonly entity_id: string | null;
    readonly name: string;
    readonly type: string;
    readonly confirmed_type: string;
    readonly same_name: readonly RelationshipEnd[];
  };
  readonly chunks: number;
  readonly confidence: number;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  readonly evidence: readonly Evidence[];
}

export interface ProposalList {
  readonly proposals: readonly Proposal[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

export interface Query {
  readonly query: string;
  readonly mode?: "static" | "dynamic" | null | undefined;
  readonly top_k?: number | null | undefined;
  readonly max_per_document?: number | null | undefined;
  readonly include?: readonly ("provenance" | "explain" | "steps")[] | null | undefined;
  readonly filter?: {
    readonly source_doc_id?: string | readonly string[] | null | undefined;
    readonly metadata?: Readonly<Record<string, string | number | readonly (string | number)[] | {
      readonly gt?: number | undefined;
      readonly gte?: number | undefined;
      readonly lt?: number | undefined;
      readonly lte?: number | undefined;
    }>> | null | undefined;
  } | null | undefined;
  readonly as_of?: string | null | undefined;
}

export interface QueryChunk {
  readonly text: string;
  readonly similarity: number;
  readonly chunk_id?: string;
  readonly source_doc_id?: string;
  readonly start?: number;
  readonly end?: number;
  readonly page?: number;
  readonly section?: string;
}

export interface QueryEntity {
  readonly type: string;
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
}

export type QueryEvent = {
  readonly chunks: readonly QueryChunk[];
} | {
  readonly text: string;
} | {
  readonly entities: readonly QueryEntity[];
} | {
  readonly relationships: readonly QueryRelationship[];
} | {
  readonly stated: readonly StatedRelationship[];
} | {
  readonly explain: Explanation;
} | {
  readonly steps: readonly QueryStep[];
} | {
  readonly id: string;
  readonly query: string;
  readonly strategy_used: string;
} | {
  readonly status: number;
  readonly detail: string;
};

export interface QueryRelationship {
  readonly source: string;
  readonly target: string;
  readonly type: string;
}

export interface QueryResult {
  readonly query: string;
  readonly strategy_used: string;
  readonly results: {
    readonly summary: string;
    readonly entities: readonly QueryEntity[];
    readonly relationships: readonly QueryRelationship[];
    readonly chunks: readonly QueryChunk[];
  };
  readonly stated?: readonly StatedRelationship[];
  readonly explain?: Explanation;
  readonly steps?: readonly QueryStep[];
}

export interface QueryStep {
  readonly query: string;
  readonly name: string | null;
  readonly from: {
    readonly chunk_id: string;
    readonly source_doc_id: string;
    readonly sentence: string;
    readonly start: number;
    readonly end: number;
  } | null;
  readonly chunk_ids: readonly string[];
}

export interface RecordFeedback {
  readonly rating: "up" | "down";
  readonly query: string;
  readonly mode?: "static" | "dynamic" | null | undefined;
  readonly answer: string;
  readonly strategy_used?: string | null | undefined;
  readonly source_doc_ids?: readonly string[] | null | undefined;
  readonly comment?: string | null | undefined;
}

export interface ReembedProject {
  readonly embedding?: string | null | undefined;
}

export interface Reembedding {
  readonly project_id: string;
  readonly status: "pending" | "running" | "completed" | "failed" | "cancelled";
  readonly from: {
    readonly embedding_model: string;
    readonly embedding_dimensions: number;
  };
  readonly to: {
    readonly embedding_model: string;
    readonly embedding_dimensions: number;
  };
  readonly chunks_processed: number;
  readonly chunks_total: number;
  readonly created_at: string | null;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly error_message: string | null;
}

export interface Relationship {
  readonly relationship_id: string;
  readonly type: string;
  readonly source: RelationshipEnd;
  readonly target: RelationshipEnd;
  readonly chunks: number;
  readonly confidence: number | null;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  readonly confirmed?: true;
}

export interface RelationshipEnd {
  readonly entity_id: string;
  readonly name: string;
  readonly type: string;
}

export interface RelationshipList {
  readonly relationships: readonly {
    readonly relationship_id: string;
    readonly type: string;
    readonly source: RelationshipEnd;
    readonly target: RelationshipEnd;
    readonly chunks: number;
    readonly confidence: number | null;
    readonly valid_from: string | null;
    readonly valid_to: string | null;
    readonly confirmed?: true;
    readonly evidence: readonly Evidence[];
  }[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

export interface RenameProject {
  readonly name: string;
}

export interface ReplaceOntology {
  readonly name: string;
  readonly schema: OntologySchema;
}

export interface Reread {
  readonly project_id: string;
  readonly status: "running" | "completed" | "failed" | "cancelled";
  readonly documents_processed: number;
  readonly documents_failed: number;
  readonly documents_total: number;
  readonly created_at: string | null;
  readonly completed_at: string | null;
  readonly error_message: string | null;
}

export interface RereadDocuments {
  readonly source_doc_ids: readonly string[];
}

export interface RetriedJobs {
  readonly jobs: readonly {
    readonly job_id: string;
    readonly status: "pending" | "running" | "completed" | "failed";
    readonly created_at: string;
    readonly source_doc_id: string;
  }[];
  readonly left: number;
}

export interface RetryJobs {
  readonly error_message?: string | null | undefined;
}

export interface StatedRelationship {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
}

export interface SuggestOntology {
  readonly usecase: string;
}

export interface Suggestion {
  readonly name: string;
  readonly schema: OntologySchema;
}

export interface TestedWebhook {
  readonly webhook_id: string;
}

export interface UploadFiles {
  readonly files: readonly string[];
  readonly metadata?: string | undefined;
  readonly source_doc_id?: string | undefined;
  readonly source_doc_ids?: string | undefined;
}

export interface Usage {
  readonly from: string;
  readonly to: string;
  readonly days: readonly {
    readonly date: string;
    readonly project_id: string | null;
    readonly tokens: number;
    readonly documents: number;
    readonly chunks: number;
    readonly queries: number;
    readonly model_calls: number;
    readonly model_tokens: number;
  }[];
  readonly limits: {
    readonly token_limit: number | null;
    readonly tokens_used: number;
    readonly tokens_left: number | null;
    readonly ingest_per_minute: number | null;
    readonly pending_jobs: number | null;
    readonly stored_bytes: number | null;
    readonly stored_bytes_used: number;
    readonly concurrent_queries: number | null;
    readonly projects: number;
    readonly ontologies: number;
  };
}

export interface Webhook {
  readonly webhook_id: string;
  readonly url: string;
  readonly events: readonly ("job.completed" | "job.failed" | "project.deleted")[];
  readonly description: string | null;
  readonly status: "enabled" | "disabled";
  readonly disabled_reason: string | null;
  readonly disabled_at: string | null;
  readonly created_at: string;
}

export interface WebhookDelivery {
  readonly delivery_id: string;
  readonly event: "job.completed" | "job.failed" | "project.deleted" | "webhook.test";
  readonly project_id: string | null;
  readonly job_id: string | null;
  readonly source_doc_id: string | null;
  readonly status: "pending" | "delivered" | "failed";
  readonly attempts: number;
  readonly created_at: string;
  readonly last_attempt_at: string | null;
  readonly next_attempt_at: string | null;
  readonly response_status: number | null;
  readonly duration_ms: number | null;
  readonly error: string | null;
}

export interface WebhookDeliveryList {
  readonly deliveries: readonly WebhookDelivery[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

export interface WebhookList {
  readonly webhooks: readonly Webhook[];
}

export type WebhookMessage = {
  readonly type: "job.completed";
  readonly timestamp: string;
  readonly data: Job;
} | {
  readonly type: "job.failed";
  readonly timestamp: string;
  readonly data: Job;
} | {
  readonly type: "project.deleted";
  readonly timestamp: string;
  readonly data: DeletedProject;
} | {
  readonly type: "webhook.test";
  readonly timestamp: string;
  readonly data: TestedWebhook;
};
