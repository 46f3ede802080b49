import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createProject, ingestAll, placedChunks } from "../support/ingestion.ts";
import { runToEnd, startProcess } from "../support/process.ts";
import { describeOnEach, environmentOf, withHome } from "../support/service.ts";

describeOnEach((setting) => {
  if (setting.database === "sqlite") {
    test("a second process on the same data directory is refused in words, and the first goes on", async () => {
      await withHome(setting, async (home) => {
        const first = await startProcess(home);
        try {
          const second = await runToEnd(environmentOf(home));
          assert.notEqual(second.code, 0);
          assert.equal(second.signal, null, "It started.");
          assert.ok(second.output.includes(home.dataDir), second.output);
          assert.match(second.output, /in use by another process/);
          assert.doesNotMatch(second.output, /^\s+at /m, "Nobody needs the stack of this.");
          await createProject(first.owner);
        } finally {
          await first.end("SIGKILL");
        }
        const third = await startProcess(home);
        assert.equal((await third.end("SIGTERM")).code, 0);
      });
    });
  } else {
    test("a second process with a data directory of its own works on the same database", async () => {
      await withHome(setting, async (home) => {
        const first = await startProcess(home);
        const second = await startProcess(home, { KCS_DATA_DIR: join(home.dataDir, "second") });
        try {
          const params = { project_id: await createProject(first.owner) };
          await second.owner.succeed("getProject", { params });
          await ingestAll(second.owner, params.project_id, [{ text: "Seen by both.", source_doc_id: "a" }]);
          const [chunk] = await placedChunks(first.owner, params.project_id);
          assert.equal(chunk?.text, "Seen by both.");
        } finally {
          assert.equal((await first.end("SIGTERM")).code, 0);
          assert.equal((await second.end("SIGTERM")).code, 0);
        }
      });
    });
  }

  test("all faults of the configuration are told at once, without the values of secrets", async () => {
    await withHome(setting, async (home) => {
      const ended = await runToEnd({
        ...environmentOf(home),
        KCS_PORT: "x",
        KCS_SIGN_UP: "maybe",
        KCS_BOOTSTRAP_API_KEY: "kcs_tooshort",
        KCS_INGEST_PER_MINUTES: "10",
        DATABASE_URL: "mysql://root:hunter2@localhost/db",
      });
      assert.notEqual(ended.code, 0);
      for (const name of [
        "KCS_PORT",
        "KCS_SIGN_UP",
        "KCS_BOOTSTRAP_API_KEY",
        "KCS_INGEST_PER_MINUTES",
        "DATABASE_URL",
      ]) {
        assert.match(ended.output, new RegExp(`^\\s*${name}: `, "m"));
      }
      assert.doesNotMatch(ended.output, /hunter2|tooshort/);
      assert.doesNotMatch(ended.output, /^\s+at /m);
    });
  });

  test("the first start prints a key that works and a link; the next prints no key, and the link again", async () => {
    await withHome(setting, async (home) => {
      const env = { KCS_BOOTSTRAP_API_KEY: "" };
      const first = await startProcess(home, env);
      await first.end("SIGTERM");
      const key = /kcs_[A-Za-z0-9_-]{32,}/.exec(first.welcome)?.[0] ?? "";
      assert.match(first.welcome, /http\S+#token=\S+/);
      const second = await startProcess({ ...home, ownerKey: key }, env);
      try {
        await createProject(second.owner);
        assert.doesNotMatch(second.welcome, /kcs_[A-Za-z0-9_-]{32,}/);
        assert.match(second.welcome, /http\S+#token=\S+/);
      } finally {
        await second.end("SIGTERM");
      }
    });
  });

  test("a bootstrap key is never printed, and what is kept is kept for the service's user alone", async () => {
    await withHome(setting, async (home) => {
      const service = await startProcess(home, { KCS_LOG_LEVEL: "debug" });
      await createProject(service.owner);
      const { output } = await service.end("SIGTERM");
      assert.ok(!output.includes(home.ownerKey));
      // On PostgreSQL the secret is in the database, for all processes.
      const names = setting.database === "sqlite" ? ["secret", "knowledge.sqlite", "lock.sqlite"] : [];
      if (setting.database === "sqlite")
        assert.ok(!output.includes(readFileSync(join(home.dataDir, "secret"), "utf8").trim()));
      for (const name of names) {
        assert.equal(statSync(join(home.dataDir, name)).mode & 0o777, 0o600, name);
      }
    });
  });

  if (setting.database === "sqlite") {
    test("a start without the database that was there before is refused in words, and changes nothing", async () => {
      await withHome(setting, async (home) => {
        const first = await startProcess(home);
        const projectId = await createProject(first.owner);
        await first.end("SIGTERM");
        const path = join(home.dataDir, "knowledge.sqlite");
        await rename(path, `${path}-elsewhere`);
        const refuse = async (told: RegExp) => {
          const { code, output } = await runToEnd(environmentOf(home));
          assert.equal(code, 1, output);
          assert.match(output, told);
          assert.match(output, /Restore a backup .* DATABASE_URL .* delete the file secret/);
          assert.doesNotMatch(output, /^\s+at /m);
        };
        await refuse(/knowledge\.sqlite is missing/);
        assert.equal(existsSync(path), false);
        await writeFile(path, "");
        await refuse(/knowledge\.sqlite is empty/);
        await rename(`${path}-elsewhere`, path);
        const third = await startProcess(home);
        await third.owner.succeed("getProject", { params: { project_id: projectId } });
        await third.end("SIGTERM");
        for (const name of ["knowledge.sqlite", "secret"]) await rm(join(home.dataDir, name));
        const fourth = await startProcess(home);
        assert.deepEqual((await fourth.owner.succeed("listProjects")).projects, []);
        await fourth.end("SIGTERM");
      });
    });
  }

  test("an unusable data directory or database is told in a sentence", async () => {
    await withHome(setting, async (home) => {
      const file = join(home.dataDir, "occupied");
      await writeFile(file, "");
      const folder = await runToEnd({ ...environmentOf(home), KCS_DATA_DIR: join(file, "data") });
      assert.notEqual(folder.code, 0);
      assert.ok(folder.output.includes(file), folder.output);
      await rm(file);
      if (process.platform === "linux") {
        const nowhere = await runToEnd({ ...environmentOf(home), KCS_DATA_DIR: "/proc/nowhere/data" });
        assert.deepEqual([nowhere.code, nowhere.signal], [1, null]);
        assert.match(nowhere.output, /KCS_DATA_DIR: \/proc\/nowhere\/data cannot be used as a folder/);
      }
      if (setting.database === "sqlite") {
        await writeFile(join(home.dataDir, "knowledge.sqlite"), "This is no database. ".repeat(1000));
        const database = await runToEnd(environmentOf(home));
        assert.equal(database.code, 1);
        assert.ok(
          database.output.includes(join(home.dataDir, "knowledge.sqlite is damaged")),
          database.output,
        );
        assert.doesNotMatch(database.output, /^\s+at /m);
        await rm(join(home.dataDir, "knowledge.sqlite"));
        await writeFile(join(home.dataDir, "lock.sqlite"), "This is no lock. ".repeat(1000));
        const locked = await runToEnd(environmentOf(home));
        assert.equal(locked.code, 1);
        assert.ok(locked.output.includes(join(home.dataDir, "lock.sqlite is damaged")), locked.output);
        assert.match(locked.output, /stop every service that uses the directory, then delete it/);
      } else {
        const nowhere = "postgres://postgres:hunter2@127.0.0.1:1/none";
        const database = await runToEnd({ ...environmentOf(home), DATABASE_URL: nowhere });
        assert.notEqual(database.code, 0);
        assert.match(database.output, /PostgreSQL/);
        assert.doesNotMatch(database.output, /hunter2/);
      }
    });
  });
});
