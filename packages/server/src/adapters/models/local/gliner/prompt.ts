/** What the model is given of a text and of labels: ids of tokens, and which of them begin a word. */
import type { Encoding, Tokenizer } from "tokenizers";
import type { IdentifiedModel } from "../identify-model.ts";
import { ModelFault } from "../model-fault.ts";
import type { ReaderDescription } from "./describe-gliner.ts";
import { splitWords } from "./words.ts";

export interface TokenizedWord {
  /** In the text. */
  readonly start: number;
  readonly end: number;
  readonly ids: readonly number[];
}

export interface WindowInput {
  readonly ids: readonly number[];
  /** For each token the number of its word from 1 on, where its state counts for the word; else 0. */
  readonly wordsMask: readonly number[];
}

export interface Prompter {
  /** Words that have tokens: of the others, such as control characters, the model sees nothing. */
  tokenize(text: string): Promise<readonly TokenizedWord[]>;
  /** Tokens of a label in the prompt, its marker included. */
  tokensOf(label: string): Promise<readonly number[]>;
  /** The prompt of labels; of a bi-encoder, which has none, null for both. */
  promptOf(
    entities: readonly string[] | null,
    relations: readonly string[] | null,
  ): Promise<readonly number[]>;
  /** Tokens besides those of the prompt and the words. */
  readonly marks: number;
  inputOf(prompt: readonly number[], words: readonly TokenizedWord[]): WindowInput;
}

/** Of a label: a longer one leaves no room for the text. */
const MAX_LABEL_SHARE = 1 / 8;
/** Whose tokens are kept: most words of a text are those of other texts. */
const KEPT_WORDS = 20_000;

/** @throws ModelFault when the tokenizer does not know the markers of labels */
export async function createPrompter(
  { id, maxTokens }: IdentifiedModel,
  reader: ReaderDescription,
  tokenizer: Tokenizer,
): Promise<Prompter> {
  const { prefix, suffix } = frameOf(await tokenizer.encode("a"));
  const known = new Map<string, readonly number[]>();

  /** Each on its own, as the reference does with words that are cut before. */
  async function encodeAll(words: readonly string[]): Promise<readonly (readonly number[])[]> {
    if (known.size > KEPT_WORDS) known.clear();
    const unknown = [...new Set(words)].filter((word) => !known.has(word));
    const encoded = await tokenizer.encodeBatch(unknown, { addSpecialTokens: false });
    for (const [at, word] of unknown.entries()) known.set(word, encoded[at]?.getIds() ?? []);
    return words.map((word) => known.get(word) ?? []);
  }

  const marker = (token: string): number => {
    const found = tokenizer.tokenToId(token);
    if (found !== null && found !== undefined) return found;
    throw new ModelFault(
      `The tokenizer.json of ${id} has no token ${token}, which its gliner_config.json names.`,
    );
  };
  const needsPrompt = reader.labelsGraph === null;
  const entityMarker = needsPrompt ? marker(reader.entityToken) : 0;
  const separator = needsPrompt ? marker(reader.separatorToken) : 0;
  const relationMarker = reader.relationsGraph === null ? 0 : marker(reader.relationToken);
  const longest = Math.max(1, Math.floor(maxTokens * MAX_LABEL_SHARE));
  const markers = new Set(needsPrompt ? [entityMarker, separator, relationMarker] : []);
  /** A label that contains a marker would be taken for several. */
  const labelIds = async (label: string) => {
    const [ids = []] = await encodeAll([label]);
    return ids.filter((each) => !markers.has(each)).slice(0, longest);
  };
  const marked = async (mark: number, labels: readonly string[]) => {
    const all = await Promise.all(labels.map(labelIds));
    return all.flatMap((ids) => [mark, ...ids]);
  };

  return {
    marks: prefix.length + suffix.length,
    async tokenize(text) {
      const words = splitWords(text);
      const ids = await encodeAll(words.map(({ start, end }) => text.slice(start, end)));
      return words.flatMap((word, at) => {
        const own = ids[at] ?? [];
        return own.length === 0 ? [] : [{ ...word, ids: own }];
      });
    },
    tokensOf: async (label) => [entityMarker, ...(await labelIds(label))],
    async promptOf(entities, relations) {
      if (entities === null) return [];
      const prompt = [...(await marked(entityMarker, entities)), separator];
      return relations === null
        ? prompt
        : [...prompt, ...(await marked(relationMarker, relations)), separator];
    },
    inputOf(prompt, words) {
      const room = maxTokens - prefix.length - suffix.length - prompt.length;
      const ids = [...prefix, ...prompt];
      const wordsMask = ids.map(() => 0);
      let left = Math.max(1, room);
      for (const [at, word] of words.entries()) {
        const own = word.ids.slice(0, left);
        left -= own.length;
        ids.push(...own);
        for (const place of own.keys()) wordsMask.push(isCounted(place, own.length) ? at + 1 : 0);
      }
      return { ids: [...ids, ...suffix], wordsMask: [...wordsMask, ...suffix.map(() => 0)] };
    },
  };

  function isCounted(place: number, count: number): boolean {
    if (reader.pooling === "first") return place === 0;
    return reader.pooling === "last" ? place === count - 1 : true;
  }
}

/** The tokens that the template puts before and behind a text. */
function frameOf(letter: Encoding) {
  const words = letter.getWordIds();
  const isWord = (word: unknown) => typeof word === "number";
  const first = words.findIndex(isWord);
  const last = words.findLastIndex(isWord);
  if (first === -1) throw new ModelFault("The tokenizer has no token for a letter.");
  const ids = letter.getIds();
  return { prefix: ids.slice(0, first), suffix: ids.slice(last + 1) };
}
