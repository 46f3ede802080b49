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
      assert.equal(statedYear({ text: sentence, isAbout: false, isFirst: false }, name, event)?.year, year),
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
    ["Odile Brandt died in 1790 or 1850.", "died"],
    ["Odile Brandt died in 1240 bc.", "died"],
    ["Odile Brandt was built in 1240 of the old count.", built],
    ["Odile Brandt was built in 1240 (old count).", built],
    ["Odile Brandt was built in 1240 O.C.", built],
    ["Odile Brandt was rebuilt in 1950 (originally built of timber).", built],
    ["Odile Brandt was released on video in 2001.", released],
    ["Odile Brandt was re-released in 1990.", released],
    ["Odile Brandt is a 1988 company.", ["acquired"]],
    ["Odile Brandt (reigned 1250–1270) kept bees.", born],
    ["Odile Brandt (active 1840-1910) kept bees.", "died"],
    ["Odile Brandt (1852) kept bees.", born],
    ["Odile Brandt (1852–1870) led the school.", "died"],
    ["Odile Brandt is a 1972 concert recording, first released in 2005.", released],
    ["Odile Brandt was built in 1305 of one calendar, which is 1888 of ours.", built],
    ["The replica Odile Brandt was built in 1990.", built],
    ["The younger Odile Brandt died in 1880.", "died"],
    ["Odile Brandt was not born in 1801.", born],
    ["Begun in 1300, it was built by 1410.", built],
    ["Odile Brandt died in a house built in 1790.", "died"],
    ["Odile Brandt died in Velden near the bridge opened in 1850.", "died"],
    ["Odile Brandt died childless, leaving the mill founded in 1790.", "died"],
    ["Odile Brandt died in Velden, where Ivo lived in 1930.", "died"],
    ["Odile Brandt died not in 1850.", "died"],
    ["Odile Brandt was born later than Ivo in 1850.", born],
    ["The husband died in 1920.", "died"],
    ["The church was built in 1700.", built],
    ["Born in 1920, the son of Karl moved away.", born],
  ];
  for (const [sentence, event] of cases)
    test(sentence, () =>
      assert.equal(
        statedYear({ text: sentence, isAbout: true, isFirst: false }, "Odile Brandt", event),
        null,
      ),
    );
});

describe("in a passage about the thing", () => {
  const cases: readonly (readonly [string, TimedEvent, number])[] = [
    ["Odile Maria Brandt (born 3 May 1852 in Kestrel Bay) keeps bees.", born, 1852],
    ["Dame Ida Odile Brandt ( 1852 – 3 May 1911), known as Od, kept bees.", "died", 1911],
    ["She died in Velden in 1931.", "died", 1931],
    ["The film was made by Ivo Lank and released on 12 March 1968.", released, 1968],
    ["Odile Brandt is an English keeper of bees who was born in Velden in 1852.", born, 1852],
    ["Founded in 1966, it is the oldest of its kind.", ["founded"], 1966],
    ["Odile Brandt, also known as The Bees, is a lost 1974 Danish silent film.", released, 1974],
  ];
  for (const [text, event, year] of cases)
    test(text, () => {
      assert.equal(statedYear({ text, isAbout: true, isFirst: false }, "Odile Brandt", event)?.year, year);
    });

  test("the first sentence gives the life, whatever name it begins with; elsewhere another name does not", () => {
    const text = "Karla Moss, best known as Odile Brandt (3 May 1852 – 2 June 1911), kept bees.";
    const lifeIn = (isFirst: boolean) => statedYear({ text, isAbout: true, isFirst }, "Odile Brandt", born);
    assert.deepEqual(lifeIn(true), { year: 1852, end: 1911 });
    assert.equal(lifeIn(false), null);
    const fuller = "Odile Maria Brandt (born 3 May 1852) keeps bees.";
    assert.equal(statedYear({ text: fuller, isAbout: false, isFirst: false }, "Odile Brandt", born), null);
  });
});
