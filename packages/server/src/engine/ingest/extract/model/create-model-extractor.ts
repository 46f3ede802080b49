/** Asks a language model for what chunks state: one call a chunk, a bounded number of them at a time. */
import type { ChunkFacts, ConfidenceLimits } from "../../../../domain/graph.ts";
import type { BoundOntology } from "../../../../domain/ontology.ts";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import { createRecentMap } from "../../../../domain/recent-map.ts";
import { createTurns } from "../../../../domain/turns.ts";
import type { LanguageModel, ModelMeter, ModelReply } from "../../../../ports/language-model.ts";
import { askAgain, EXTRACTION_PROMPT_VERSION, extractionPrompt } from "./extraction-prompt.ts";
import type { ExtractedChunk } from "./find-names.ts";
import { groundReply } from "./ground-facts.ts";
import { mergeFacts } from "./merge-facts.ts";
import { narrowToConcrete, type OntologyTypes } from "./model-types.ts";
import { type ExtractionReply, readReply } from "./read-reply.ts";
import { createRelationNames } from "./relation-names.ts";
import { extractionSchema } from "./reply-schema.ts";

/** Neither the reply nor its repetition had a structure that could be used. */
export class InvalidExtractionError extends Error {
  constructor() {
    super("The language model's reply, asked for twice, had none of the required properties");
    this.name = "InvalidExtractionError";
  }
}

export interface ModelExtractor {
  /**
   * What the model says about a chunk.
   * @throws ModelError when the tries of the call are spent or it is refused; InvalidExtractionError; the signal's reason
   */
  ask(request: ExtractionRequest): Promise<ModelStatements>;
}

export interface ExtractionRequest {
  readonly chunk: ExtractedChunk;
  readonly ontology: BoundOntology | null;
  /** Of the project; null = the default. For extractors that say how sure they are. */
  readonly confidenceLimits: ConfidenceLimits | null;
  readonly meter: ModelMeter;
  /** Asked when the call's turn comes: false spares a call whose chunk is not needed any more. */
  readonly isWanted: () => boolean;
  /** Aborted, the call ends at once, and what waits for its turn leaves. */
  readonly signal: AbortSignal;
}

export interface ModelStatements {
  /** What the model says and the chunk shows, alone and joined with what the built-in engine read. */
  joinWith(builtIn: ChunkFacts): { readonly own: ChunkFacts | null; readonly joined: ChunkFacts };
  /** A provider answered just now, and was paid. */
  readonly isPaid: boolean;
}

/** The call was not wanted any more when its turn came. */
export class ExtractionSkippedError extends Error {
  constructor() {
    super("The chunk is not needed any more");
    this.name = "ExtractionSkippedError";
  }
}

export const MODEL_EXTRACTOR_LIMITS = {
  ontologies: 8,
  /** A chunk of 250 tokens states less. */
  outputTokens: 2_000,
} as const;

interface Made {
  readonly types: OntologyTypes | null;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** For one thread. */
export function createModelExtractor(deps: {
  readonly model: LanguageModel;
  /** Calls of an account at a time, and one more for others. What an account's token limit lets through is checked as each begins: more overshoot it further. */
  readonly inFlight: number;
}): ModelExtractor {
  const { model } = deps;
  const turns = createTurns({ atOnce: deps.inFlight + 1, ofAccount: deps.inFlight });
  const made = createRecentMap<string, Made>(MODEL_EXTRACTOR_LIMITS.ontologies);
  const nameRelation = createRelationNames();
  const open: Made = { types: null, schema: extractionSchema(null) };

  function typesOf(ontology: BoundOntology | null): Made {
    if (ontology === null) return open;
    return made.getOrMake(ontology.ontologyId, () => {
      const types = narrowToConcrete(parseOntology(ontology.schemaJson));
      return { types, schema: extractionSchema(types) };
    });
  }

  async function askTwice(request: ExtractionRequest, { types, schema }: Made) {
    const { system, prompt } = extractionPrompt(types, request.chunk);
    const generate = (asked: string): Promise<ModelReply> =>
      model.generate({
        task: "extraction",
        promptVersion: EXTRACTION_PROMPT_VERSION,
        ...{ system, prompt: asked, schema, meter: request.meter, signal: request.signal },
        maxOutputTokens: MODEL_EXTRACTOR_LIMITS.outputTokens,
        // Retries are the client's; their number ends a call.
        deadlineMs: null,
        isUsable: (value) => readReply(value) !== null,
      });
    const first = await generate(prompt);
    const reply = readReply(first.value);
    if (reply !== null) return { reply, isPaid: !first.isCached };
    const second = await generate(askAgain(prompt));
    const repeated = readReply(second.value);
    if (repeated === null) throw new InvalidExtractionError();
    return { reply: repeated, isPaid: !first.isCached || !second.isCached };
  }

  return {
    async ask(request) {
      const kind = typesOf(request.ontology);
      const { types } = kind;
      // Nothing that it has a type for could be said.
      if (types !== null && types.schema.nodeTypes.length === 0)
        return { joinWith: (joined) => ({ own: null, joined }), isPaid: false };
      const { chunk, meter, signal } = request;
      const ask = () => {
        if (!request.isWanted()) throw new ExtractionSkippedError();
        return askTwice(request, kind);
      };
      const { reply, isPaid } = await turns.run(ask, { accountId: meter.accountId, signal });
      return { isPaid, joinWith: (builtIn) => join(reply, { chunk, types, builtIn }) };
    },
  };

  function join(
    reply: ExtractionReply,
    { chunk, types, builtIn }: { chunk: ExtractedChunk; types: OntologyTypes | null; builtIn: ChunkFacts },
  ) {
    const knownTypes = new Map(builtIn.entities.map(({ key, type }) => [key, type]));
    const own = groundReply(reply, { chunk, types, nameRelation, knownTypes });
    return { own, joined: mergeFacts(own, builtIn, types?.schema ?? null) };
  }
}
