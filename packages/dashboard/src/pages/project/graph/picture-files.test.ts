import assert from "node:assert/strict";
import { test } from "node:test";
import { graphMlOf } from "./picture-files.ts";

test("GraphML has what is shown, with what XML cannot hold left out", () => {
  const text = graphMlOf({
    kind: "overview",
    centre: null,
    nodes: [
      { id: "1", name: 'A & "B"\u0001 <ship>', type: "Ship", degree: 1 },
      { id: "2", name: "نجيب محفوظ", type: "Person", degree: 1 },
    ],
    edges: [{ id: "1 2", source: "1", target: "2", types: ["X", "Y"], there: ["X"], back: ["Y"], chunks: 3 }],
  });
  assert.match(text, /<data key="name">A &amp; &quot;B&quot; &lt;ship&gt;<\/data>/);
  assert.match(text, /<data key="name">نجيب محفوظ<\/data>/);
  assert.match(text, /<edge source="1" target="2"><data key="type">X</);
  assert.match(text, /<edge source="2" target="1"><data key="type">Y</);
});
