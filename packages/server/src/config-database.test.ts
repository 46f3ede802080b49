import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { describePlace } from "./adapters/segments/settings.ts";
import { ConfigError, loadConfig } from "./config.ts";

const KEYS = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "hunter2" };
const storeOf = (env: Readonly<Record<string, string>>) => loadConfig(env).segmentStore;

function faultsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

test("segments are in the database, in a folder without copies, or in a bucket with them", () => {
  assert.equal(storeOf({}), null);
  assert.equal(storeOf({ KCS_SEGMENT_STORE: " ", ...KEYS }), null);
  const path = resolve("./segments");
  assert.deepEqual(storeOf({ KCS_SEGMENT_STORE: "./segments" }), {
    place: { kind: "folder", path },
    cache: null,
  });
  const bucket = storeOf({ KCS_DATA_DIR: "/data", KCS_SEGMENT_STORE: "s3://my.bucket/a//b/", ...KEYS });
  assert.deepEqual(bucket, {
    place: {
      ...{ kind: "s3", bucket: "my.bucket", prefix: "a/b/", style: "host", sessionToken: null },
      ...{ endpoint: "https://s3.us-east-1.amazonaws.com", region: "us-east-1" },
      ...{ accessKeyId: "id", secretAccessKey: "hunter2" },
    },
    cache: { folder: join(resolve("/data"), "segment-cache"), maxBytes: 2 * 1024 ** 3 },
  });
  assert.ok(bucket);
  assert.equal(describePlace(bucket.place), "s3://my.bucket/a/b/");
  assert.equal(
    storeOf({ KCS_SEGMENT_STORE: "s3://abc", KCS_SEGMENT_CACHE_BYTES: "0", ...KEYS })?.cache,
    null,
  );
});

test("the settings of other tools for S3 are read, and an endpoint has the bucket in its path", () => {
  const placeOf = (env: Readonly<Record<string, string>>) => {
    const place = storeOf({ KCS_SEGMENT_STORE: "s3://abc", ...KEYS, ...env })?.place;
    assert.ok(place?.kind === "s3");
    return { region: place.region, endpoint: place.endpoint, style: place.style, token: place.sessionToken };
  };
  assert.deepEqual(placeOf({ AWS_DEFAULT_REGION: "eu-west-1", AWS_SESSION_TOKEN: "t" }), {
    ...{ region: "eu-west-1", endpoint: "https://s3.eu-west-1.amazonaws.com", style: "host", token: "t" },
  });
  const own = {
    AWS_ENDPOINT_URL: "http://all:1",
    AWS_ENDPOINT_URL_S3: "http://minio:9000/",
    AWS_REGION: "x-1",
  };
  assert.deepEqual(placeOf({ ...own, AWS_DEFAULT_REGION: "y-1" }), {
    ...{ region: "x-1", endpoint: "http://minio:9000", style: "path", token: null },
  });
  assert.equal(placeOf({ ...own, KCS_SEGMENT_STORE_STYLE: "host" }).style, "host");
});

test("faults name the setting, and no secret", () => {
  const cases: [Readonly<Record<string, string>>, RegExp][] = [
    [{ KCS_SEGMENT_STORE: "s3://abc" }, /^AWS_ACCESS_KEY_ID: is needed .*AWS_SECRET_ACCESS_KEY: is needed/s],
    [{ KCS_SEGMENT_STORE: "s3:/abc", ...KEYS }, /^KCS_SEGMENT_STORE: expected a folder, or a bucket/],
    [{ KCS_SEGMENT_STORE: "gs://abc", ...KEYS }, /^KCS_SEGMENT_STORE: expected/],
    [{ KCS_SEGMENT_STORE: "s3://Upper", ...KEYS }, /^KCS_SEGMENT_STORE: expected/],
    [{ KCS_SEGMENT_STORE: "s3://abc/a/../b", ...KEYS }, /^KCS_SEGMENT_STORE: expected/],
    [
      { KCS_SEGMENT_STORE: "s3://abc", ...KEYS, AWS_REGION: "not a region" },
      /^AWS_REGION: got "not a region"/,
    ],
    [
      { KCS_SEGMENT_STORE: "s3://abc", ...KEYS, AWS_ENDPOINT_URL_S3: "minio" },
      /^AWS_ENDPOINT_URL_S3: expected/,
    ],
    [
      { KCS_SEGMENT_STORE: "s3://abc", ...KEYS, KCS_SEGMENT_STORE_STYLE: "dns" },
      /^KCS_SEGMENT_STORE_STYLE: got/,
    ],
    [
      { KCS_SEGMENT_STORE: "/segments", KCS_SEGMENT_STORE_STYLE: "path" },
      /^KCS_SEGMENT_STORE_STYLE: is for buckets/,
    ],
    [
      { KCS_SEGMENT_STORE: "s3://abc", AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "hunter2 \n3" },
      /^AWS_SECRET_ACCESS_KEY: expected/,
    ],
    [{ KCS_SEGMENT_CACHE_BYTES: "much" }, /^KCS_SEGMENT_CACHE_BYTES: got "much"/],
  ];
  for (const [env, told] of cases) {
    const faults = faultsOf(env).join("\n");
    assert.match(faults, told);
    assert.doesNotMatch(faults, /hunter2/);
  }
});
