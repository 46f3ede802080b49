import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { statedYear, type TimedEvent } from "./stated-year.ts";

const born: TimedEvent = ["born"];
const built: TimedEvent = ["built"];
const released: TimedEvent = ["released", "published"];

describe("a sentence states the year of an event", () => {
  const cases: readonly (readonly [string, string, TimedEvent, number])[] = [
    ["Ebbford Tower was built in May 1790.", "Ebbford Tower", built, 1790],
    ["The Ebbford Tower was built in Velden on 3 May 1790 by Maud Pell.", "Ebbford Tower", built, 1790],
    ["Ebbford Tower was built in 1790 near Kestrel Bay.", "Ebbford Tower", built, 1790],
    ["Rope is a 1948 Danish film about a harbour.", "Rope", released, 1948],
    ['"Rope" was released in 1948.', "Rope", released, 1948],
    ["Odile Brandt (3 May 1852 – 1911) kept bees.", "Odile Brandt", born, 1852],
    ["Odile Brandt (3 May 1852 – 1911) kept bees.", "Odile Brandt", "died", 1911],
    ["Odile Brandt (born May 3, 1852) keeps bees.", "Odile Brandt", born, 1852],
    ["Odile Brandt died in Kestrel Bay, Velden, on 2 June 1911.", "Odile Brandt", "died", 1911],
  ];
  for (const [sentence, name, event, year] of cases)
    test(sentence, () =>
      assert.equal(statedYear({ text: sentence, isTitled: false }, name, event)?.year, year),
    );
});

describe("a sentence does not state it", () => {
  const cases: readonly (readonly [string, TimedEvent])[] = [
    ["Her father died in 1870 when Odile Brandt was young.", "died"],
    ["Odile Brandt killed Carl Moss in 1870.", "died"],
    ["Odile Brandt lost her husband, who died in 1870.", "died"],
    ["After the death of her brother in 1870 Odile Brandt moved.", "died"],
    ["Odile Brandt's first child was born in 1890.", born],
    ["Odile Brandt had a son, Ivo, who was born in 1890.", born],
    ["Odile Brandt Junior was born in 1890.", born],
    ["Ida Odile Brandt was born in 1890.", born],
    ["The house beside Odile Brandt was built in 1890.", built],
    ["The house of Odile Brandt was built in 1890.", built],
    ["Odile Brandt was built by Ivo Lank, who was born in 1801.", built],
    ["Odile Brandt bought Gamma Works, which was built in 1850.", built],
    ["Odile Brandt was built some time after 1950.", built],
    ["Odile Brandt was built before 1950.", built],
    ["Odile Brandt was born long before the war of 1890.", born],
    ["Odile Brandt is to be built in 1950.", built],
    ["It is false that Odile Brandt died in 1840.", "died"],
    ["Odile Brandt was rumoured to have died in 1840, but she lived on.", "died"],
    ["Odile Brandt was born on page 1234 of the novel.", born],
    ["Odile Brandt was built of 1800 stones in the year 950.", built],
    ["Odile Brandt died in 1240 AH.", "died"],
    ["Odile Brandt died in 1240 bc.", "died"],
    ["Odile Brandt was built in 1240 of the old count.", built],
    ["Odile Brandt was built in 1240 by the old count.", built],
    ["Odile Brandt was built in 1240, as the old count has it.", built],
    ["Odile Brandt was built in 1240 (old count).", built],
    ["Odile Brandt was built in 1240 and never stood.", built],
    ["Odile Brandt was built in 1240 O.C.", built],
    ["Odile Brandt was built in 1790 in a story.", built],
    ["Odile Brandt was rebuilt in 1950 (originally built of timber).", built],
    ["Odile Brandt was released on video in 2001.", released],
    ["Odile Brandt was re-released in 1990.", released],
    ["Odile Brandt is a 1988 company.", ["acquired"]],
    ["Odile Brandt (reigned 1250–1270) kept bees.", born],
    ["Odile Brandt (active 1840-1910) kept bees.", "died"],
    ["Odile Brandt (1852) kept bees.", born],
    ["Odile Brandt (1852–1870) led the school.", "died"],
    ["Odile Brandt is a 1972 concert recording, first released in 2005.", released],
    ["Odile Brandt is a 1972 film that came out in 2005.", released],
    ["Odile Brandt was built in 1790, but the beams are of 1902.", built],
    ["Odile Brandt was built in 1305 of one calendar, which is 1888 of ours.", built],
    ["The replica Odile Brandt was built in 1990.", built],
    ["The younger Odile Brandt died in 1880.", "died"],
    ["Odile Brandt was not born in 1801.", born],
    ["She died in 1931.", "died"],
    ["Begun in 1300, it was built by 1410.", built],
  ];
  for (const [sentence, event] of cases)
    test(sentence, () =>
      assert.equal(statedYear({ text: sentence, isTitled: true }, "Odile Brandt", event), null),
    );
});

test("below a title the sentence may begin with a fuller form of the name, elsewhere not", () => {
  const text = "Odile Maria Brandt (born 3 May 1852 in Kestrel Bay) keeps bees.";
  assert.equal(statedYear({ text, isTitled: true }, "Odile Brandt", born)?.year, 1852);
  assert.equal(statedYear({ text, isTitled: false }, "Odile Brandt", born), null);
  const other = "Ivo Brandt (born 3 May 1822) was her father.";
  assert.equal(statedYear({ text: other, isTitled: true }, "Odile Brandt", born), null);
});
