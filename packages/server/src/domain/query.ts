import type { ChunkKey, VersionId } from "./document.ts";
import type { EmbeddingSpace } from "./embedding-space.ts";
import type { DatedEvent, EventTime, NamedEvent } from "./event.ts";
import type { Explanation, SummaryCheck } from "./explanation.ts";
import type { FilePlace } from "./file.ts";
import type { Span } from "./graph.ts";
import type { SearchFilter } from "./metadata.ts";
import type { Moment, Validity } from "./validity.ts";

export type QueryMode = "static" | "dynamic";

export interface Question {
  readonly projectId: string;
  /** Of the caller. Projects of other accounts are not found. */
  readonly accountId: string;
  readonly query: string;
  readonly mode: QueryMode;
  readonly topK: number;
  /** How many chunks of one document may be returned, 1…topK - 1; null or absent = any number. */
  readonly maxPerDocument?: number | null;
  /** null = no filter. */
  readonly filter: SearchFilter | null;
  /** Relationships are those that hold then. null or absent: all. */
  readonly asOf?: Moment | null;
  /** The event that the question names its time by, and what was found of it. */
  readonly event?: DatedEvent;
  /** Only the time of this is looked for: `Answer.eventTime`. */
  readonly seeks?: NamedEvent;
  /** Whether the answer includes an explanation. Default: false. */
  readonly explain?: boolean;
  /** Whether the answer lists the searches that led to it. Default: false. */
  readonly listSteps?: boolean;
  /**
   * With `maxPerDocument`, the summary is composed of chunks that are returned: of so many of the first ones, if that is
   * fewer than `topK`.
   */
  readonly quoted?: number;
  /** Whether only the chunks and the graph of the answer are used, not its summary. Default: false. */
  readonly isFollowUp?: boolean;
  /** Whether the bundled reader is left out, because it reads later. Default: false. */
  readonly isUnread?: boolean;
}

/** The vector of a question in a space that query threads cannot embed in. */
export interface EmbeddedQuestion {
  readonly space: EmbeddingSpace;
  readonly vector: Float32Array;
}

/**
 * Returned instead of an answer when the project's vectors are of a space that the question has no vector of.
 */
export interface VectorRequired {
  readonly requiredSpace: EmbeddingSpace;
}

export interface RankedChunk {
  readonly versionId: VersionId;
  readonly position: number;
  readonly sourceDocId: string;
  readonly text: string;
  /** Title and section of the chunk; not returned to clients. */
  readonly header?: string;
  /** Offsets into the document in UTF-16 code units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Absent where the document has no file. */
  readonly place?: FilePlace;
  /** Of question and chunk, −1…1; not returned to clients. */
  readonly cosine?: number;
  /** By words and vectors alone, 0…1, whatever else orders the list; not returned to clients. */
  readonly fused?: number;
  /** The score that orders the list, 0…1. */
  readonly similarity: number;
}

export interface AnswerEntity {
  readonly type: string;
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
}

export interface AnswerRelationship {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  /** A person has added or confirmed it; the times are those that were given when it was added. */
  readonly confirmed?: Validity;
}

/** What a person has stated in the graph that a question asks for. */
export interface StatedRelationship extends Validity {
  readonly source: string;
  readonly target: string;
  readonly type: string;
}

/** What a model that looks for answers found in the passages. */
export interface AnswerReading {
  /** Where the answer is in a document, in UTF-16 code units. null = no passage that was read has one. */
  readonly answer: { readonly versionId: VersionId; readonly start: number; readonly end: number } | null;
  /** Whether every passage that could be quoted was read, or judged by its scores: without an answer, there is none. */
  readonly isComplete: boolean;
  /** Whether nothing tells if these are the right passages, so that they are listed and nothing is claimed. */
  readonly isUnsure?: boolean;
}

/** Receives parts of an answer while it is made. */
export interface AnswerReader {
  /** The chunks of the answer, once and before any text, if they are known before the summary is written. */
  found(chunks: readonly RankedChunk[]): void;
  /** The summary in parts, as a language model writes it. */
  wrote(text: string): void;
}

/** What the bundled reader made of a question and one chunk. */
export interface PassageRead extends ChunkKey {
  /** Above 0 the chunk rather answers than not. */
  readonly logit: number;
  /** Where it would answer, in the document, in UTF-16 code units. */
  readonly place: AnswerReading["answer"];
}

/** A name in a passage, which a search followed. */
export interface FollowedName {
  /** As the passage writes it. */
  readonly name: string;
  /** Normal form. */
  readonly key: string;
  /** The passage, and its sentence that has the name. */
  readonly from: ChunkKey & { readonly sourceDocId: string; readonly sentence: string } & Span;
}

/** A name in passages that may lead on to the answer. */
export interface BridgeName extends FollowedName {
  /** Above 0; comparable only within one question. */
  readonly weight: number;
  /** The names of the question that its passages contain, in the question; the follow-up question leaves them out. */
  readonly answered: readonly Span[];
}

/** A summary in sentences of passages. */
export interface ComposedSummary {
  readonly text: string;
  /** It says that nothing answers. */
  readonly isDenied: boolean;
  /** In the order of the text. */
  readonly quotes: readonly QuotedSentence[];
}

/** A sentence, line or row that a summary quotes of a chunk. */
export interface QuotedSentence extends ChunkKey {
  readonly sourceDocId: string;
  /** In the document, in UTF-16 code units. */
  readonly start: number;
}

/** Of a chunk, where the first sentence stands that is quoted. */
export interface QuotedPlace {
  readonly versionId: VersionId;
  readonly position: number;
  readonly place: FilePlace;
}

/** One search that led to an answer. */
export interface AnswerStep {
  /** What was searched for: the question as it was asked, a part of it, or it with a name. */
  readonly query: string;
  /** null = the search follows no name. */
  readonly name: FollowedName | null;
  /** The chunks that count for the answer, best first. */
  readonly found: readonly ChunkKey[];
}

/** What the scores of passages tell where nobody can read them. */
export interface ScoresJudgement {
  readonly reading: AnswerReading;
  /** That the first chunk answers. */
  readonly probability: number;
}

/** Sentences that state what is asked, by their times. */
export interface OtherTimes {
  /** Of another time. In documents, in UTF-16 code units. */
  readonly places: readonly {
    readonly versionId: VersionId;
    readonly start: number;
    readonly end: number;
  }[];
  /** The same of sentences that state what is asked and that holds. */
  readonly holding: OtherTimes["places"];
  /** Of those that hold, where one holder of something is asked for: the latest, and those before. */
  readonly latest: OtherTimes["places"];
  readonly earlier: OtherTimes["places"];
  /** What holds now is asked: what `places` state has ended. */
  readonly isNow: boolean;
}

export interface Answer {
  readonly strategyUsed: string;
  readonly summary: string;
  readonly entities: readonly AnswerEntity[];
  readonly relationships: readonly AnswerRelationship[];
  readonly chunks: readonly RankedChunk[];
  /** Absent where people have stated nothing that the question asks for and the summary lacks. */
  readonly stated?: readonly StatedRelationship[];
  /** The summary says that nothing answers. */
  readonly isDenied?: boolean;
  /** Only if a configured model looked for the answer. */
  readonly reading?: AnswerReading;
  /** Only of the first step of a dynamic question whose passages the reader cannot read: what their scores tell. */
  readonly byScores?: ScoresJudgement;
  /** Only of steps of a dynamic question. */
  readonly otherTimes?: OtherTimes;
  /** What the summary quotes. Only of steps of a dynamic question, whose chunks have the places of their beginnings. */
  readonly quotes?: readonly QuotedSentence[];
  /** Only if a language model wrote a summary. */
  readonly check?: SummaryCheck;
  /** Only of a question that seeks it; null = not known. */
  readonly eventTime?: EventTime | null;
  /** Only if the question requests it. */
  readonly explanation?: Explanation;
  /** Only if the question requests it; the question itself comes first. */
  readonly steps?: readonly AnswerStep[];
}
