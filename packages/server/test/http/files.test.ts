import assert from "node:assert/strict";
import { request } from "node:http";
import { describe, test } from "node:test";
import { API_PREFIX } from "@kcs/contract";
import { makePdf } from "../files/make-pdf.ts";
import { downloadPath, formOf, ingestedFiles, ingestFiles, upload } from "../support/files.ts";
import { assertFault, readSuccess } from "../support/http-client.ts";
import { createProject, ingestAll, longText, placedChunks, waitFor } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

const MIB = 1024 * 1024;
const TITLE = { size: 20, at: [50, 740] } as const;
const BOOK = makePdf([
  [
    { ...TITLE, text: "Pumps" },
    { text: "The pump house is old.", at: [50, 700] },
  ],
  [
    { ...TITLE, text: "Valves" },
    ...longText(40, "valves")
      .split(". ")
      .map((line, index) => ({ text: `${line}.`, at: [50, 700 - 14 * index] as const })),
  ],
  [{ text: "The last page names a brass valve.", at: [50, 740] }],
]);

describeOnEach((setting) => {
  const use = useService(setting);

  describe("files", () => {
    test("become documents whose answers name page and section, and can be downloaded", async () => {
      const { owner } = use();
      const project_id = await createProject(owner);
      const params = { project_id };
      const id = "manuals/Pümpe 1.pdf";
      const [job] = await ingestedFiles(owner, project_id, [
        { name: "metadata", value: '{"year": 1994}' },
        { path: id, content: BOOK },
      ]);
      assert.equal(job?.source_doc_id, id);
      const { documents } = await owner.succeed("listDocuments", { params });
      const file = { name: "Pümpe 1.pdf", media_type: "application/pdf", bytes: BOOK.length };
      assert.deepEqual(documents[0]?.file, file);
      assert.deepEqual(
        [documents[0]?.status, documents[0]?.metadata],
        ["indexed", { date: "2021-03-04", year: 1994 }],
      );
      const document = await owner.succeed("getDocument", { params: { ...params, source_doc_id: id } });
      assert.deepEqual(document.file, file);
      const text = document.text ?? "";
      assert.match(text, /# Pumps\n\nThe pump house is old\.\n\n#+ Valves\n\n/);
      const secondPage = text.indexOf("Valves");
      for (const { start, page } of document.chunks) assert.equal(page, start < secondPage - 3 ? 1 : 2);
      assert.ok(document.chunks.length > 1);

      const body = { query: "Which valve does the last page name?", include: ["provenance"] };
      const { results } = await owner.succeed("query", { params, body });
      const [first] = results.chunks;
      // The sentence that is quoted stands on the last page, its chunk begins on the one before.
      assert.deepEqual([first?.page, first?.section?.includes("Valves")], [3, true]);
      const stepwise = { ...body, mode: "dynamic" as const };
      const { results: found } = await owner.succeed("query", { params, body: stepwise });
      assert.match(found.summary, /^The last page names a brass valve\./);
      assert.equal(found.chunks.find(({ chunk_id }) => chunk_id === first?.chunk_id)?.page, 3);
      const plain = await owner.succeed("query", { params, body: { query: body.query } });
      assert.deepEqual(Object.keys(plain.results.chunks[0] ?? {}), ["text", "similarity"]);
      const chunk_id = first?.chunk_id ?? "";
      const chunk = await owner.succeed("getChunk", { params: { ...params, chunk_id } });
      assert.deepEqual([chunk.page, chunk.section], [2, first?.section]);

      const reply = await owner.call("GET", downloadPath(project_id, id));
      assert.equal(reply.status, 200);
      const { bytes } = await download(use().baseUrl, await owner.readKey(), [project_id, id]);
      assert.ok(bytes.equals(BOOK));
      assert.equal(reply.headers["content-type"], "application/pdf");
      assert.equal(reply.headers["content-length"], String(BOOK.length));
      assert.equal(
        reply.headers["content-disposition"],
        "attachment; filename=\"P_mpe 1.pdf\"; filename*=UTF-8''P%C3%BCmpe%201.pdf",
      );
      assert.equal(reply.headers["x-content-type-options"], "nosniff");
      assert.match(String(reply.headers["content-security-policy"]), /sandbox/);
      const head = await owner.call("HEAD", downloadPath(project_id, id));
      assert.deepEqual([head.status, head.text], [200, ""]);
    });

    test("have the sections of what a verdict or an answer in steps quotes", async () => {
      const { owner } = use();
      const project_id = await createProject(owner);
      const params = { project_id };
      const page = (...sections: readonly (readonly [string, string])[]) =>
        `<html><body>${sections.map(([title, text]) => `<h1>${title}</h1><p>${text}</p>`).join("")}</body></html>`;
      const pages = {
        deaths: page(["Boats", "The boats are old."], ["Deaths", "Aud Merrow died in 1951."]),
        graves: page(["Boats", "The oars are new."], ["Graves", "Nils Fenwick died in 1913."]),
        founders: page(["Boats", "A mast is tall."], ["Founders", "Sparr Forge was founded by Olga Rime."]),
        births: page(["Boats", "A sail is wide."], ["Births", "Olga Rime was born in Kettle Sound in 1880."]),
      };
      const files = Object.entries(pages).map(([name, html]) => ({
        path: `${name}.html`,
        content: Buffer.from(html),
      }));
      await ingestedFiles(owner, project_id, files);
      // So many that the search for the question itself does not find what is born.
      const others = Array.from({ length: 60 }, (_, at) => ({
        source_doc_id: `other ${at}`,
        text: `The founder of Forge ${at} was born in Town ${at}.`,
      }));
      await ingestAll(owner, project_id, others);
      const sectionsOf = async (query: string, mode: "static" | "dynamic") => {
        const body = { query, mode, include: ["provenance"] };
        const { results } = await owner.succeed("query", { params, body });
        const sections = results.chunks.map(({ source_doc_id, section }) => [source_doc_id, section]);
        return { summary: results.summary, sections: Object.fromEntries(sections) };
      };
      for (const mode of ["static", "dynamic"] as const) {
        const { summary, sections } = await sectionsOf("Who died first, Aud Merrow or Nils Fenwick?", mode);
        assert.match(summary, /^Going by these sentences, Nils Fenwick /);
        assert.deepEqual(
          [sections["deaths.html"], sections["graves.html"]],
          ["Boats > Deaths", "Boats > Graves"],
        );
      }
      const { summary, sections } = await sectionsOf("Where was the founder of Sparr Forge born?", "dynamic");
      assert.match(summary, /^Olga Rime was born .*\nSparr Forge was founded by Olga Rime\.$/s);
      assert.deepEqual(
        [sections["births.html"], sections["founders.html"]],
        ["Boats > Births", "Boats > Founders"],
      );
    });

    test("of several pieces come back as they were", async () => {
      const { owner } = use();
      const project_id = await createProject(owner);
      const content = Buffer.alloc(3 * MIB + 17);
      for (let at = 0; at < content.length; at++) content[at] = (at * 31 + (at >> 11)) % 251;
      const [job] = await ingestFiles(owner, project_id, [{ path: "a.bin", content }]);
      assert.equal(job?.status, "failed");
      assert.match(job?.error_message ?? "", /^The type of the file is not known/);
      const { bytes, status } = await download(use().baseUrl, await owner.readKey(), [project_id, "a.bin"]);
      assert.equal(status, 200);
      assert.ok(bytes.equals(content));
      const params = { project_id, source_doc_id: "a.bin" };
      const document = await owner.succeed("getDocument", { params });
      assert.deepEqual([document.status, document.text], ["failed", null]);
      assert.deepEqual(document.file, { name: "a.bin", media_type: null, bytes: content.length });
      await owner.succeed("deleteDocument", { params });
      assertFault(await owner.call("GET", downloadPath(project_id, "a.bin")), 404, "Document not found");
    });

    test("can have an id, replace a text, be replaced by one, and be deleted", async () => {
      const { owner } = use();
      const project_id = await createProject(owner);
      await ingestAll(owner, project_id, [{ source_doc_id: "log", text: "The lamp is green." }]);
      const noFile = "The document has no file: it was ingested as a text";
      assertFault(await owner.call("GET", downloadPath(project_id, "log")), 404, noFile);
      const send = (content: string) =>
        ingestedFiles(owner, project_id, [
          { path: "any.txt", content },
          { name: "source_doc_id", value: "log" },
        ]);
      await send("The lamp is red.");
      const texts = async () => (await placedChunks(owner, project_id)).map(({ text }) => text);
      assert.deepEqual(await texts(), ["The lamp is red."]);
      assert.equal((await owner.call("GET", downloadPath(project_id, "log"))).text, "The lamp is red.");
      await send("The lamp is blue.");
      assert.equal((await owner.call("GET", downloadPath(project_id, "log"))).text, "The lamp is blue.");
      await ingestAll(owner, project_id, [{ source_doc_id: "log", text: "The lamp is out." }]);
      assert.deepEqual(await texts(), ["The lamp is out."]);
      assertFault(await owner.call("GET", downloadPath(project_id, "log")), 404, noFile);
      assertFault(await owner.call("GET", downloadPath(project_id, "none")), 404, "Document not found");
    });

    test("can have an id each, which is taken as it is", async () => {
      const { owner } = use();
      const project_id = await createProject(owner);
      const ids = ['./a"b.txt', "a\\\\b.txt", "c\r\nd.txt", "/e.txt"];
      const jobs = await ingestedFiles(owner, project_id, [
        { name: "source_doc_ids", value: JSON.stringify(ids) },
        ...ids.map((id) => ({ path: "any.txt", content: `This is ${id}.` })),
      ]);
      assert.deepEqual(
        jobs.map(({ source_doc_id: id }) => id),
        ids,
      );
      for (const id of ids)
        assert.equal((await owner.call("GET", downloadPath(project_id, id))).text, `This is ${id}.`);
    });

    test("that cannot be read fail with the reason, and can be retried", async () => {
      const { owner } = use();
      const project_id = await createProject(owner);
      const [job] = await ingestFiles(owner, project_id, [{ path: "empty.txt", content: "" }]);
      assert.deepEqual([job?.status, job?.error_message], ["failed", "The file is empty."]);
      const params = { project_id, job_id: job?.job_id ?? "" };
      const again = await owner.succeed("retryJob", { params });
      assert.notEqual(again.job_id, params.job_id);
    });

    test("are accepted all or none, with a text for each fault", async () => {
      const { owner } = use();
      const project_id = await createProject(owner);
      const file = { path: "a.txt", content: "One." };
      const send = (...parts: Parameters<typeof upload>[2]) => upload(owner, project_id, parts);
      assertFault(await send(), 400, /^body: is not valid multipart|^files: is empty/);
      assertFault(await send({ name: "x", value: "y" }), 400, "files: is empty, expected 1 to 100 files");
      assertFault(
        await send(file, { ...file, path: "b.txt" }, { name: "source_doc_id", value: "one" }),
        400,
        "source_doc_id: is the id of one file, got 2 files; source_doc_ids takes an id for each",
      );
      const sendIds = (value: string, ...more: Parameters<typeof upload>[2]) =>
        send(file, { ...file, path: "b.txt" }, { name: "source_doc_ids", value }, ...more);
      const notEach = "source_doc_ids: has 1 ids, expected 2, one for each file";
      assertFault(await sendIds('["a"]'), 400, notEach);
      assertFault(await sendIds("a"), 400, "source_doc_ids: is not valid JSON, expected a JSON array of ids");
      assertFault(await sendIds('"a"'), 400, /^source_doc_ids: .* expected an array of ids$/);
      assertFault(await sendIds('["a", ".."]'), 400, /^source_doc_ids\[1\]: is a step in a path/);
      assertFault(
        await sendIds('["a", "b"]', { name: "source_doc_id", value: "c" }),
        400,
        /^source_doc_id: is /,
      );
      const notUtf8 = "is not UTF-8, or has the character U+FFFD; source_doc_ids, in JSON, takes any id";
      assertFault(
        await send(file, { name: "source_doc_id", value: "\uFFFDa" }),
        400,
        `source_doc_id: ${notUtf8}`,
      );
      const unread = { ...file, path: "\uFFFD.txt" };
      assertFault(await send(file, unread), 400, `files[1]: its name ${notUtf8}`);
      const nameless = await send(file, { path: "", content: "x" });
      assertFault(nameless, 400, /^files\[1\]: is blank/);
      assertFault(await send(file, { path: "..", content: "x" }), 400, /^files\[1\]: is a step in a path/);
      assertFault(await send(file, { name: "metadata", value: "{" }), 400, /^metadata: is not valid JSON/);
      const deep = { name: "metadata", value: `{"a":${"[".repeat(64)}` };
      assertFault(await send(file, deep), 400, /^body: is nested too deeply/);
      assertFault(
        await send(file, { name: "metadata", value: '{"a": [1]}' }),
        400,
        /^metadata\.a: got an array/,
      );
      const many = Array.from({ length: 101 }, (_, at) => ({ path: `${at}.txt`, content: "x" }));
      assertFault(await send(...many), 400, "body: has too many files, expected at most 100");
      const wrongType = "Content-Type: expected multipart/form-data with a boundary";
      const path = `/projects/${project_id}/files`;
      assertFault(await owner.call("POST", path, { body: {} }), 415, wrongType);
      const form = { "content-type": "multipart/form-data" };
      assertFault(await owner.call("POST", path, { raw: "x", headers: form }), 415, wrongType);
      const { raw, contentType } = formOf([file]);
      const cut = { raw: raw.slice(0, -20), headers: { "content-type": contentType } };
      assertFault(await owner.call("POST", path, cut), 400, /^body: is not valid multipart\/form-data/);
      const whole = Buffer.from(raw).toString("latin1");
      for (const odd of [
        whole.replace("form-data;", "attachment;"),
        whole.replace('filename="a.txt"', 'filename="a\n.txt"'),
        whole.replace("Content-Disposition: ", "no colon\r\nContent-Disposition: "),
      ]) {
        const headers = { "content-type": contentType };
        // A second part that is whole: the odd one must not be left out without a word.
        const both = Buffer.from(`${whole.slice(0, whole.lastIndexOf("--")).trimEnd()}\r\n${odd}`, "latin1");
        const reply = await owner.call("POST", path, { raw: both, headers });
        assertFault(reply, 400, /^body: (?:a part has headers|is not valid)/);
      }
      const { total } = await owner.succeed("listDocuments", { params: { project_id } });
      assert.equal(total, 0);
    });

    test("are taken once for an Idempotency-Key, whatever the boundary", async () => {
      const { owner } = use();
      const project_id = await createProject(owner);
      const send = (content: string) =>
        upload(owner, project_id, [{ path: "a.txt", content }], { "idempotency-key": "one-upload" });
      const first = await send("One.");
      readSuccess("uploadFiles", first);
      const again = await send("One.");
      assert.deepEqual([again.text, again.headers["idempotency-replayed"]], [first.text, "true"]);
      assertFault(await send("Two."), 409, /^Idempotency-Key: was used for another request/);
      const params = { project_id };
      assert.equal((await owner.succeed("listJobs", { params })).jobs.length, 1);
    });

    test("can be a page, but none at a private address or without an address", async () => {
      const { owner } = use();
      const params = { project_id: await createProject(owner) };
      const refused = async (url: string) => owner.endpoint("ingestUrl", { params, body: { url } });
      const isPrivate =
        "url: is private, expected a publicly reachable address (whoever operates the service can allow private ones: KCS_WEBHOOK_PRIVATE=allow)";
      assertFault(await refused("https://127.0.0.1/x"), 400, isPrivate);
      assertFault(await refused("https://localhost/x"), 400, isPrivate);
      assertFault(await refused("no url"), 400, /^url: is not an https URL/);
      assertFault(await refused(" "), 400, /^url: is blank/);
      // RFC 2606: such a name is never resolved.
      const unknown = /^url: The (host name could not be resolved|connection was refused)$/;
      assertFault(await refused("https://pages.invalid/x"), 400, unknown);
      assert.equal((await owner.succeed("listJobs", { params })).jobs.length, 0);
    });

    test("that never arrive whole leave nothing in the account's storage", async () => {
      const { owner, baseUrl } = use();
      const stored = async () => (await owner.succeed("getUsage")).limits.stored_bytes_used;
      const project_id = await createProject(owner);
      const before = await stored();
      const { raw, contentType } = formOf([{ path: "a.txt", content: Buffer.alloc(3 * MIB) }]);
      const sending = request(`${baseUrl}${API_PREFIX}/projects/${project_id}/files`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${await owner.readKey()}`,
          "content-type": contentType,
          "content-length": raw.length,
        },
      });
      sending.on("error", () => undefined);
      sending.write(raw.subarray(0, 2.5 * MIB));
      const full = await waitFor("two pieces", async () => {
        const bytes = await stored();
        return bytes >= before + 2 * MIB ? bytes : null;
      });
      sending.destroy();
      // Upkeep removes, and jobs store, small things of other tests meanwhile.
      const most = full - 1.5 * MIB;
      await waitFor("the removal of the pieces", async () => ((await stored()) <= most ? true : null));
    });

    test("of a form that is refused leave nothing in the account's storage, also those behind the fault", async () => {
      const { owner } = use();
      const project_id = await createProject(owner);
      const stored = async () => (await owner.succeed("getUsage")).limits.stored_bytes_used;
      const before = await stored();
      const tooLong = { name: "metadata", value: "x".repeat(257 * 1024) };
      const behind = Array.from({ length: 90 }, (_, at) => ({
        path: `${at}.txt`,
        content: `${at}${"x".repeat(400)}`,
      }));
      const parts = [{ path: "before.txt", content: "before" }, tooLong, ...behind];
      assertFault(await upload(owner, project_id, parts), 413, /^metadata: has more than/);
      // Jobs of other tests store small things meanwhile.
      assert.ok((await stored()) < before + 20_000);
    });

    test("may be sent in chunks without a length", async () => {
      const { owner } = use();
      const project_id = await createProject(owner);
      const headers = { "transfer-encoding": "chunked", "content-length": undefined };
      const reply = await upload(owner, project_id, [{ path: "a.txt", content: "One." }], headers);
      readSuccess("uploadFiles", reply);
    });
  });
});

async function download(baseUrl: string, key: string, [projectId, id]: readonly [string, string]) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; bytes: Buffer }>();
  const headers = { authorization: `Bearer ${key}` };
  const url = `${baseUrl}${API_PREFIX}${downloadPath(projectId, id)}`;
  request(url, { headers }, (incoming) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part)).on("error", reject);
    incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, bytes: Buffer.concat(parts) }));
  }).end();
  return promise;
}
