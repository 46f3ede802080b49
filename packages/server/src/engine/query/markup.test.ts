import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isMarkup } from "./markup.ts";
import { summarize } from "./test-summarize.ts";

const BADGES = `[![Build Status](https://ci.velden.example/tower.svg?branch=main)](https://ci.velden.example/tower)
[![npm][badge]][package]
![Lamp](lamp.png "The lamp of the tower")`;

describe("hardly more than markup", () => {
  const cases = [
    BADGES,
    '<p align="center">\n  <a href="https://velden.example/guide">Guide</a>\n  ·\n  <a href="/docs">All of the docs</a>\n</p>',
    "[Installation](#installation)",
    "[tower]: https://velden.example/tower",
    '<img src="tower.svg" width="180"> Quickstart',
  ];
  for (const text of cases) test(text, () => assert.equal(isMarkup(text), true));
});

describe("text", () => {
  const cases = [
    "The lamp ![lamp](lamp.png) is lit at night.",
    "[Ebbford Tower](https://velden.example/tower)",
    "<b>Note:</b> the lamp is lit at night.",
    "Array<string>",
    "a < b",
    "See [Installation](#installation) for how the lamp is lit.",
  ];
  for (const text of cases) test(text, () => assert.equal(isMarkup(text), false));
});

test("badges, pictures and layout are not quoted", () => {
  const text = `# ebbford-tower

${BADGES}

<p align="center">
  <a href="https://velden.example/ebbford-tower">Ebbford tower in the docs</a>
</p>

Ebbford-tower counts the ships that pass a lighthouse, from what its lamp sees.`;
  const chunks = [{ text, versionId: 1, start: 0, similarity: 1, header: "ebbford-tower" }];
  assert.equal(
    summarize({ query: "What is ebbford-tower?", chunks }),
    "Ebbford-tower counts the ships that pass a lighthouse, from what its lamp sees.",
  );
});

test("a list that shows pictures or the contents is not quoted whole", () => {
  const quoted = (last: string) => {
    const text = `Lamps of the bay:\n\n- Ebbford, the oldest one of the bay\n- ${last}`;
    const chunks = [{ text, versionId: 1, start: 0, similarity: 1 }];
    return summarize({ query: "Which lamps of the bay are there?", chunks });
  };
  assert.match(quoted("Velden, the lamp of the harbour"), /oldest one of the bay\n- Velden/);
  assert.doesNotMatch(
    quoted("![Velden](velden.png) Velden, the lamp of the harbour"),
    /oldest one of the bay\n- /,
  );
  assert.doesNotMatch(quoted("[Velden](#velden), the lamp of the harbour"), /oldest one of the bay\n- /);
});
