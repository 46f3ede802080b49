/** Reads passages for one dynamic answer in the query threads, which may be too busy for it. */
import { ServiceError } from "../../../domain/errors.ts";
import type {
  AnswerReading,
  BridgeName,
  ComposedSummary,
  OtherTimes,
  PassageRead,
  Question,
  QuotedPlace,
  QuotedSentence,
  RankedChunk,
} from "../../../domain/query.ts";
import type { PassageReader } from "../../../ports/answerer.ts";

/** What cannot be read now gives null, and the answer is made without it. Every other error of the reader rises. */
export interface TolerantReader {
  /** `query`: what the chunks are read for. Default: the question itself */
  read(chunks: readonly RankedChunk[], query?: string): Promise<readonly PassageRead[] | null>;
  /** `query`: as above */
  compose(
    passages: {
      readonly chunks: readonly RankedChunk[];
      readonly reading: AnswerReading | null;
      readonly otherTimes?: OtherTimes | null;
      readonly names?: readonly string[];
    },
    query?: string,
  ): Promise<ComposedSummary | null>;
  place(
    chunks: readonly RankedChunk[],
    quotes: readonly QuotedSentence[],
  ): Promise<readonly QuotedPlace[] | null>;
  findNames(passages: {
    readonly query: string;
    readonly chunks: readonly RankedChunk[];
    readonly limit: number;
  }): Promise<readonly BridgeName[] | null>;
  /** Whether anything could not be read: `strategyUsed` must say so. */
  readonly isIncomplete: () => boolean;
}

/** `question`: what all of it is read for. */
export function createTolerantReader(question: Question, reader: PassageReader): TolerantReader {
  let isIncomplete = false;
  async function tolerate<Result>(reading: Promise<Result>): Promise<Result | null> {
    try {
      return await reading;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind !== "unavailable") throw error;
      isIncomplete = true;
      return null;
    }
  }
  return {
    async read(chunks, query = question.query) {
      const read = await tolerate(reader.read({ ...question, query }, chunks));
      isIncomplete ||= read === null;
      return read;
    },
    compose: (passages, query = question.query) => tolerate(reader.compose({ ...question, query }, passages)),
    place: (chunks, quotes) => tolerate(reader.place(question, chunks, quotes)),
    findNames: (passages) => tolerate(reader.findNames(question, passages)),
    isIncomplete: () => isIncomplete,
  };
}
