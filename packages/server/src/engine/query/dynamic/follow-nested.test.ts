import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Answerer } from "../../../ports/answerer.ts";
import { createTestAnswerer, readNothing } from "./test-answerer.ts";
import { answer, ask } from "./test-questions.ts";

const FILM = "Grey Sheds\nGrey Sheds is a film directed by Ida Vell and written by Tove Lank.";
const DIRECTOR = "Ida Vell\nIda (Marguerite) Vell was born in Kestrel Bay. Her mother was a diver.";
const WRITER = "Tove Lank\nTove Lank was born in Orrin. Lank and Vell were born to be friends.";
const BIRTHS = "Births\nThe place where somebody was born is written down by the director of a registry.";

describe("a question about what it describes", () => {
  test("is answered by the passages about that, with what led to them, where a sentence states it, although nothing can be read", async () => {
    const answerer = { ...createTestAnswerer([BIRTHS, WRITER, FILM, DIRECTOR]), ...readNothing };
    const query = "Where was the director of Grey Sheds born?";
    const found = await answer(ask(query, { listSteps: true }), { answerer });
    assert.match(found?.summary ?? "", /^Ida \(Marguerite\) Vell was born in Kestrel Bay\./);
    assert.match(
      found?.summary ?? "",
      /Grey Sheds is a film directed by Ida Vell and written by Tove Lank\.$/,
    );
    assert.deepEqual(
      found?.steps?.map((step) => step.query),
      [query, "Who or what is the director of Grey Sheds?", "Where was Ida Vell born?"],
    );
  });

  /** Finds the first word of a text that it knows; of a text about another thing, nothing. */
  const readWords = (words: Readonly<Record<string, string>>): Answerer => ({
    ...createTestAnswerer([
      BIRTHS,
      WRITER,
      FILM,
      DIRECTOR,
      "Kestrel Bay\nThe mayor of Kestrel Bay is Noel Garrick.",
    ]),
    async read({ query }, chunks) {
      const word = words[query] ?? "?";
      return chunks.flatMap(({ versionId, position, text, start }) => {
        const at = start + text.indexOf(word);
        const place = { versionId, start: at, end: at + word.length };
        return [
          text.includes(word)
            ? { versionId, position, logit: 3, place }
            : { versionId, position, logit: -4, place: null },
        ];
      });
    },
  });

  test("is answered the same way for a description in a description, and is as probable as the answer to its last step", async () => {
    const query = "Who is the mayor of the town where the director of Grey Sheds was born?";
    const answerer = readWords({
      "Who or what is the town where Ida Vell was born?": "Kestrel Bay",
      "Who is the mayor of Kestrel Bay?": "Noel Garrick",
    });
    const found = await answer(ask(query, { listSteps: true }), { answerer });
    assert.match(found?.summary ?? "", /^The mayor of Kestrel Bay is Noel Garrick\./);
    assert.deepEqual(
      found?.steps?.slice(1).map((step) => step.query),
      [
        "Who or what is the director of Grey Sheds?",
        "Who or what is the town where Ida Vell was born?",
        "Who is the mayor of Kestrel Bay?",
      ],
    );
    // The question itself is not like the passage that answers its last step.
    const isLike: Answerer = {
      ...answerer,
      async answer(question) {
        const answered = await answerer.answer(question);
        const score = question.query === query ? 0.1 : 0.7;
        return (
          answered && {
            ...answered,
            chunks: answered.chunks.map((chunk) => ({ ...chunk, cosine: score, fused: score })),
          }
        );
      },
    };
    const similarity = (await answer(ask(query), { answerer: isLike }))?.chunks[0]?.similarity ?? 0;
    assert.ok(similarity > 0.6, String(similarity));
  });

  test("is not answered by passages that say nothing of it", async () => {
    const answerer = readWords({});
    const found = await answer(ask("Which prize did the director of Grey Sheds win?"), { answerer });
    assert.doesNotMatch(found?.summary ?? "", /^Ida/);
  });
});
