import assert from "node:assert/strict";
import { it } from "node:test";
import { typeByGivenName, typeByHead } from "./open-types.ts";

it("a name of several words that says what it is has that type", () => {
  const types = {
    "The Museum of Clocks": "Organization",
    "University of Kestreldale": "Organization",
    "Calderon Castings GmbH": "Organization",
    "Clínica Orrick": "Organization",
    "FC Kestreldale": "Organization",
    "Kestreldale SK": "Organization",
    "Lake Miramar": "Location",
    "Harbour Street": "Location",
    "Battle of Rennweg": "Event",
    "Osterby Jazz Festival": "Event",
  };
  for (const [name, type] of Object.entries(types)) assert.equal(typeByHead(name), type, name);
});

it("a person's name, a single word and a noun in small letters say nothing", () => {
  for (const name of ["Jessica Lake", "Museum", "Norrland", "Osterby museum", "Marek Nowak"])
    assert.equal(typeByHead(name), null, name);
});

it("a given name before another name is a person's", () => {
  const types = {
    "Selin Orrick": "Person",
    "Jean-Mikael Orrick": "Person",
    "Selin Foods": null,
    "Green Orrick": null,
  };
  for (const [name, type] of Object.entries(types)) assert.equal(typeByGivenName(name), type, name);
});
