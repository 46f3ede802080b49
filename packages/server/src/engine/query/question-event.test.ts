import assert from "node:assert/strict";
import { test } from "node:test";
import { eventOfQuestion } from "./question-event.ts";

test("the event that a question names its time by is read with what it is of", () => {
  for (const [query, relation, searched, names, terms] of [
    [
      "Who ran Harrow Mills before the merger?",
      "before",
      "the merger of Harrow Mills",
      "harrow mill",
      "merger",
    ],
    ["Before the merger with Nordvik, who ran it?", "before", "the merger with Nordvik", "nordvik", "merger"],
    [
      "Where did Ada Stone work after she left Leith?",
      "after",
      "Ada Stone left Leith",
      "ada stone leith",
      "left",
    ],
    ["What was it called prior to its sale?", "before", "its sale", "", "sale"],
    ["Who led the firm shortly after the fire?", "after", "the fire", "", "fire"],
    ["Where was the office during the flood of 1953?", "during", "the flood of 1953", "", "flood"],
    ["Who supplied the coal before Norden?", "before", "Norden supplied the coal", "norden", "suppli coal"],
    ["In which town was the mill until it burnt down?", "before", "the mill burnt down", "", "burnt"],
  ] as const) {
    const event = eventOfQuestion(query);
    assert.equal(event?.relation, relation, query);
    assert.equal(event?.query, `When ${searched}?`);
    assert.deepEqual([event?.names.join(" "), event?.terms.join(" ")], [names, terms], query);
  }
});

test("what holds for a time is told from what happens, and a date of the event is kept", () => {
  assert.equal(eventOfQuestion("Where did Ada Stone live when she was minister?")?.isState, true);
  assert.equal(eventOfQuestion("Where did Ada Stone live when she was elected?")?.isState, false);
  assert.equal(eventOfQuestion("Who led the firm after the merger in 1990?")?.given, "1990");
  assert.equal(eventOfQuestion("Who led the firm after the merger?")?.given, null);
});

test("a question of now, of two clauses, or without an event names none", () => {
  for (const query of [
    "Who runs Harrow Mills?",
    "Who is the street named after?",
    "Who was the street named after?",
    "Which stations does Lucien Barras look after?",
    "What does the pump do when it is cold?",
    "When did she leave before the merger?",
    "How long was she minister before she left?",
    "Who ran it before the merger and after the sale?",
    "Who owned the mill that burnt down before the merger?",
    "Who was born before 1990?",
    "Who ran it before?",
    "What was stored when the pump is off?",
    "How many years after the fire did the mill open?",
    `Who ran it before ${"the very long ".repeat(100)}merger?`,
  ])
    assert.equal(eventOfQuestion(query), null, query);
});
