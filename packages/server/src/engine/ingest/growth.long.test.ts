import { test } from "node:test";
import { assertLinear } from "../../../test/support/growth.ts";
import { chunkDocument } from "./chunk.ts";
import { DEFAULT_CHUNKING } from "./defaults.ts";
import { outlineDocument } from "./outline.ts";

const countTokens = (text: string) => 2 + (text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)?.length ?? 0);

/** Repeated from their beginning to their end. */
const UNITS = [
  ..."Aa1.'\"“”()[]{}<>`*_~#|=-/\\@ \t\n\u00a0\u200b\u0301漢カ🙂",
  ...[
    "Ab\n",
    "Ab ",
    "Ab, ",
    "Ab. ",
    "Ab-",
    "Ab: ",
    "Ab (Ab) ",
    '"Ab" ',
    "“Ab” ",
    "Ab of the ",
    "Ab and ",
    "J. R. ",
  ],
  ...[
    "- Ab\n",
    "1. Ab\n",
    "# Ab\n\n",
    "| a | b |\n",
    "---\n",
    "[a](b) ",
    "{{Ab|",
    "12 ",
    "1900-01-01 ",
    "漢。",
  ],
];

const SHAPES: Readonly<Record<string, (size: number) => string>> = {
  ...Object.fromEntries(
    UNITS.map((unit) => [JSON.stringify(unit), (size) => unit.repeat(size / unit.length)]),
  ),
  ...Object.fromEntries(
    [" ", "\n", "\t", "\u00a0"].map((gap) => [
      `a gap of ${JSON.stringify(gap)}`,
      (size) => `Ab.${gap.repeat(size)}Cd.\n\n# Ef${gap.repeat(size)}Gh\n`,
    ]),
  ),
  "distinct names": (size) => Array.from({ length: size / 8 }, (_, at) => `N${at.toString(36)}`).join(", "),
  "a list that moves to the right": (size) =>
    Array.from({ length: size / 100 }, (_, at) => `${" ".repeat((37 * at) % 200)}- a\n`).join(""),
};

test("cutting and outlining a document is linear in its length, whatever it repeats", async () => {
  for (const [name, textOf] of Object.entries(SHAPES)) {
    await assertLinear(name, 10_000, (size) => {
      const text = textOf(size);
      const outlineOf = outlineDocument(text, {});
      for (const chunk of chunkDocument(text, { ...DEFAULT_CHUNKING, maxTokens: 256, countTokens })) {
        outlineOf(chunk);
      }
    });
  }
});
