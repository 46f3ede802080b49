import assert from "node:assert/strict";
import { test } from "node:test";
import { readLexicon } from "./lexicon.ts";
import { findDocumentSubjects, findSubjects } from "./subjects.ts";

function subjects(document: string, title: string | null = null): string[] {
  const { subjects: found } = findDocumentSubjects(document, { title, lexicon: readLexicon(document) });
  return found.map(({ kind, name }) => `${kind} ${name}`);
}

test("the subjects of a titled document are its title and the forms of it in the first sentence", () => {
  const text = "Tom Lind (actor)\nThomas Karl Lind (born 5 May 1950), known as Buzz, is an actor.";
  const found = subjects(text, "Tom Lind (actor)");
  assert.equal(found[0], "title tom lind actor");
  for (const name of ["tom lind", "thomas karl lind", "thomas lind", "buzz"])
    assert.ok(found.includes(`alias ${name}`), name);
});

test("a part of the title, or the subject of an unrelated first sentence, is not a subject", () => {
  assert.deepEqual(subjects("Siege of Alder\nAlder was a town of merchants.", "Siege of Alder"), [
    "title siege of alder",
  ]);
  assert.deepEqual(subjects("Grammar\nLindholm is a town.", "Grammar"), ["title grammar"]);
});

test("a name that the first sentence only mentions is not a form of the title", () => {
  const text = "Alder Works\nAfter the fall of Alder Bay the works closed.";
  assert.deepEqual(subjects(text, "Alder Works"), ["title alder works"]);
});

test("a subtitle is part of the name; the name without it is an alias", () => {
  assert.deepEqual(subjects("Night Train: A Life is a novel."), [
    "opening night train a life",
    "alias night train",
  ]);
});

test("the subject of a document without title is the term that its first sentence defines", () => {
  assert.deepEqual(subjects("The Alder Bridge is a bridge in Lindholm."), ["opening alder bridge"]);
  assert.deepEqual(subjects("The mitochondrion is an organelle."), ["opening mitochondrion"]);
  assert.deepEqual(subjects("How It Ends is a novel by Ida Berg."), ["opening how it ends"]);
  assert.deepEqual(subjects("In 1973, Ida Berg was elected."), ["opening ida berg"]);
  assert.deepEqual(subjects("The 2005–06 Alder Cup season was the third."), [
    "opening 2005 06 alder cup season",
  ]);
  assert.deepEqual(subjects("Lindholm’s largest park is old."), ["opening lindholm"]);
});

test("other forms of the opening's name are aliases", () => {
  assert.deepEqual(subjects("Otto II, Duke of Bern, was a duke."), [
    "opening otto ii",
    "alias otto ii duke of bern",
  ]);
  assert.deepEqual(subjects('Karl "Buzz" Lind was a pilot.'), [
    "opening karl buzz lind",
    "alias karl lind",
    "alias buzz lind",
  ]);
  assert.deepEqual(subjects("Alder Hall or Lind House is a house."), [
    "opening alder hall",
    "alias lind house",
  ]);
});

test("a document that begins with a pronoun, or is blank, has no subject", () => {
  for (const text of ["It is in Oslo.", "They met Ida Berg.", "", " \n"])
    assert.deepEqual(subjects(text), []);
});

test("the subjects of a chunk are its document and its section, except sections of any text", () => {
  const document = findDocumentSubjects("x", { title: "Alder", lexicon: readLexicon("x") });
  const about = (header: string, text: string) =>
    findSubjects({ header, text }, document).map(({ kind, name }) => `${kind} ${name}`);
  assert.deepEqual(about("Alder > 2.1 Lind Valley", "Text."), ["title alder", "section lind valley"]);
  assert.deepEqual(about("Alder", "## Port Works\n\nText."), ["title alder", "section port works"]);
  assert.deepEqual(about("Alder > History", "Text."), ["title alder"]);
  assert.deepEqual(about("Alder", "Text."), ["title alder"]);
});
