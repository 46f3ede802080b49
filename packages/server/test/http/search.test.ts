import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createProject, ingestAll, type PlacedChunk, placedChunks, type Text } from "../support/ingestion.ts";
import { bothDatabases, type Home, startTestService, type TestService } from "../support/service.ts";

const LIBRARY: Readonly<Record<string, string>> = {
  lighthouse: `# Skarvik Light

The lighthouse on Skarvik Head was designed by the engineer Maren Oldsund. Granite for its walls came by barge from the
quarries at Tylle. The tower was finished on 14 September 1889, two years later than planned. Its lamp can be seen from
nineteen nautical miles away. Nobody has lived there since the lamp was automated.`,
  sourdough: `Feed the starter with equal weights of rye flour and water, and leave it in a warm corner overnight. Mix the
dough when the starter has doubled. A wet dough needs folding every half hour instead of kneading. Bake the loaf under a
lid for twenty minutes, then without it until the crust is dark.`,
  pump: `The PX-4471-B circulation pump moves 38 litres a minute against a head of six metres. Replace the ceramic seal
(part number 9902-17-C) after 4,000 hours. Running the pump dry destroys the seal within seconds. The motor draws 45 watts.`,
  refunds: `Customers may return unworn shoes within thirty days and get their money back. Refunds go to the card that was
charged. Sale items can only be exchanged. For questions write to returns@tindlewick.example or call the desk in Quenby.`,
  beetles: `The marsh beetle Hydrophagus lenti lays its eggs on the underside of water lily leaves. Larvae breathe through a
tube at the tail. Adults fly at dusk and are drawn to lamps. Herons and pike eat them in great numbers.`,
  outage: `At 03:12 the payment gateway began to answer with error E-5093-TLS. The cause was an expired certificate on the
balancer in rack seven. Dorota Kvist renewed it and traffic recovered at 03:47. Alerts now fire two weeks before a
certificate runs out.`,
  volcano: `Mount Ashkarra last erupted in the winter of 1707, when ash covered the vineyards of Bellorin. Since then only
steam has risen from the crater. Seismologists measure the swelling of its flank with tiltmeters.`,
  loom: `A weaver in Ostrava-by-the-Sea holds the warp threads under tension on a standing loom. The weft passes between them on
a shuttle carved from apple wood. Patterns are read from a strip of knotted cord. One blanket takes eleven days.`,
  council: `The council of Nether Wyle voted by seven to four to close the river road to lorries. Councillor Anselm Pryce spoke
against it because the detour is long. The closure begins on 1 March and will be reviewed after a year.`,
  medicine: `Take one tablet of Velorine in the morning with food. Do not drink grapefruit juice while you take it. Tell your
doctor at once if your ankles swell. Patients with kidney disease get half the dose.`,
  orchestra: `The chamber orchestra of Lindqvist Hall rehearses without a conductor. Its first violinist, Teodora Vance, leads
with her eyebrows. They recorded all six suites by the forgotten composer Ambrose Thelwall.`,
  glacier: `Der Gletscher am Hohenfirn hat seit 1950 ein Drittel seiner Fläche verloren. Im Sommer fließt das Schmelzwasser in
den Stausee Dunkelbach. Die Messungen stammen von der Hochschule in Brixental.`,
};

const DOCUMENTS: readonly Text[] = Object.entries(LIBRARY).map(([source_doc_id, text]) => ({
  text,
  source_doc_id,
}));
/** Chunks that all match a question better than those of other documents. */
const LOGBOOK: Text = {
  source_doc_id: "logbook",
  text: Array.from(
    { length: 120 },
    (_, at) => `The pump of the logbook ran well on day ${at}, says the logbook of the pump.`,
  ).join("\n\n"),
};

/** Question → the document that answers it. */
const QUESTIONS: readonly (readonly [string, string])[] = [
  ["When was the tower at Skarvik Head finished?", "lighthouse"],
  ["Who designed the lighthouse?", "lighthouse"],
  ["How do I look after a sourdough starter?", "sourdough"],
  ["how long is the loaf baked without its lid", "sourdough"],
  ["How often does the pump's seal have to be changed?", "pump"],
  ["Can I get my money back for shoes I have not worn?", "refunds"],
  ["Where do the water insects put their eggs?", "beetles"],
  ["Why did payments fail in the night?", "outage"],
  ["What broke the online checkout?", "outage"],
  ["Which drug must not be combined with citrus?", "medicine"],
  ["What preys on the aquatic insect?", "beetles"],
  ["How are textiles made by hand?", "loom"],
  ["When did the volcano last erupt?", "volcano"],
  ["How long does it take to weave a blanket?", "loom"],
  ["Who was against closing the road to trucks?", "council"],
  ["What must patients not drink with Velorine?", "medicine"],
  ["Which ensemble plays without a conductor?", "orchestra"],
  ["Wie viel Fläche hat der Gletscher verloren?", "glacier"],
];

const EXACT_TERMS: readonly (readonly [string, string])[] = [
  ["PX-4471-B", "pump"],
  ["9902-17-C", "pump"],
  ["returns@tindlewick.example", "refunds"],
  ["E-5093-TLS", "outage"],
  ["what is error e-5093-tls", "outage"],
  ["Thelwall", "orchestra"],
  ["hydrophagus", "beetles"],
  ["dunkelbach", "glacier"],
];

/** Question → what one sentence of the summary must say. */
const SUMMARIES: readonly (readonly [string, RegExp])[] = [
  ["When was the tower at Skarvik Head finished?", /The tower was finished on 14 September 1889/],
  ["When did Mount Ashkarra last erupt?", /last erupted in the winter of 1707/],
  ["When does the closure of the river road begin?", /The closure begins on 1 March/],
  ["Who renewed the certificate?", /Dorota Kvist renewed it/],
];

/** What the documents' subjects are asked, but no document says. */
const UNANSWERED: readonly string[] = [
  "How much did the lighthouse on Skarvik Head cost?",
  "Which animal ate the weaver's apples?",
  "Who sells the marsh beetle to collectors?",
  "What colour are the tablets of Velorine?",
  "When was the payment gateway bought?",
  "How old is the conductor of the chamber orchestra?",
  "Who owns the vineyards of Bellorin?",
  "How long is the river road of Nether Wyle?",
];

interface Running {
  readonly home: Home;
  readonly service: TestService;
  readonly projectId: string;
}

const running = new Map<string, Running>();

// Before the databases are taken into use, so that the services end first.
after(async () => {
  for (const { home, service } of running.values()) {
    await service.stop();
    await home.remove();
  }
});
const settings = bothDatabases();

before(async () => {
  for (const setting of settings) {
    const home = await setting.createHome();
    const service = await startTestService({ home });
    const projectId = await createProject(service.owner);
    running.set(setting.database, { home, service, projectId });
    await ingestAll(service.owner, projectId, DOCUMENTS);
  }
});
function on(database: string): Running {
  const found = running.get(database);
  assert.ok(found);
  return found;
}

async function ask(database: string, query: string, limits: Readonly<Record<string, number>> = {}) {
  const { service, projectId } = on(database);
  return service.owner.succeed("query", { params: { project_id: projectId }, body: { query, ...limits } });
}

function ranked(database: string, query: string): Promise<readonly PlacedChunk[]> {
  const { service, projectId } = on(database);
  return placedChunks(service.owner, projectId, query);
}

for (const { database } of settings) {
  describe(`on ${database}`, () => {
    for (const [query, document] of QUESTIONS) {
      test(`"${query}" is answered first by the text about the ${document}`, async () => {
        const [first, second] = await ranked(database, query);
        assert.equal(first?.source_doc_id, document);
        assert.ok(first.similarity > (second?.similarity ?? 0));
      });
    }

    for (const [query, document] of EXACT_TERMS) {
      test(`the exact term in "${query}" finds the text about the ${document}`, async () => {
        assert.equal((await ranked(database, query))[0]?.source_doc_id, document);
      });
    }

    for (const [query, sentence] of SUMMARIES) {
      test(`the summary of "${query}" has the sentence that answers it`, async () => {
        assert.match((await ask(database, query)).results.summary.replace(/\s+/g, " "), sentence);
      });
    }

    test("what no document says is mostly denied, with less similarity than what one says; a right answer is hardly ever", async () => {
      const answers = async (queries: readonly string[]) => {
        const results = [];
        for (const query of queries) results.push((await ask(database, query)).results);
        const similarities = results.map(({ chunks }) => chunks[0]?.similarity ?? 0);
        return {
          denied: results.filter(({ summary }) =>
            summary.startsWith("No passage that was found answers this."),
          ).length,
          similarity: similarities.reduce((sum, each) => sum + each, 0) / results.length,
        };
      };
      const missing = await answers(UNANSWERED);
      const answered = await answers(QUESTIONS.map(([query]) => query));
      assert.ok(missing.denied >= UNANSWERED.length / 2, `${missing.denied} denied`);
      assert.ok(answered.denied <= 2, `${answered.denied} denied`);
      assert.ok(missing.similarity < 0.6 * answered.similarity, JSON.stringify([missing, answered]));
    });

    test("a summary is verbatim text of the chunks, a few sentences, none of them twice", async () => {
      for (const [query] of QUESTIONS) {
        const { summary, chunks } = (await ask(database, query)).results;
        const source = chunks.map((chunk) => chunk.text.replace(/\s+/g, " ")).join(" ");
        const quoted = summary.replace(/^No passage that was found answers this\. What comes nearest:\n/, "");
        const sentences = quoted.replace(/\s+/g, " ").split(/(?<=[.!?]) (?=\p{Lu})/u);
        assert.ok(sentences.length >= 1 && sentences.length <= 5, summary);
        assert.equal(new Set(sentences).size, sentences.length, summary);
        for (const sentence of sentences) assert.ok(source.includes(sentence), sentence);
      }
    });

    test("a text that is most of the project leaves places to the others where only few of it may be returned", async () => {
      const { service } = on(database);
      const projectId = await createProject(service.owner);
      await ingestAll(service.owner, projectId, [LOGBOOK, ...DOCUMENTS.slice(0, 6)]);
      for (const filter of [null, { source_doc_id: ["logbook", "pump", "outage", "beetles"] }]) {
        const body = { query: "What does the pump of the logbook do?", include: ["provenance"], filter };
        const ask = async (limits: Readonly<Record<string, number>>) => {
          const asked = { params: { project_id: projectId }, body: { ...body, ...limits } };
          return (await service.owner.succeed("query", asked)).results.chunks.map(
            (chunk) => chunk.source_doc_id,
          );
        };
        assert.deepEqual([...new Set(await ask({ top_k: 4 }))], ["logbook"]);
        const spread = await ask({ top_k: 4, max_per_document: 1 });
        assert.deepEqual([spread.length, new Set(spread).size], [4, 4]);
      }
    });

    test("capitals, accents and full-width letters make no difference to a term", async () => {
      for (const query of ["velorine", "VELORINE", "vélorine", "Ｖｅｌｏｒｉｎｅ"]) {
        const chunks = await ranked(database, query);
        const found = chunks.find((chunk) => chunk.source_doc_id === "medicine");
        assert.equal(found?.similarity, chunks[0]?.similarity, query);
      }
    });

    test("a question of nothing but punctuation or unknown words is answered all the same", async () => {
      for (const query of ["?!", "…", "🎻", "zzqxv wkrpt", "\0", "a".repeat(3000)]) {
        const { results } = await ask(database, query);
        assert.equal(results.chunks.length, 10, JSON.stringify(query.slice(0, 20)));
      }
    });
  });
}

test("both databases give the same lists, similarities and summaries, to the bit", async () => {
  for (const [query] of [...QUESTIONS, ...EXACT_TERMS]) {
    const [first, second] = settings.map(({ database }) => database);
    assert.ok(first !== undefined && second !== undefined);
    const content = async (database: string) => ({
      answer: await ask(database, query),
      spread: await ask(database, query, { max_per_document: 1 }),
      chunks: (await ranked(database, query)).map(({ chunk_id: _, ...chunk }) => chunk),
    });
    assert.deepEqual(await content(first), await content(second), query);
  }
});
