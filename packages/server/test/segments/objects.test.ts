/** Objects in a folder and in a bucket: written, read, removed; what fails, and what is said of it. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { openFolderObjects } from "../../src/adapters/segments/folder-objects.ts";
import { createPatientObjects, type PatientObjects } from "../../src/adapters/segments/patient-objects.ts";
import { openBucketObjects } from "../../src/adapters/segments/s3-objects.ts";
import type { BucketPlace } from "../../src/adapters/segments/settings.ts";
import { loadConfig } from "../../src/config.ts";
import { StoreUnavailableError } from "../../src/ports/store.ts";
import { BUCKET, type BucketServer, SECRET_KEY, startBucketServer } from "../support/bucket-server.ts";
import { MARKER } from "../support/outside.ts";

const TIMES = { tryMs: 5_000, mibMs: 0, pauseMs: 1, restMs: 0 };
/** So that what never answers is given up soon. */
const SHORT = { ...TIMES, tryMs: 40 };
const BYTES = Uint8Array.from({ length: 70_000 }, (_, at) => (at * 7) % 251);
const HASH = createHash("sha256").update(BYTES).digest("hex");
const KEY = "a project%2F of ours/12-0badc0de";

function bucketOf(server: BucketServer, prefix = "team-a"): BucketPlace {
  const place = loadConfig(server.environment(prefix)).segmentStore?.place;
  assert.equal(place?.kind, "s3");
  return place;
}

async function checkObjects(objects: PatientObjects): Promise<void> {
  assert.equal(await objects.read(KEY, 10), null);
  await objects.remove(KEY);
  await objects.write(KEY, BYTES, HASH);
  assert.deepEqual(new Uint8Array((await objects.read(KEY, BYTES.length)) ?? []), BYTES);
  // More than what is expected is not read to its end.
  assert.equal((await objects.read(KEY, 100))?.byteLength, 101);
  await objects.remove(KEY);
  assert.equal(await objects.read(KEY, BYTES.length), null);
}

describe("in a folder", () => {
  const root = mkdtempSync(join(tmpdir(), "kcs-objects-"));
  after(() => rmSync(root, { recursive: true, force: true }));

  test("an object is written, read and removed, and nothing else stays", async () => {
    await checkObjects(createPatientObjects(openFolderObjects(root), TIMES));
    assert.deepEqual(readdirSync(root), []);
  });

  test("what a process left that died while it wrote goes with the object", async () => {
    const objects = createPatientObjects(openFolderObjects(root), TIMES);
    await objects.write(KEY, BYTES, HASH);
    writeFileSync(join(root, `${KEY}.part`), "half");
    await objects.remove(KEY);
    assert.deepEqual(readdirSync(root), []);
  });

  test("a folder that is gone is not made again", async () => {
    const objects = createPatientObjects(openFolderObjects(join(root, "unmounted")), TIMES);
    await assert.rejects(objects.write(KEY, BYTES, HASH), (error) => {
      assert.ok(error instanceof StoreUnavailableError);
      assert.match(error.message, /^The segment store \(KCS_SEGMENT_STORE\) cannot be used: ENOENT\. /);
      return error.reason === "segment_store";
    });
    assert.deepEqual(readdirSync(root), []);
  });

  test("a full disk is told as one, and not tried again", async () => {
    let tries = 0;
    const full = Object.assign(new Error("ENOSPC: no space left on device, write '/private'"), {
      code: "ENOSPC",
    });
    const objects = createPatientObjects(
      {
        ...openFolderObjects(root),
        async put() {
          tries += 1;
          throw full;
        },
      },
      TIMES,
    );
    await assert.rejects(objects.write(KEY, BYTES, HASH), (error) => {
      assert.ok(error instanceof StoreUnavailableError);
      assert.doesNotMatch(error.message, /private/);
      return error.reason === "disk_full";
    });
    assert.equal(tries, 1);
  });
});

test("calls of a store that never answers are left behind after their deadline, and those that follow at once fail without waiting", async () => {
  let tries = 0;
  let reads: "hang" | "answer" = "hang";
  const objects = createPatientObjects(
    {
      get: async () => {
        tries += 1;
        return reads === "hang" ? new Promise(() => undefined) : BYTES;
      },
      put: async () => undefined,
      remove: async () => undefined,
    },
    { ...SHORT, restMs: 60 * 60_000 },
  );
  await assert.rejects(objects.read(KEY, 10), /no answer within 1 seconds/);
  // And three of the store's marker.
  assert.equal(tries, 6);
  reads = "answer";
  await assert.rejects(objects.read("other", 10), /no answer within/);
  await assert.rejects(objects.write(KEY, BYTES, HASH), /no answer within/);
  assert.equal(tries, 6);
});

test("an object that cannot be used fails alone and at once; no more than a thousand are remembered", async () => {
  const calls: string[] = [];
  const use = (method: string, key: string, bytes: Uint8Array | null = null) => {
    calls.push(`${method} ${key}`);
    if (key.startsWith("bad")) throw Object.assign(new Error("EACCES"), { code: "EACCES" });
    return Promise.resolve(bytes);
  };
  const objects = createPatientObjects(
    {
      get: async (key) => use("get", key, BYTES),
      put: async (key) => void use("put", key),
      remove: async (key) => void use("remove", key),
    },
    { ...TIMES, pauseMs: 0, restMs: 60 * 60_000 },
  );
  const told =
    /^The object bad\/1 of the segment store \(KCS_SEGMENT_STORE\) cannot be (?:read|written|removed): EACCES\. /;
  const isOfObject = (error: unknown) => {
    assert.ok(error instanceof StoreUnavailableError);
    assert.match(error.message, told);
    return error.reason === "segment_object";
  };
  await assert.rejects(objects.read("bad/1", 10), isOfObject);
  await assert.rejects(objects.write("bad/1", BYTES, HASH), isOfObject);
  await assert.rejects(objects.remove("bad/1"), isOfObject);
  calls.length = 0;
  await assert.rejects(objects.read("bad/1", 10), isOfObject);
  assert.deepEqual(calls, []);
  for (const key of ["good/1", MARKER]) assert.equal(await objects.read(key, 10), BYTES);
  await objects.write("good/2", BYTES, HASH);
  await objects.remove("good/1");
  const keys = Array.from({ length: 1_000 }, (_, at) => `bad/${at + 2}`);
  for (const key of keys) await assert.rejects(objects.read(key, 10), /EACCES/);
  calls.length = 0;
  for (const key of ["bad/3", "bad/1001", "bad/1"]) await assert.rejects(objects.read(key, 10), /EACCES/);
  assert.deepEqual(new Set(calls), new Set(["get bad/1", `get ${MARKER}`]));
});

describe("in a bucket", () => {
  let server: BucketServer;
  before(async () => {
    server = await startBucketServer();
  });
  after(() => server.close());
  afterEach(() => {
    server.behave = () => "answer";
    server.requests.length = 0;
    server.objects.clear();
  });
  const open = (place: BucketPlace = bucketOf(server), times = TIMES) =>
    createPatientObjects(openBucketObjects(place), times);

  test("an object is written, read and removed under the prefix, signed", async () => {
    await checkObjects(open());
    assert.deepEqual(new Set(server.requests.map(({ key }) => key)), new Set([`team-a/${KEY}`]));
  });

  test("the bucket can be in the host's name", async () => {
    const sent: string[] = [];
    const { fetch } = globalThis;
    // No name below that of this machine can be relied on.
    globalThis.fetch = async (input) => {
      assert.ok(input instanceof Request);
      sent.push(input.url);
      return new Response(null, { status: 204 });
    };
    try {
      await open({ ...bucketOf(server), style: "host", endpoint: "https://s3.example.com" }).remove(KEY);
    } finally {
      globalThis.fetch = fetch;
    }
    assert.equal(sent[0], `https://${BUCKET}.s3.example.com/team-a/a%20project%252F%20of%20ours/12-0badc0de`);
  });

  test("what may pass is tried three times; what will not is refused at once, without names or secrets", async () => {
    const refusals: [Partial<BucketPlace>, RegExp, number][] = [
      [{ secretAccessKey: "another" }, /status 403, SignatureDoesNotMatch/, 1],
      [{ accessKeyId: "another" }, /status 403, InvalidAccessKeyId/, 1],
      [{ sessionToken: null }, /status 403, InvalidToken/, 1],
      [{ region: "elsewhere-1" }, /status 400, AuthorizationHeaderMalformed/, 1],
      [{ bucket: "another" }, /status 404, NoSuchBucket/, 1],
    ];
    for (const [change, told, tries] of refusals) {
      server.requests.length = 0;
      await assert.rejects(open({ ...bucketOf(server), ...change }).read(KEY, 10), told);
      // As often for the store's marker.
      assert.equal(server.requests.length, 2 * tries);
    }
    for (const [behaviour, told] of [
      [503, /status 503, SlowDown/],
      [429, /status 429/],
      ["reset", /cannot be used: (?:UND_ERR_SOCKET|ECONNRESET)/],
    ] as const) {
      server.requests.length = 0;
      server.behave = () => behaviour;
      await assert.rejects(open().write(KEY, BYTES, HASH), (error) => {
        assert.ok(error instanceof StoreUnavailableError && error.reason === "segment_store");
        assert.match(error.message, told);
        const shown = `${error.message} ${String(error.cause)} ${error.stack}`;
        assert.doesNotMatch(error.message, /private|127\.0\.0\.1/);
        assert.equal(shown.includes(SECRET_KEY) || shown.includes("Signature="), false);
        return true;
      });
      assert.equal(server.requests.length, 2 * 3);
    }
  });

  test("what is answered for one object, or not at all, is no fault of the bucket whose marker can be read", async () => {
    const objects = open(bucketOf(server), { ...SHORT, restMs: 60 * 60_000 });
    for (const key of [MARKER, "theirs/1-aa"]) await objects.write(key, BYTES, HASH);
    for (const [at, behaviour] of ([403, 500, "hang", "reset"] as const).entries()) {
      server.behave = ({ key }) => (key.endsWith(`ours/${at}`) ? behaviour : "answer");
      await assert.rejects(
        objects.read(`ours/${at}`, BYTES.length),
        (error) => error instanceof StoreUnavailableError && error.reason === "segment_object",
      );
      assert.equal((await objects.read("theirs/1-aa", BYTES.length))?.byteLength, BYTES.length);
    }
    server.behave = () => 403;
    await assert.rejects(
      objects.read("theirs/1-aa", BYTES.length),
      (error) => error instanceof StoreUnavailableError && error.reason === "segment_store",
    );
  });

  test("a server that does not answer is given up after the deadline", async () => {
    server.behave = () => "hang";
    await assert.rejects(open(bucketOf(server), SHORT).read(KEY, 10), /no answer within 1 seconds/);
  });

  test("a try that succeeds ends the outage", async () => {
    let tries = 0;
    server.behave = () => (++tries < 3 ? 500 : "answer");
    await open().write(KEY, BYTES, HASH);
    assert.equal(server.objects.get(`team-a/${KEY}`)?.byteLength, BYTES.byteLength);
  });

  test("bytes that were altered on their way are refused by the server", async () => {
    const wrong = createHash("sha256").update("other").digest("hex");
    await assert.rejects(open().write(KEY, BYTES, wrong), /XAmzContentSHA256Mismatch/);
    assert.equal(server.objects.size, 0);
  });
});
