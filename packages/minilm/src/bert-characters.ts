/**
 * Classifies and normalises single characters like BERT's uncased tokenizer. The rules are those of
 * https://github.com/google-research/bert/blob/master/tokenization.py (BasicTokenizer) as implemented in
 * https://github.com/huggingface/tokenizers (BertNormalizer and BertPreTokenizer), which works on single characters.
 */
export const characterKind = { dropped: 0, space: 1, standalone: 2, letter: 3 } as const;

export type CharacterKind = (typeof characterKind)[keyof typeof characterKind];

/** `form` is lower case, decomposed and without accents. It can have several characters; that of an accent is empty. */
export interface BertCharacter {
  readonly kind: CharacterKind;
  readonly form: string;
}

const keptControls = /^[\t\n\r]$/u;
const removed = /^[\0\uFFFD\p{Cc}\p{Cf}\p{Co}\p{Cs}]$/u;
const whitespace = /^\s$/u;
const punctuation = /^[!-/:-@[-`{-~\p{P}]$/u;
const accent = /\p{Mn}/gu;

/** `character` is one code point. A lone surrogate is dropped. */
export function classifyCharacter(character: string): BertCharacter {
  if (removed.test(character) && !keptControls.test(character))
    return { kind: characterKind.dropped, form: "" };
  if (whitespace.test(character)) return { kind: characterKind.space, form: "" };
  const form = character.toLowerCase().normalize("NFD").replace(accent, "");
  if (form === "") return { kind: characterKind.dropped, form };
  const standalone = punctuation.test(form) || isChinese(character.codePointAt(0)!);
  return { kind: standalone ? characterKind.standalone : characterKind.letter, form };
}

/** The CJK blocks that BERT splits into single characters. */
const chineseBlocks: readonly (readonly [number, number])[] = [
  [0x4e00, 0x9fff],
  [0x3400, 0x4dbf],
  [0x20000, 0x2a6df],
  [0x2a700, 0x2b73f],
  [0x2b740, 0x2b81f],
  [0x2b820, 0x2ceaf],
  [0xf900, 0xfaff],
  [0x2f800, 0x2fa1f],
];

function isChinese(codePoint: number): boolean {
  return chineseBlocks.some(([first, last]) => codePoint >= first && codePoint <= last);
}
