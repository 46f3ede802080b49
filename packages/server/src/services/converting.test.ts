import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { claimFile, sendFiles, storedBytes } from "../../test/store/behaviours/file-scene.ts";
import { createScenario, type Scenario } from "../../test/store/scenario.ts";
import { pagesOf, settle, slowPages } from "../../test/support/slow-pages.ts";
import { openStore } from "../adapters/database/open-store.ts";
import { openFileWorkspace } from "../adapters/files/file-workspace.ts";
import type { Project } from "../domain/project.ts";
import { UnreadableFile } from "../domain/unreadable-file.ts";
import type { Conversion, FileConverter } from "../ports/file-converter.ts";
import type { Store } from "../ports/store.ts";
import { type ConvertingDeps, createConvertingService } from "./converting.ts";

const folder = mkdtempSync(join(tmpdir(), "kcs-converting-"));
const root = join(folder, "files");
const NOW = 10_000;
let store: Store;
let scenario: Scenario;
let project: Project;

before(async () => {
  ({ store } = await openStore({ databaseUrl: null, dataDir: join(folder, "data") }));
  scenario = createScenario(store, "converting");
});
after(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await scenario.clear();
  project = await scenario.project();
});

type Convert = FileConverter["convert"];

function serviceOf(convert: Convert, options: Partial<ConvertingDeps> = {}) {
  const ignore = () => undefined;
  return createConvertingService({
    store,
    converter: { convert, close: async () => undefined },
    workspace: openFileWorkspace(root),
    maxTextBytes: 100,
    maxFileBytes: 100,
    pages: {
      addressFault: () => null,
      fetch: async () => {
        throw new Error("No page is fetched here.");
      },
    },
    limits: { pendingJobs: null, storedBytes: null },
    newLeaseToken: () => scenario.id("lease"),
    leaseMs: 20_000,
    now: () => NOW,
    onStored: ignore,
    ending: new AbortController().signal,
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    ...options,
  });
}

const running = () => false;

const textOf = (text: string, given: object = {}): Conversion => ({
  kind: "text",
  mediaType: "text/plain",
  title: null,
  text,
  pages: [],
  ocr: null,
  date: null,
  ...given,
});

/** Sends one file, has it converted, and returns its document and its job. */
async function convertOne(convert: Convert, options: Partial<ConvertingDeps> = {}) {
  const project = await scenario.project();
  const [jobId = ""] = await sendFiles(scenario, project, [["a", ["one ", "two"]]]);
  assert.equal(await serviceOf(convert, options).convertNext(running), true);
  const { projectId } = project;
  const job = await store.findJob({ projectId, jobId });
  return { job, content: await store.readDocument({ projectId, sourceDocId: "a" }) };
}

test("A converter gets the file with its name, and an empty folder, which are removed afterwards.", async () => {
  let path = "";
  const { content } = await convertOne(async ({ file, folder: work, maxTextBytes }) => {
    path = file.path;
    assert.equal(await readFile(path, "utf8"), "one two");
    assert.deepEqual([file.name, maxTextBytes, readdirSync(work)], ["a.txt", 100, []]);
    return textOf("One. Two.");
  });
  assert.equal(content?.text, "One. Two.");
  assert.ok(path.startsWith(root));
  assert.ok(!existsSync(path));
  // A folder of this process, with nothing in it.
  assert.equal(readdirSync(root, { recursive: true }).length, 1);
});

test("The title becomes a heading unless the text says it, and a date that the sender did not give is kept.", async () => {
  const titled = textOf("One.\fTwo.", {
    title: " The \n pump ",
    date: "2031-04-09",
    pages: [
      { page: 1, start: 0 },
      { page: 2, start: 5 },
    ],
  });
  const { content } = await convertOne(async () => titled);
  assert.equal(content?.text, "# The pump\n\nOne.\fTwo.");
  assert.deepEqual(content?.document.sent?.metadata, { date: "2031-04-09" });
  const scan = textOf("Two.", { ocr: { read: 3, unread: [2, 5] } });
  const scanned = await convertOne(async () => scan);
  assert.deepEqual(scanned.content?.document.sent?.metadata, { ocr_pages: 3, unread_pages: "2, 5" });
  const said = await convertOne(async () => textOf("THE PUMP\n\nOne.", { title: "The pump" }));
  assert.equal(said.content?.text, "THE PUMP\n\nOne.");
});

test("A file that cannot be read fails its job with the reason, and so does one with no text or too much.", async () => {
  const refused = await convertOne(async () => {
    throw new UnreadableFile("The file is encrypted.");
  });
  assert.deepEqual([refused.job?.status, refused.job?.errorMessage], ["failed", "The file is encrypted."]);
  const empty = await convertOne(async () => textOf(" \n"));
  assert.equal(empty.job?.errorMessage, "The file has no text.");
  const long = await convertOne(async () => textOf("x".repeat(101)));
  assert.match(long.job?.errorMessage ?? "", /101 bytes, more than the 100 that KCS_MAX_TEXT_BYTES allows/);
  const full = await convertOne(async () => textOf("x".repeat(90)), {
    limits: { pendingJobs: null, storedBytes: 50 },
  });
  assert.equal(full.job?.errorMessage, "The account's storage is full");
});

test("Any other error is tried again, five times.", async () => {
  const [jobId = ""] = await sendFiles(scenario, project, [["a", ["one"]]]);
  let now = NOW;
  const service = serviceOf(
    async () => {
      throw new Error("broken");
    },
    { now: () => now },
  );
  for (let attempt = 1; attempt <= 5; attempt++) {
    assert.equal(await service.convertNext(running), true);
    assert.equal(await service.convertNext(running), false);
    now += 60_000;
  }
  const job = await store.findJob({ projectId: project.projectId, jobId });
  const message = "Internal error while the file was read; the service's log has the cause";
  assert.deepEqual([job?.status, job?.errorMessage], ["failed", message]);
});

test("A job whose worker died five times fails.", async () => {
  const [jobId = ""] = await sendFiles(scenario, project, [["a", ["one"]]]);
  for (let death = 0; death < 5; death++) {
    await store.expireAllLeases({ now: -1_000_000 });
    await claimFile(scenario, NOW);
  }
  await store.expireAllLeases({ now: -1_000_000 });
  assert.equal(await serviceOf(async () => textOf("x")).convertNext(running), true);
  const job = await store.findJob({ projectId: project.projectId, jobId });
  assert.equal(job?.errorMessage, "The worker ended 5 times while it read this file");
});

/** Like a converter that unpacks these files. */
function unpacking(members: Readonly<Record<string, string>>): Convert {
  return async ({ folder: work }) => ({
    kind: "archive",
    mediaType: "application/zip",
    members: Object.entries(members).map(([path, text], at) => {
      const file = join(work, String(at));
      writeFileSync(file, text);
      return { path, file, bytes: text.length };
    }),
  });
}

test("The members of an archive become jobs below its path, and an archive among them fails.", async () => {
  const [jobId = ""] = await sendFiles(scenario, project, [["docs/all.zip", ["PK"]]]);
  const { projectId } = project;
  await serviceOf(unpacking({ "a.txt": "one", "deep/b.txt": "", "c.zip": "PK" })).convertNext(running);
  assert.equal((await store.findJob({ projectId, jobId }))?.status, "completed");
  const service = serviceOf(async ({ file }) => {
    if (file.name === "c.zip") return unpacking({ "d.txt": "x" })({ file, folder: root, ...REST });
    return textOf(await readFile(file.path, "utf8"));
  });
  while (await service.convertNext(running));
  const jobs = await store.listJobs({ projectId, page: { limit: 9, offset: 0 } });
  assert.deepEqual(Object.fromEntries(jobs.map((job) => [job.sourceDocId, job.errorMessage])), {
    "docs/all.zip": null,
    "docs/all/a.txt": null,
    "docs/all/deep/b.txt": "The file has no text.",
    "docs/all/c.zip": "It is an archive in an archive, which is not unpacked.",
  });
});

test("The members of archives whose paths end in different numbers are different documents.", async () => {
  const { projectId } = project;
  for (const path of ["backup.2023", "backup.2024.ZIP"]) {
    await sendFiles(scenario, project, [[path, ["PK"]]]);
    await serviceOf(unpacking({ "a.txt": "one" })).convertNext(running);
  }
  const jobs = await store.listJobs({ projectId, page: { limit: 9, offset: 0 } });
  const ids = jobs.map((job) => job.sourceDocId).filter((id) => id.endsWith("a.txt"));
  assert.deepEqual(ids.sort(), ["backup.2023/a.txt", "backup.2024/a.txt"]);
});

const REST = { maxTextBytes: 100, signal: new AbortController().signal };

test("An archive that has too many files, none, or no room fails and leaves nothing behind.", async () => {
  const { projectId } = project;
  const fails = async (convert: Convert, options: Partial<ConvertingDeps> = {}) => {
    const [jobId = ""] = await sendFiles(scenario, project, [["all.zip", ["PK"]]]);
    const before = await storedBytes(scenario, project);
    await serviceOf(convert, options).convertNext(running);
    assert.equal(await storedBytes(scenario, project), before);
    return (await store.findJob({ projectId, jobId }))?.errorMessage ?? "";
  };
  assert.equal(await fails(unpacking({})), "The archive has no files.");
  const many = Object.fromEntries(Array.from({ length: 3 }, (_, at) => [`${at}.txt`, "x"]));
  const tight = { limits: { pendingJobs: 2, storedBytes: null } };
  assert.match(await fails(unpacking(many), tight), /^The archive has more files than the account may have/);
  const full = { limits: { pendingJobs: null, storedBytes: 3 } };
  assert.equal(await fails(unpacking({ a: "12345678" }), full), "The account's storage is full");
  assert.match(await fails(unpacking({ ["x".repeat(600)]: "x" })), /^The path of a file in the archive/);
});

test("An archive whose files would have too long ids and too much metadata together fails before they are stored.", async () => {
  const { projectId } = project;
  const metadata = Object.fromEntries(Array.from({ length: 32 }, (_, at) => [`k${at}`, "x".repeat(512)]));
  const [jobId = ""] = await sendFiles(scenario, project, [["all.zip", ["PK"], metadata]]);
  const one = unpacking({ a: "x" });
  const many: Convert = async (input) => {
    const archive = await one(input);
    assert.ok(archive.kind === "archive");
    const [member] = archive.members;
    assert.ok(member);
    return { ...archive, members: Array.from({ length: 600 }, (_, at) => ({ ...member, path: `${at}` })) };
  };
  await serviceOf(many, {
    store: { ...store, appendFilePiece: () => assert.fail("A file is stored.") },
  }).convertNext(running);
  const { errorMessage } = (await store.findJob({ projectId, jobId })) ?? {};
  assert.match(
    errorMessage ?? "",
    /^The ids of the 600 files of the archive, and its metadata, .* more than 4194304 bytes together/,
  );
});

test("A job that is cancelled stops its conversion, and one that the end of the service stops is given back.", async () => {
  const { projectId } = project;
  const [jobId = ""] = await sendFiles(scenario, project, [["a", ["one"]]]);
  const began = Promise.withResolvers<void>();
  const waiting: Convert = ({ signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      began.resolve();
    });
  const service = serviceOf(waiting);
  const converting = service.convertNext(running);
  await began.promise;
  await store.cancelJob({ projectId, jobId, now: NOW });
  await service.checkLeases();
  assert.equal(await converting, true);
  assert.equal((await store.findJob({ projectId, jobId }))?.errorMessage, "Cancelled");

  await sendFiles(scenario, project, [["b", ["two"]]]);
  const ending = new AbortController();
  const stopped = serviceOf(waiting, { ending: ending.signal }).convertNext(running);
  // The converter asks for the signal only after the file is written.
  setImmediate(() => ending.abort(new Error("The service stops.")));
  await stopped;
  assert.equal((await claimFile(scenario, NOW)).job.attempts, 0);
});

test("Pages that do not come take no lane of files, and leave places to an account that has none.", async () => {
  const ending = new AbortController();
  const { asked, pages } = slowPages();
  const service = serviceOf(async () => textOf("x"), { pages, ending: ending.signal, now: Date.now });
  const fetching: Promise<boolean>[] = [];
  for (const name of ["a", "b"])
    await sendFiles(scenario, await scenario.project(), pagesOf(name, 9), { isAddress: true });
  for (let at = 0; at < service.pageLanes; at++) fetching.push(service.fetchNext(running));
  await settle(() => asked.size === 6);
  assert.equal(asked.size, 6, "the last lanes are for others");
  await sendFiles(scenario, project, [["file", ["one"]]]);
  assert.equal(await service.convertNext(running), true);
  const { projectId } = project;
  assert.equal((await store.readDocument({ projectId, sourceDocId: "file" }))?.text, "x");
  assert.equal(await service.convertNext(running), false, "it takes no page");
  await sendFiles(scenario, project, pagesOf("other", 1), { isAddress: true });
  await setTimeout(1_100);
  fetching.push(service.fetchNext(running));
  await settle(() => asked.size === 7);
  assert.ok(asked.has("http://other.test/0"));
  ending.abort(new Error("The service stops."));
  await Promise.all(fetching);
});

test("A page is read when it has come, before the others of its sitemap have and before later files.", async () => {
  const { projectId } = project;
  const ending = new AbortController();
  const { asked, pages } = slowPages();
  const service = serviceOf(async () => textOf("x"), { pages, ending: ending.signal, now: Date.now });
  await sendFiles(scenario, project, pagesOf("a", 3), { isAddress: true });
  const fetching = Array.from({ length: 3 }, () => service.fetchNext(running));
  await settle(() => asked.size === 3);
  asked.get("http://a.test/1")?.("The page.");
  await Promise.race(fetching);
  await sendFiles(scenario, project, [["file", ["one"]]]);
  assert.equal(await service.convertNext(running), true);
  const text = async (sourceDocId: string) =>
    (await store.readDocument({ projectId, sourceDocId }))?.text ?? null;
  assert.deepEqual([await text("a0"), await text("a1")], [null, "x"]);
  ending.abort(new Error("The service stops."));
  await Promise.all(fetching);
});

test("A page that does not come is waited for no longer than its job is held.", async () => {
  const { projectId } = project;
  const [jobId = ""] = await sendFiles(scenario, project, [["a", ["http://silent.test/"]]], {
    isAddress: true,
  });
  const asked = Promise.withResolvers<void>();
  const pages: ConvertingDeps["pages"] = {
    addressFault: () => null,
    fetch: (_url, signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
        asked.resolve();
      }),
  };
  const service = serviceOf(async () => textOf("x"), { pages });
  const converting = service.fetchNext(running);
  await asked.promise;
  await store.cancelJob({ projectId, jobId, now: NOW });
  await service.checkLeases();
  assert.equal(await converting, true);
  assert.equal((await store.findJob({ projectId, jobId }))?.errorMessage, "Cancelled");
});

test("While long files of two accounts are read, a third one's long file makes way for those of others and has a turn after them.", async () => {
  const projects = [project, await scenario.project(), await scenario.project(), await scenario.project()];
  const [third, fourth] = projects.slice(2) as [Project, Project];
  for (const each of projects.slice(0, 3)) await sendFiles(scenario, each, [["a", ["slow"]]]);
  const slow = Promise.withResolvers<void>();
  const limits = [AbortSignal.abort()];
  const service = serviceOf(
    async ({ file, signal }) => {
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
      if ((await readFile(file.path, "utf8")) === "slow") await Promise.race([slow.promise, aborted]);
      return textOf("x");
    },
    { shortLaneLimit: () => limits.shift() ?? new AbortController().signal },
  );
  const converted = async ({ projectId }: Project, sourceDocId: string) =>
    (await store.findFile({ projectId, sourceDocId }))?.mediaType === "text/plain";
  const long = [service.convertNext(running), service.convertNext(running)];
  assert.equal(await service.convertNext(running), true);
  assert.equal(await converted(third, "a"), false);
  assert.equal(await service.convertNext(running), false, "its file waits for a lane without a limit");
  await sendFiles(scenario, fourth, [["b", ["quick"]]]);
  assert.equal(await service.convertNext(running), true);
  assert.equal(await converted(fourth, "b"), true);
  slow.resolve();
  await Promise.all(long);
  assert.equal(await service.convertNext(running), true);
  assert.equal(await converted(third, "a"), true);
});

test("While a file of an account is read, the other places are for other accounts, and all get it again afterwards.", async () => {
  const other = await scenario.project();
  await sendFiles(scenario, project, [
    ["a", ["slow"]],
    ["b", ["slow"]],
  ]);
  const slow = Promise.withResolvers<void>();
  const service = serviceOf(async ({ file }) => {
    if ((await readFile(file.path, "utf8")) === "slow") await slow.promise;
    return textOf("x");
  });
  const first = service.convertNext(running);
  assert.equal(await service.convertNext(running), false, "the second file of the account waits");
  await sendFiles(scenario, other, [["c", ["quick"]]]);
  assert.equal(await service.convertNext(running), true);
  assert.equal(
    (await store.findFile({ projectId: other.projectId, sourceDocId: "c" }))?.mediaType,
    "text/plain",
  );
  slow.resolve();
  await first;
  assert.equal(await service.convertNext(running), true);
  assert.equal(await service.convertNext(running), false);
});
