import assert from "node:assert/strict";
import { test } from "node:test";
import { sentences } from "../sentences.ts";
import { findAliases, isAbbreviation } from "./aliases.ts";
import { readLexicon } from "./lexicon.ts";
import { findMentions } from "./mentions.ts";

function aliases(text: string): string[] {
  const found = findMentions(text, [...sentences(text)], { lexicon: readLexicon(text) });
  return findAliases(text, found).map(({ name, alias }) => `${name} = ${alias}`);
}

test("other names that a text states for a name are its aliases", () => {
  assert.deepEqual(aliases("There Port Alder, also known as Old Harbour, lies."), [
    "port alder = old harbour",
  ]);
  assert.deepEqual(aliases("Erik Lind (born Karl Berg; 5 May 1950) sang."), ["erik lind = karl berg"]);
  assert.deepEqual(aliases("Edda Moreno (born 3 July 1950), mononymously known as Edda, sang."), [
    "edda moreno = edda",
  ]);
  assert.deepEqual(aliases("Lindholm (formerly Alderby) is a town."), ["lindholm = alderby"]);
  assert.deepEqual(aliases('Tom Hart, better known as "The Owl" or Buzz, won.'), [
    "tom hart = owl",
    "tom hart = buzz",
  ]);
});

test("a maiden name of one word is combined with the first names", () => {
  assert.deepEqual(aliases("There Ida Smith (née Jones) lived."), ["ida smith = ida jones"]);
});

test("an abbreviation in parentheses is an alias, a different name in parentheses is not", () => {
  assert.deepEqual(aliases("The Northern Rail Trust (NRT) runs it."), ["northern rail trust = nrt"]);
  assert.deepEqual(aliases("He lived in Salem (Oregon) and Bath (England)."), []);
  assert.ok(isAbbreviation("nrt", "northern rail trust corporation"));
  assert.ok(!isAbbreviation("oregon", "salem"));
});

test("a place of birth and the object of a verb are not aliases", () => {
  assert.deepEqual(
    aliases("Erik Lind (born in Oslo) met her. Erik Lind was born in Bergen. Anna called Tom."),
    [],
  );
});

test("a name with its apposition at the start of a sentence has the aliases, too", () => {
  assert.deepEqual(aliases("Otto II, Duke of Bern (born Karl Lind), ruled."), [
    "otto ii duke of bern = karl lind",
    "otto ii = karl lind",
  ]);
});

test("a short form in quotation marks is an alias, a role is not", () => {
  assert.deepEqual(
    aliases('It is made between Calloway Instruments ("Calloway") and Ferrum Castings ("the Supplier").'),
    ["calloway instruments = calloway"],
  );
});
