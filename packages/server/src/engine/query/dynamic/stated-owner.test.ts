import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { RankedChunk } from "../../../domain/query.ts";
import { findOwner } from "./stated-owner.ts";

async function ownerOf(texts: readonly string[], title = "Grey Sheds"): Promise<string | null> {
  const chunks = texts.map((text, at): RankedChunk => {
    const place = {
      versionId: at + 1,
      position: 0,
      sourceDocId: `d${at}`,
      start: 100,
      end: 100 + text.length,
    };
    return { ...place, text, similarity: 0.5 };
  });
  const found = await findOwner(chunks, { name: "Grey Sheds", title, role: "director" });
  if (found === null) return null;
  const text = texts[found.from.versionId - 1];
  assert.equal(text?.slice(found.from.start - 100, found.from.end - 100), found.from.sentence);
  return found.name;
}

describe("a sentence says who is the director", () => {
  const cases: readonly (readonly string[])[] = [
    ["Grey Sheds is a 1948 drama film directed by Ida Vell."],
    ["Grey Sheds is a film directed by Ida Vell, about a harbour and an homage to the seaman Ivo Lank."],
    ["Grey Sheds is a film starring Noel Garrick and directed by Ida Vell and written by Ivo Lank."],
    ["Grey Sheds is a film that nobody saw. It was written, produced and directed by Ida Vell."],
    ["Grey Sheds\nDe grijze loodsen (shown as Grey Sheds) is a film from the studio and director Ida Vell."],
    ["Grey Sheds (1948 film)\nGrey Sheds is a film directed by Ida Vell.", "Noel Garrick was in Grey Sheds."],
    ["Grey Sheds is a film directed by Ida Vell.", "Grey Sheds was directed by Ida Vell in 1948."],
    ["Grey Sheds was shown in 1948. The director of Grey Sheds is Ida Vell."],
    [
      "Grey Sheds is a film directed by Ida Vell. The film has songs by Ivo Lank and art direction by Tove Lank.",
    ],
  ];
  for (const texts of cases)
    test(texts.join(" / "), async () => assert.equal(await ownerOf(texts), "Ida Vell"));

  test("initials belong to the name, the end of the sentence does not", async () => {
    assert.equal(
      await ownerOf(["Grey Sheds is a film directed by I. M. Vell. Rope is one, too."]),
      "I. M. Vell",
    );
  });
});

describe("it does not", () => {
  const cases: readonly (readonly string[])[] = [
    ["Grey Sheds is a film directed by somebody else, made by Ida Vell."],
    ["Grey Sheds is a remake of the film directed by Ida Vell."],
    ["Grey Sheds stars Noel Garrick, who was in films directed by Ida Vell."],
    ["Grey Sheds is a film directed by Ida Vell and Tove Lank."],
    ["Rope is a film directed by Ida Vell. Grey Sheds came out before."],
    ["Noel Garrick\nNoel Garrick was in Grey Sheds. Later he was directed by Ida Vell."],
    ["Grey Sheds is a film directed by Ida Vell.", "Grey Sheds was directed by Tove Lank."],
    ["Grey Sheds is a film directed by Ida."],
    ["The director of Rope is Ida Vell, that of Grey Sheds is somebody else."],
    ["The directors of Grey Sheds were Ida Vell and Tove Lank."],
    ["The director of Grey Sheds was Ida Vell and Tove Lank."],
  ];
  for (const texts of cases) test(texts.join(" / "), async () => assert.equal(await ownerOf(texts), null));
});

test("of several things of the name, the one whose title the question has is meant", async () => {
  const older = "Grey Sheds (1930 film)\nGrey Sheds is a film directed by Ida Vell.";
  const newer = "Grey Sheds (1948 film)\nGrey Sheds is a film directed by Tove Lank.";
  const plain = "Grey Sheds\nGrey Sheds is a film directed by Noel Garrick.";
  const silent = "Grey Sheds (1948 film)\nGrey Sheds is a film about a harbour.";
  assert.equal(await ownerOf([newer, older], "Grey Sheds (1930 Film)"), "Ida Vell");
  assert.equal(await ownerOf([older, newer, plain]), "Noel Garrick");
  assert.equal(await ownerOf([older, silent]), null);
  assert.equal(await ownerOf([older, silent], "Grey Sheds (1948 film)"), null);
});
