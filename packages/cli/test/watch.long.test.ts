import assert from "node:assert/strict";
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Client } from "@kcs/sdk";
import { waitFor } from "../../server/test/support/ingestion.ts";
import { sqlite, withHome, withService } from "../../server/test/support/service.ts";
import { moveIn } from "./move-in.ts";
import { makeFolder, runCli } from "./run-cli.ts";

async function idsOf(client: Client, projectId: string): Promise<readonly string[]> {
  const documents = await Array.fromAsync(client.documents.each(projectId));
  return documents.map(({ source_doc_id: id }) => id);
}

/** Waits for what a command that goes on says of what it does. */
function createListener() {
  let err = "";
  return {
    onErr(text: string) {
      err += text;
    },
    told: (what: RegExp) => waitFor(String(what), async () => (what.test(err) ? true : null)),
  };
}

describe("kcs watch", () => {
  test("brings a project into step with what is new, changed and gone", async () => {
    await withHome(sqlite, (home) =>
      withService({ home }, async (service) => {
        const { client, env, projectId } = await moveIn(service);
        const folder = await makeFolder();
        const once = () => runCli(["watch", folder, "--once"], { env });
        await client.documents.ingest(projectId, { source_doc_id: "other", text: "Somebody else's." });
        await mkdir(join(folder, "log"));
        for (const name of ["a.md", "log/b.txt", "c.html"])
          await writeFile(join(folder, name), `In ${name}.`);
        await writeFile(
          join(folder, "lines.jsonl"),
          '{"id":"one","text":"1st"}\n{"id":"two","text":"2nd"}\n',
        );
        assert.equal((await once()).out, "5 completed, 0 deleted, 0 failed\n");
        assert.equal((await once()).out, "0 completed, 0 deleted, 0 failed\n");

        await writeFile(join(folder, "a.md"), "Changed.");
        await rename(join(folder, "log/b.txt"), join(folder, "log/d.txt"));
        await rm(join(folder, "c.html"));
        await writeFile(join(folder, "lines.jsonl"), '{"id":"two","text":"2nd"}\n');
        assert.equal((await once()).out, "2 completed, 3 deleted, 0 failed\n");
        assert.deepEqual(await idsOf(client, projectId), ["a.md", "log/d.txt", "other", "two"]);
        assert.equal((await client.documents.get(projectId, "a.md")).text, "Changed.");
        // Deleted by somebody else meanwhile.
        await client.documents.delete(projectId, "log/d.txt");
        await rm(join(folder, "log/d.txt"));
        assert.equal((await once()).out, "0 completed, 0 deleted, 0 failed\n");
      }),
    );
  });

  test("deletes nothing where it cannot tell what is gone, and leaves archives out", async () => {
    await withHome(sqlite, (home) =>
      withService({ home }, async (service) => {
        const { client, env, projectId } = await moveIn(service);
        const folder = await makeFolder();
        const once = () => runCli(["watch", folder, "--once", "--prefix", "w/"], { env });
        await writeFile(join(folder, "a.md"), "A lamp was lit.");
        await writeFile(join(folder, "lines.jsonl"), '{"id":"one","text":"1st"}\n');
        await writeFile(join(folder, "more.zip"), "PK");
        const first = await once();
        assert.deepEqual([first.code, first.out], [5, "2 completed, 0 deleted, 0 failed\n"]);
        assert.match(first.err, /skipped: w\/more\.zip is an archive/);

        await writeFile(join(folder, "lines.jsonl"), '{"id":"one","te\n');
        assert.match(
          (await once()).err,
          /Not every line of lines\.jsonl can be read.*no document is deleted/,
        );
        for (const name of ["a.md", "lines.jsonl", "more.zip"]) await rm(join(folder, name));
        assert.match((await once()).err, /no file to ingest.*no document is deleted/);
        await writeFile(join(folder, "a.md"), " ");
        assert.match((await once()).err, /skipped: w\/a\.md is empty/);
        assert.deepEqual(await idsOf(client, projectId), ["w/a.md", "w/one"]);
        assert.equal((await runCli(["watch", join(folder, "none")], { env })).code, 2);
      }),
    );
  });

  test("sends and deletes files under the ids that it keeps, whatever they are named and sent with", async () => {
    await withHome(sqlite, (home) =>
      withService({ home }, async (service) => {
        const { client, env, projectId } = await moveIn(service);
        const folder = await makeFolder();
        const once = () => runCli(["watch", folder, "--once", "--prefix", "./"], { env });
        const names = ['a"b.html', "a%22b.html", "a\\b.html", "c\rd.html", "c\nd.html", "é.html"];
        const add = (some: readonly string[]) =>
          Promise.all(some.map((name) => writeFile(join(folder, name), `<p>In ${name}.`)));
        const expected = (some: readonly string[]) => some.map((name) => `./${name}`).toSorted();
        for (const together of [names, ...names.map((name) => [name])]) {
          await add(together);
          assert.equal((await once()).out, `${together.length} completed, 0 deleted, 0 failed\n`);
          if (together.length === 1) continue;
          assert.deepEqual((await idsOf(client, projectId)).toSorted(), expected(names));
          await writeFile(join(folder, "kept.md"), "This one stays.");
          for (const name of names) await rm(join(folder, name));
          assert.equal((await once()).out, `1 completed, ${names.length} deleted, 0 failed\n`);
        }
        assert.deepEqual((await idsOf(client, projectId)).toSorted(), expected([...names, "kept.md"]));
        await client.documents.delete(projectId, "./é.html");
        for (const name of names) await rm(join(folder, name));
        assert.equal((await once()).out, `0 completed, ${names.length - 1} deleted, 0 failed\n`);
        assert.deepEqual(await idsOf(client, projectId), ["./kept.md"]);
      }),
    );
  });

  test("follows changes until it is interrupted", async () => {
    await withHome(sqlite, (home) =>
      withService({ home }, async (service) => {
        const { client, env, projectId } = await moveIn(service);
        const folder = await makeFolder();
        await writeFile(join(folder, "a.md"), "A lamp was lit.");
        await writeFile(join(folder, "scan.pdf"), Buffer.from("%PDF-1.4\xff\xff\0", "latin1"));
        const ending = new AbortController();
        const { onErr, told } = createListener();
        const running = runCli(["watch", folder], { env, signal: ending.signal, onErr });
        const has = (...wanted: readonly string[]) =>
          waitFor(wanted.join(), async () => {
            const found = await idsOf(client, projectId);
            return found.join() === wanted.join() ? found : null;
          });
        await has("a.md", "scan.pdf");
        await mkdir(join(folder, "new"));
        await writeFile(join(folder, "new/b.md"), "A bell was rung.");
        await has("a.md", "new/b.md", "scan.pdf");
        await rm(join(folder, "a.md"));
        await has("new/b.md", "scan.pdf");
        const lines = (metadata: string) => `{"id":"line","text":"A rope.","metadata":${metadata}}\n`;
        await writeFile(join(folder, "lines.jsonl"), lines('{"colour":[1]}'));
        await told(/failed: line: .*colour/);
        await writeFile(join(folder, "c.md"), "A gate was shut.");
        await has("c.md", "new/b.md", "scan.pdf");
        await writeFile(join(folder, "lines.jsonl"), lines('{"length":[1]}'));
        await told(/failed: line: .*length/);
        await writeFile(join(folder, "d.md"), "A well was dug.");
        await writeFile(join(folder, "lines.jsonl"), lines('{"a":1}'));
        await has("c.md", "d.md", "line", "new/b.md", "scan.pdf");
        ending.abort();
        const { code, out, err } = await running;
        assert.equal(code, 0, err);
        assert.match(out, /^1 completed, 0 deleted, 1 failed\n1 completed, 0 deleted, 0 failed\n/);
        assert.match(err, /Watching .*\. Ctrl-C ends it\./);
        // What failed is not sent again for each change of something else.
        assert.equal(err.match(/failed: scan\.pdf/g)?.length, 1, err);
        // What is refused is sent again only where it has changed.
        assert.equal(err.match(/failed: line: /g)?.length, 2, err);
      }),
    );
  });

  test("deletes nothing where the folder is gone, or a link leads to another one", async () => {
    await withHome(sqlite, (home) =>
      withService({ home }, async (service) => {
        const { client, env, projectId } = await moveIn(service);
        const [base, other] = [await makeFolder(), await makeFolder()];
        const folder = join(base, "watched");
        await mkdir(folder);
        await writeFile(join(folder, "a.md"), "A lamp was lit.");
        await writeFile(join(folder, "b.md"), "A bell was rung.");
        await writeFile(join(other, "c.md"), "A gate was shut.");
        const has = (...wanted: readonly string[]) =>
          waitFor(wanted.join(), async () => {
            const found = await idsOf(client, projectId);
            return found.join() === wanted.join() ? found : null;
          });
        const watchWhile = async (act: (told: (what: RegExp) => Promise<unknown>) => Promise<void>) => {
          const ending = new AbortController();
          const { onErr, told } = createListener();
          const running = runCli(["watch", folder], { env, signal: ending.signal, onErr });
          await has("a.md", "b.md");
          await told(/Watching/);
          await act(told);
          ending.abort();
          const { code, out, err } = await running;
          assert.equal(code, 0, err);
          return out;
        };
        const linked = await watchWhile(async (told) => {
          await rename(folder, join(base, "moved"));
          await symlink(other, folder);
          await told(/No document of the first one is deleted/);
          await has("a.md", "b.md", "c.md");
        });
        assert.match(linked, /^2 completed, 0 deleted, 0 failed\n1 completed, 0 deleted/);
        await rm(folder);
        await rename(join(base, "moved"), folder);
        const moved = await watchWhile(async (told) => {
          await rename(folder, join(base, "moved"));
          await told(/does not exist/);
          await has("a.md", "b.md");
        });
        assert.equal(moved, "0 completed, 1 deleted, 0 failed\n");
      }),
    );
  });
});
