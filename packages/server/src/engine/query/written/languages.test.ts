import assert from "node:assert/strict";
import { test } from "node:test";
import { mayBeEnglish } from "./languages.ts";

test("a text may be English where its commonest words are, or where it is too short to tell", () => {
  for (const text of [
    "The lamp of the harbour was lit by the keeper, who had oil for it and a ladder from the mill.",
    "Harbour lamp",
    "SELECT harbour, lamp FROM keepers",
    "Muesli bars: oats 200 g, walnuts 50 g, raisins 40 g, honey 30 ml, butter 60 g, cinnamon 2 g. Allergens: nuts, milk. Price 3.20. Storage: dry, twelve days.",
  ])
    assert.equal(mayBeEnglish(text), true, text);
});

test("a text is not English in another script, with another language's words, or without its commonest words", () => {
  for (const text of [
    "Лампу зажгла Одиле.",
    "Die Lampe wurde von der Frau am Hafen und nicht von dem Mann im Dorf angezündet.",
    // Turkish, none of whose words is listed.
    "Limandaki lamba her akşam bekçi tarafından yakılır ve sabah olunca yeniden söndürülür, çünkü gemiler gündüz kıyı boyunca fener olmadan yol alabilirler.",
  ])
    assert.equal(mayBeEnglish(text), false, text);
});
