import assert from "node:assert/strict";
import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { sqlite, useService } from "../../server/test/support/service.ts";
import { makeFolder, runCli } from "./run-cli.ts";

const use = useService(sqlite);

let home = "";
let env: Readonly<Record<string, string>> = {};
/** Runs `kcs` as somebody who has logged in. */
const kcs = (args: readonly string[], stdin?: string) =>
  runCli(args, { env, ...(stdin !== undefined && { stdin }) });

before(async () => {
  home = await makeFolder();
  env = { HOME: home };
});

describe("kcs login", () => {
  test("keeps the address and the key where nobody else can read them, after trying them", async () => {
    const { baseUrl, home: place } = use();
    const { code, err } = await kcs(["login", `${baseUrl}/api/v1/`], `${place.ownerKey}\n`);
    assert.equal(code, 0, err);
    const path = join(home, ".config/kcs/config.json");
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.deepEqual(JSON.parse(await readFile(path, "utf8")), { url: baseUrl, key: place.ownerKey });
    assert.ok(!err.includes(place.ownerKey));
  });

  test("keeps nothing of a key that does not work", async () => {
    const { baseUrl } = use();
    const other = { HOME: await makeFolder() };
    const { code, err } = await runCli(["login", baseUrl], { env: other, stdin: "kcs_wrong" });
    assert.equal(code, 3);
    assert.match(err, /^kcs login: The key is not valid/);
    await assert.rejects(stat(join(other.HOME, ".config")));
    assert.equal((await runCli(["login", "nowhere"], { env: other })).code, 2);
    assert.equal((await runCli(["login", baseUrl], { env: other })).code, 2);
  });

  test("takes the key from the environment", async () => {
    const { baseUrl, home: place } = use();
    const other = { HOME: await makeFolder(), KCS_KEY: place.ownerKey };
    assert.equal((await runCli(["login", baseUrl], { env: other })).code, 0);
  });
});

describe("kcs projects", () => {
  test("creates, lists, chooses and deletes", async () => {
    const created = await kcs(["projects", "create", "Ha\u001b[31mrbour", "--vector-only"]);
    const id = created.out.trim();
    assert.match(id, /^prj_/);
    const listed = await kcs(["projects"]);
    assert.match(listed.out, new RegExp(`^\\*  ${id}  vectors  \\d{4}-\\d\\d-\\d\\d  Ha␛\\[31mrbour\n`));
    const json = await kcs(["projects", "list", "--json"]);
    assert.equal(JSON.parse(json.out)[0].name, "Ha\u001b[31mrbour");
    const second = (await kcs(["projects", "create", "Second"])).out.trim();
    assert.equal((await kcs(["projects", "use", id])).code, 0);
    assert.match((await kcs(["projects"])).out, new RegExp(`\\*  ${id}`));
    assert.equal((await kcs(["projects", "delete", second])).code, 0);
    const gone = await kcs(["projects", "use", second]);
    assert.deepEqual([gone.code, gone.err], [4, `kcs projects: Project ${second} not found\n`]);
  });
});

describe("kcs query", () => {
  test("shows the summary, then the passages; as JSON what the service says", async () => {
    const text = "The dredger Wanda works the east basin every second spring.\u001b]0;title\u0007";
    const ingested = await kcs(["ingest", "-", "--id", "harbour-log", "--metadata", "year=1994"], text);
    assert.equal(ingested.code, 0, ingested.err);
    const shown = await kcs(["query", "When", "is", "the", "basin", "dredged?", "-k", "1"]);
    assert.equal(shown.code, 0, shown.err);
    const form =
      /^The dredger Wanda [^\n]*\n\nPassages \(\w+\)\n {2}1 {2}\d\.\d\d {2}harbour-log\n {5}The dredger/;
    assert.match(shown.out, form);
    assert.ok(!shown.out.includes("\u001b"), "nothing that a terminal obeys comes from a document");
    const coloured = await runCli(["query", "basin"], { env, terminal: { columns: 60, hasColour: true } });
    assert.ok(coloured.out.includes("\u001b[1mPassages"));
    const plain = await runCli(["query", "basin"], { env, terminal: { columns: 60, hasColour: false } });
    assert.ok(!plain.out.includes("\u001b"));
    const streamed = await kcs(["query", "--stream", "When is the basin dredged?", "-k", "1"]);
    assert.equal(streamed.code, 0, streamed.err);
    assert.match(streamed.out, form);
    assert.ok(!streamed.out.includes("\u001b"));
    const json = await kcs(["query", "-", "--json", "--metadata", "year=1994"], "Which dredger?");
    assert.equal(JSON.parse(json.out).results.chunks[0].source_doc_id, "harbour-log");
    const none = await kcs(["query", "basin", "--metadata", 'year="1994"']);
    assert.equal(none.out, "Nothing was found.\n");
    const noneStreamed = await kcs(["query", "basin", "--stream", "--metadata", 'year="1994"']);
    assert.equal(noneStreamed.out, "Nothing was found.\n");
  });

  test("shows as many passages of one document as are asked for", async () => {
    const line = "The cooper of Skarvik counts barrels and staves again.";
    const long = Array.from({ length: 200 }, (_, at) => `${line} Barrel ${at} is sound.`).join("\n\n");
    assert.equal((await kcs(["ingest", "-", "--id", "barrels"], long)).code, 0);
    assert.equal((await kcs(["ingest", "-", "--id", "cooper"], "The cooper of Skarvik is old.")).code, 0);
    const documents = async (...options: readonly string[]) => {
      const { out } = await kcs(["query", "Who counts barrels and staves?", "-k", "3", "--json", ...options]);
      const { chunks } = JSON.parse(out).results;
      return chunks.map(({ source_doc_id: id }: { source_doc_id: string }) => id);
    };
    assert.deepEqual(await documents(), ["barrels", "barrels", "barrels"]);
    const few = await documents("--max-per-document", "1");
    assert.deepEqual([few.length, new Set(few).size, few[0]], [3, 3, "barrels"]);
  });

  test("says what is wrong with a command line, and ends with 2", async () => {
    const wrong: readonly (readonly [args: readonly string[], fault: RegExp])[] = [
      [["query"], /the question is missing/],
      [["query", "x", "--top-k", "0"], /--top-k is 0, expected a whole number from 1 to 100/],
      [
        ["query", "x", "--max-per-document", "101"],
        /--max-per-document is 101, expected a whole number from 1 to 100/,
      ],
      [["query", "x", "--mode", "fast"], /--mode is fast, expected static or dynamic/],
      [["query", "x", "--tpo-k", "3"], /Unknown option '--tpo-k'/],
      [["query", "x", "--metadata", "year"], /expected KEY=VALUE/],
      [["qeury"], /there is no command qeury/],
      [["jobs", "show"], /there is no kcs jobs show, expected one of list, watch, cancel, retry/],
      [["graph"], /kcs graph needs a subcommand, expected one of export, entities/],
    ];
    for (const [args, fault] of wrong) {
      const { code, err, out } = await kcs(args);
      assert.deepEqual([code, out], [2, ""]);
      assert.match(err, fault);
    }
    const nobody = await runCli(["projects"], { env: { HOME: await makeFolder() } });
    assert.equal(nobody.code, 2);
    assert.match(nobody.err, /There is no API key\. Run kcs login, or set KCS_KEY\./);
    const unchosen = await runCli(["jobs"], { env: { HOME: await makeFolder(), KCS_KEY: "kcs_x" } });
    assert.match(unchosen.err, /No project is selected/);
  });
});

test("a project is moved to a configured embedding model, and only to one", async () => {
  const id = (await kcs(["projects", "create", "Moved", "--vector-only"])).out.trim();
  const moved = await kcs(["projects", "reembed", id]);
  assert.deepEqual(
    [moved.code, moved.out],
    [0, "not moved: the project has all-MiniLM-L6-v2 already, 0 chunks\n"],
    moved.err,
  );
  assert.equal((await kcs(["projects", "reembed", "--status", "-p", id])).out, moved.out);
  const unknown = await kcs(["projects", "reembed", id, "--to", "elsewhere"]);
  assert.deepEqual([unknown.code, unknown.out], [1, ""]);
  assert.match(unknown.err, /got "elsewhere", expected one that is configured: all-MiniLM-L6-v2/);
  assert.match((await kcs(["projects", "reembed", id, "--cancel"])).err, /nothing to cancel/);
  assert.equal((await kcs(["projects", "reembed", id, "--cancel", "--status"])).code, 2);
});

test("a project's documents are read again, and a project without a graph is refused", async () => {
  const id = (await kcs(["projects", "create", "Read again"])).out.trim();
  const text = "Larkspur Mill is a weaving mill that was founded by Odile Brandt in 1871.";
  const ingested = await kcs(["ingest", "-", "--id", "mill", "-p", id], text);
  assert.equal(ingested.code, 0, ingested.err);
  assert.equal((await kcs(["reread", "--status", "-p", id])).out, "completed, 0 documents of 0 documents\n");
  const read = await kcs(["reread", id, "--wait"]);
  assert.deepEqual([read.code, read.out], [0, "completed, 1 document of 1 document\n"], read.err);
  assert.equal((await kcs(["reread", "--status", "-p", id])).out, read.out);
  const started = await kcs(["reread", id, "--json"]);
  assert.equal(JSON.parse(started.out).documents_total, 1);
  await kcs(["reread", id, "--wait"]);
  assert.match((await kcs(["reread", id, "--cancel"])).err, /nothing to cancel/);
  assert.equal((await kcs(["reread", id, "--cancel", "--wait"])).code, 2);
  const some = await kcs(["documents", "reread", "mill", "mill", "-p", id]);
  assert.deepEqual([some.code, some.err], [0, "1 document to be read again. Next: kcs jobs --watch\n"]);
  const unknown = await kcs(["documents", "reread", "mill", "pond", "-p", id]);
  assert.equal(unknown.code, 4);
  assert.match(unknown.err, /Documents not found: "pond"/);
  const flat = (await kcs(["projects", "create", "Flat", "--vector-only"])).out.trim();
  const refused = await kcs(["reread", flat]);
  assert.deepEqual([refused.code, refused.out], [1, ""]);
  assert.match(refused.err, /no graph, so there is nothing to read again/);
});

describe("what is in a project", () => {
  test("documents are listed, shown and deleted, the graph is exported, an answer explained", async () => {
    const id = (await kcs(["projects", "create", "Mills"])).out.trim();
    const text = "Larkspur Mill\n\nLarkspur Mill is a weaving mill that was founded by Odile Brandt in 1871.";
    const ingested = await kcs(["ingest", "-", "--id", "mill/1", "-p", id], text);
    assert.equal(ingested.code, 0, ingested.err);
    const explained = await kcs(["explain", "Who founded Larkspur Mill?", "-p", id]);
    assert.equal(explained.code, 0, explained.err);
    for (const step of [
      "Plan",
      "Lexical",
      "Dense",
      "Fused",
      "Graph",
      "Ranked",
      "Dropped",
      "Summary",
      "Milliseconds",
    ])
      assert.ok(explained.out.includes(step), step);
    const dated = await kcs(["explain", "Who ran Larkspur Mill before the flood?", "-p", id]);
    assert.match(dated.out, /event +before the flood: time not found\n/);
    assert.match((await kcs(["documents", "-p", id])).out, /^indexed {4} +1 chunk {3}\S+ \S+ {2}mill\/1\n$/);
    assert.equal((await kcs(["documents", "get", "mill/1", "-p", id])).out, `${text}\n`);
    const out = join(await makeFolder(), "graph.csv");
    assert.equal((await kcs(["graph", "export", "--format", "csv", "--out", out, "-p", id])).code, 0);
    assert.match(await readFile(out, "utf8"), /Odile Brandt/);
    assert.match((await kcs(["graph", "entities", "--search", "odile", "-p", id])).out, /Odile Brandt\n$/);
    await kcs(["ingest", "-", "--id", "visit", "-p", id], "Present were Odile Brandt and Tomas Vell.");
    const [founder] = JSON.parse(
      (await kcs(["graph", "entities", "--search", "odile", "--json", "-p", id])).out,
    ).entities;
    const associated = await kcs(["graph", "associations", founder.entity_id, "-p", id], "");
    assert.match(associated.out, /0\.\d\d {2}1 chunk +Tomas Vell\n$/);
    const proposed = await kcs(["graph", "proposals", "-p", id]);
    assert.deepEqual([proposed.code, proposed.out, proposed.err], [0, "", "No relationship is proposed.\n"]);
    const pattern =
      '{"nodes": [{"name": "Larkspur Mill"}, {"name": "Odile Brandt"}], "edges": [{"direction": "any"}]}';
    const matched = await kcs(["match", pattern, "--explain", "-p", id]);
    assert.match(matched.out, /^Larkspur Mill (?:-\w+->|<-\w+-) Odile Brandt\n$/);
    assert.match(matched.err, /^nodes\[0\] by name: 1 read, 1 rows\n/);
    assert.match((await kcs(["match", "-", "-p", id], "{}")).err, /nodes: missing/);
    await kcs(["documents", "delete", "visit", "-p", id]);
    const stats = (await kcs(["projects", "stats", id])).out;
    assert.match(stats, /^documents +1\n/);
    assert.match(stats, /^entities +\d+\n {2}\w+ +\d+\n/m);
    assert.equal((await kcs(["documents", "delete", "mill/1", "-p", id])).code, 0);
    assert.equal((await kcs(["documents", "get", "mill/1", "-p", id])).code, 4);
  });
});

test("corrections are sent from a file, listed, exported and undone", async () => {
  const id = (await kcs(["projects", "create", "Corrected"])).out.trim();
  const text = "Larkspur Mill\n\nLarkspur Mill is a weaving mill that was founded by Odile Brandt in 1871.";
  await kcs(["ingest", "-", "--id", "mill/1", "-p", id], text);
  const [founder] = JSON.parse(
    (await kcs(["graph", "entities", "--search", "odile", "--json", "-p", id])).out,
  ).entities;
  const file = join(await makeFolder(), "corrections.jsonl");
  const entity = { type: founder.type, name: founder.name };
  await writeFile(file, `${JSON.stringify({ kind: "rename", entity, name: "Odile Marsh" })}\n`);
  const added = await kcs(["corrections", "add", file, "-p", id]);
  assert.deepEqual([added.code, added.err], [0, "Made 1 correction.\n"]);
  const listed = (await kcs(["corrections", "list", "-p", id])).out;
  assert.match(listed, /^cor_\w+ +\d{4}-\d\d-\d\d +1 chunk +rename Odile Brandt to Odile Marsh\n$/);
  assert.equal((await kcs(["corrections", "list", "--without-evidence", "-p", id])).out, "");
  const exported = JSON.parse((await kcs(["corrections", "export", "-p", id])).out);
  assert.equal(exported.name, "Odile Marsh");
  assert.equal((await kcs(["corrections", "undo", exported.correction_id, "-p", id])).code, 0);
  assert.equal((await kcs(["corrections", "export", "-p", id])).out, "");
  const mill = { type: "Organization", name: "Larkspur Mill" };
  const ends = { source: entity, type: "OWNS", target: mill };
  const owns = { kind: "add_relationship", ...ends, valid_from: "1871", valid_to: "1902-05" };
  await writeFile(file, `${JSON.stringify(owns)}\n`);
  assert.equal((await kcs(["corrections", "add", file, "-p", id])).code, 0);
  assert.match(
    (await kcs(["corrections", "list", "-p", id])).out,
    /add Odile Brandt OWNS Larkspur Mill from 1871 until 1902-05\n$/,
  );
  const lines = (await kcs(["corrections", "export", "-p", id])).out;
  assert.deepEqual([JSON.parse(lines).valid_from, JSON.parse(lines).valid_to], ["1871", "1902-05"]);
  await writeFile(file, lines);
  assert.equal((await kcs(["corrections", "add", file, "-p", id])).code, 0);
  await writeFile(file, "{}\nno JSON\n");
  assert.match((await kcs(["corrections", "add", file, "-p", id])).err, /line 2 is not valid JSON/);
});

test("what was corrected is put into the project's ontology, and the project moves to it on request", async () => {
  const folder = await makeFolder();
  const [schema, corrections] = [join(folder, "mills.json"), join(folder, "corrections.jsonl")];
  const ontology = { hierarchy: [{ level: 0, node_types: { Person: {}, Mill: {} } }], edge_types: [] };
  await writeFile(schema, JSON.stringify({ name: "Mills", schema: { ontology } }));
  const ontologyId = (await kcs(["ontologies", "create", schema])).out.trim();
  const id = (await kcs(["projects", "create", "Taught", "--ontology", ontologyId])).out.trim();
  const retype = { kind: "retype", entity: { type: "Person", name: "Vell" }, type: "Mill" };
  await writeFile(corrections, `${JSON.stringify(retype)}\n`);
  await kcs(["corrections", "add", corrections, "-p", id]);
  const taught = await kcs(["corrections", "teach", "-p", id]);
  assert.deepEqual([taught.code, taught.out], [0, "Mill: 1 example added\n"]);
  assert.match(taught.err, /^Version 2 of ont_\w+ has them\. Next: kcs corrections teach --bind\n$/);
  const bound = await kcs(["corrections", "teach", "--bind", "-p", id]);
  assert.match(bound.err, /^Version 2 of ont_\w+ has them\. The project is bound to it\.\n$/);
  const { moved } = JSON.parse((await kcs(["corrections", "teach", "--bind", "--json", "-p", id])).out);
  assert.equal(moved.reread, null);
});

describe("kcs ontologies", () => {
  const ontology = (sources: readonly string[]) => ({
    name: "Ferries",
    schema: {
      ontology: {
        hierarchy: [{ level: 0, node_types: { Ferry: { properties: ["name"] }, Quay: {} } }],
        edge_types: [{ name: "MOORS_AT", source_types: sources, target_types: ["Quay"] }],
      },
    },
  });

  test("checks, creates, shows and compares", async () => {
    const folder = await makeFolder();
    const [good, bad] = [join(folder, "good.json"), join(folder, "bad.json")];
    await writeFile(good, JSON.stringify(ontology(["Ferry"])));
    await writeFile(bad, JSON.stringify(ontology(["Fery"])));
    assert.equal((await kcs(["ontologies", "lint", good])).code, 0);
    await writeFile(good, `\uFEFF${await readFile(good, "utf8")}`);
    assert.equal((await kcs(["ontologies", "lint", good])).code, 0);
    const linted = await kcs(["ontologies", "lint", bad]);
    assert.equal(linted.code, 1);
    assert.match(linted.out, /unknown node type "Fery", did you mean "Ferry"/);
    const refused = await kcs(["ontologies", "create", bad]);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /unknown node type "Fery"/);
    const id = (await kcs(["ontologies", "create", good])).out.trim();
    assert.match((await kcs(["ontologies"])).out, new RegExp(`${id}  \\S+  Ferries`));
    assert.deepEqual(JSON.parse((await kcs(["ontologies", "get", id])).out), ontology(["Ferry"]));
    const same = await kcs(["ontologies", "diff", id, good]);
    assert.deepEqual([same.code, same.out], [0, ""]);
    const differs = await kcs(["ontologies", "diff", id, bad]);
    assert.deepEqual([differs.code, differs.out], [1, "~ edge type MOORS_AT: source_types +Fery -Ferry\n"]);
    const broken = await kcs(["ontologies", "lint", "-"], "{");
    assert.match(broken.err, /- is not JSON/);

    const file = join(folder, "ferries.ttl");
    assert.equal((await kcs(["ontologies", "export", id, "--out", file])).code, 0);
    const imported = await kcs(["ontologies", "import", file, "--name", "Copy"]);
    const copy = imported.out.trim();
    assert.deepEqual([imported.err, /^ont_/.test(copy)], ["", true]);
    const renamed = JSON.stringify(ontology(["Ferry"])).replaceAll("Ferry", "Boat");
    assert.equal((await kcs(["ontologies", "update", copy, "-"], renamed)).out, "version 2\n");
    assert.match((await kcs(["ontologies", "versions", copy])).out, /^2 .* 0 projects .*\n1 .* Copy\n$/);
    const project = (await kcs(["projects", "create", "Ferries", "--ontology", id])).out.trim();
    const planned = await kcs(["projects", "bind", project, "--ontology", copy, "--dry-run"]);
    assert.match(planned.out, /^dropped +Ferry +0 entities$/m);
    assert.equal((await kcs(["projects", "bind", project, "--ontology", copy])).code, 0);
    assert.match((await kcs(["ontologies", "delete", copy])).err, /bound to 1 project/);
    assert.equal((await kcs(["ontologies", "delete", id])).code, 0);
  });

  test("suggests one that the check finds nothing wrong with", async () => {
    const out = join(await makeFolder(), "draft.json");
    const usecase = "Ferries and quays. A ferry moors at a quay. Each ferry has a name and a tonnage.";
    const suggested = await kcs(["ontologies", "suggest", usecase, "--out", out]);
    assert.equal(suggested.code, 0, suggested.err);
    const linted = await kcs(["ontologies", "lint", out]);
    assert.equal(linted.code, 0, linted.out);
  });
});

describe("kcs jobs", () => {
  test("lists jobs and stays until all have ended", async () => {
    const accepted = await kcs(["ingest", "-", "--id", "late", "--no-wait"], "A lamp was lit on the pier.");
    assert.equal(accepted.out, "1 accepted, 0 unchanged, 0 skipped, 0 failed\n");
    const watched = await kcs(["jobs", "--watch"]);
    assert.equal(watched.code, 0, watched.err);
    const listed = await kcs(["jobs", "--limit", "1"]);
    assert.match(listed.out, /^job_\w+ {2}completed {2}1 chunk {2}late\n$/);
    const [newest] = JSON.parse((await kcs(["jobs", "--json"])).out);
    const one = await kcs(["jobs", "watch", newest.job_id]);
    assert.deepEqual([one.code, one.out], [0, "completed, 1 chunk\n"]);
    assert.equal((await kcs(["jobs", "watch", "job_unknown"])).code, 4);
  });
});

describe("what a terminal would obey", () => {
  test("is shown where a document is printed on one, and passed on as it is elsewhere", async () => {
    const id = (await kcs(["projects", "create", "Escapes", "--vector-only"])).out.trim();
    const text = "Red \u001b[31mlamp\u001b]0;title\u0007 of the pier.";
    await kcs(["ingest", "-", "--id", "lamp", "-p", id], text);
    const get = ["documents", "get", "lamp", "-p", id];
    assert.equal((await kcs(get)).out, `${text}\n`);
    const shown = await runCli(get, { env, terminal: { columns: 80, hasColour: false } });
    assert.equal(shown.out, "Red ␛[31mlamp␛]0;title␇ of the pier.\n");
  });

  // A C1 control sequence, a right-to-left override, an isolate, and a title with a bell.
  const evil = "Pier\u009b31m \u202egnp.exe\u2066\u061c \u001b]0;title\u0007";
  const obeyed = new RegExp(
    `[\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]|${"\u001b"}(?!\\[[\\dK])`,
    "u",
  );
  const terminal = { columns: 80, hasColour: true };

  test("is escaped in JSON, which stays the same value", async () => {
    const id = (await kcs(["projects", "create", evil, "--vector-only"])).out.trim();
    await kcs(["ingest", "-", "--id", evil, "-p", id], evil);
    for (const args of [["projects"], ["documents", "-p", id], ["documents", "--all", "-p", id]]) {
      const { code, out } = await runCli([...args, "--json"], { env, terminal });
      assert.deepEqual([code, obeyed.exec(out)], [0, null], args.join(" "));
      assert.ok(JSON.stringify(JSON.parse(out)).includes(JSON.stringify(evil)));
      const listed = await kcs(args);
      assert.equal(obeyed.exec(listed.out), null, args.join(" "));
    }
  });

  test("is escaped in whatever a service says", async (context) => {
    const server = createServer((request, response) => {
      const isHealthy = request.url === "/health";
      response.writeHead(isHealthy ? 200 : request.url === "/openapi.json" ? 200 : 400);
      response.end(JSON.stringify({ detail: evil, info: { version: evil } }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    context.after(() => server.close());
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    const url = ["--url", `http://127.0.0.1:${address.port}`, "--project", "prj_x"];
    const commands = [
      "doctor",
      "projects",
      "documents",
      "documents get x",
      "jobs",
      "graph export",
      "query x",
    ];
    for (const command of commands) {
      const { out, err } = await runCli([...command.split(" "), ...url], { env, terminal });
      assert.ok((out + err).includes("gnp.exe"), command);
      assert.equal(obeyed.exec(out + err), null, command);
    }
  });
});

describe("kcs jobs of which one is cancelled", () => {
  test("says so, and waiting for it ends with 5", async () => {
    const id = (await kcs(["projects", "create", "Cancelled", "--vector-only"])).out.trim();
    assert.match((await kcs(["jobs", "-p", id])).err, /no job yet/);
    const long = Array.from({ length: 20_000 }, (_, at) => `Crate ${at} was landed.`).join(" ");
    await kcs(["ingest", "-", "--id", "long", "--no-wait", "-p", id], long);
    const [job] = JSON.parse((await kcs(["jobs", "--json", "-p", id])).out);
    const cancelled = await kcs(["jobs", "cancel", job.job_id, "-p", id]);
    assert.deepEqual([cancelled.code, cancelled.out], [0, `${job.job_id} cancelled\n`]);
    const watched = await kcs(["jobs", "watch", job.job_id, "-p", id]);
    assert.equal(watched.code, 5);
    assert.match(watched.err, /Cancelled/);
  });
});

describe("kcs doctor", () => {
  test("finds nothing wrong with what is sound, and says what is wrong with the rest", async () => {
    const sound = await kcs(["doctor"]);
    assert.equal(sound.code, 0, sound.out);
    assert.equal(sound.out.match(/^ok/gm)?.length, 7);
    const lost = await kcs(["doctor", "--url", "http://127.0.0.1:1"]);
    assert.equal(lost.code, 1);
    assert.match(lost.out, /FAIL {2}service .*cannot be reached/);
    await chmod(join(home, ".config/kcs/config.json"), 0o644);
    const open = await kcs(["doctor"]);
    await chmod(join(home, ".config/kcs/config.json"), 0o600);
    assert.match(open.out, /FAIL {2}settings .*can be read by others\. Run: chmod 600/);
    const wrong = await runCli(["doctor", "--project", "prj_none"], {
      env: { ...env, KCS_KEY: "kcs_wrong" },
    });
    assert.match(wrong.out, /FAIL {2}key/);
  });
});

describe("what there is to say of the command line", () => {
  test("every command and subcommand is in the help and in the completion of every shell", async () => {
    const { out } = await kcs(["help"]);
    for (const shell of ["bash", "zsh", "fish"]) {
      const script = (await kcs(["completion", shell])).out;
      for (const [, name = ""] of out.matchAll(/^ {2}(\w+) {2}/gm)) assert.ok(script.includes(name), name);
      assert.ok(script.includes("suggest"));
      assert.ok(script.includes("top-k"));
    }
    assert.match((await kcs(["query", "--help"])).out, /-k, --top-k N +passages, 1 to 100/);
    assert.equal((await kcs(["completion", "tcsh"])).code, 2);
  });

  test("a damaged settings file is named", async () => {
    const folder = await makeFolder();
    await mkdir(join(folder, "kcs"));
    await writeFile(join(folder, "kcs/config.json"), "{oops");
    const { code, err } = await runCli(["projects"], { env: { XDG_CONFIG_HOME: folder } });
    assert.equal(code, 1);
    assert.match(err, /config\.json is damaged\. Remove it and run kcs login again/);
  });
});
