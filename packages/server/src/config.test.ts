import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigError, loadConfig } from "./config.ts";

test("with nothing set every value has its documented default", () => {
  const config = loadConfig({});
  assert.equal(config.host, "127.0.0.1");
  assert.equal(config.port, 8080);
  assert.equal(config.publicUrl, "http://127.0.0.1:8080");
  assert.equal(config.databaseUrl, null);
  assert.equal(config.signUp, "closed");
  assert.equal(config.ingestPerMinute, 10);
  assert.equal(config.tokenLimit, null);
  assert.equal(config.jobRetentionDays, 90);
  assert.equal(config.maxTextBytes, 10 * 1024 * 1024);
  assert.deepEqual(config.confidenceLimits, { asserted: 0.8, proposed: 0.4 });
  assert.equal(config.cacheBytes, 512 * 1024 * 1024);
  assert.ok(config.queryThreads >= 1 && config.queryThreads <= 4);
  assert.ok(Object.isFrozen(config));
});

test("an empty value means the default, and 0 requests a minute means no limit", () => {
  assert.equal(loadConfig({ KCS_PORT: " " }).port, 8080);
  assert.equal(loadConfig({ KCS_INGEST_PER_MINUTE: "0" }).ingestPerMinute, null);
});

test("all faults are reported together, without the values of secrets", () => {
  const env = {
    KCS_PORT: "eighty",
    KCS_SIGN_UP: "maybe",
    KCS_SECRET: "short-secret",
    KCS_ENCRYPTION_KEY: "short-secret",
    KCS_BOOTSTRAP_API_KEY: "kcs_tooshort",
    DATABASE_URL: "mysql://user:hunter2@host/db",
    KCS_ROLE: "watcher",
    KCS_TRUSTED_PROXIES: "10.0.0.0/33",
    KCS_CORS_ORIGINS: "example.com",
    KCS_PUBLIC_URL: "ftp://example.com",
    KCS_QUERY_THREADS: "0",
    KCS_JOB_RETENTION_DAYS: "0",
    KCS_CACHE_BYTES: String(128 * 1024 * 1024 - 1),
    KCS_CONFIDENCE: "0.4,0.8",
    KCS_MODELS_DEVICE: "tpu",
    KCS_MODELS_IDLE_MINUTES: "-1",
    KCS_PROT: "1",
  };
  assert.throws(
    () => loadConfig(env),
    (error: unknown) => {
      assert.ok(error instanceof ConfigError);
      assert.equal(error.faults.length, Object.keys(env).length);
      assert.doesNotMatch(error.message, /short-secret|hunter2|kcs_tooshort/);
      return true;
    },
  );
});

test("a host or an address of the database that is none is told by its own setting", () => {
  for (const host of ["http://example.com", "local host", "a/b", "[::1]", "a:b"])
    assert.throws(
      () => loadConfig({ KCS_HOST: host }),
      (error) => error instanceof ConfigError && /^KCS_HOST: /.test(error.faults.join()),
    );
  for (const host of ["::", "::1", "fe80::1%eth0", "0.0.0.0", "kcs.example"])
    assert.equal(loadConfig({ KCS_HOST: host, KCS_PUBLIC_URL: "https://x.example" }).host, host);
  for (const url of ["postgres://u:hunter2@[::1/db", "postgres://u:hunter2@host:port/db"])
    assert.throws(
      () => loadConfig({ DATABASE_URL: url }),
      (error) => /DATABASE_URL: /.test(String(error)) && !String(error).includes("hunter2"),
    );
  for (const url of ["postgres:///db?host=/run", "postgres://u:p@/db?host=/run", "postgres://u:p@[::1]:5/db"])
    assert.equal(loadConfig({ DATABASE_URL: url }).databaseUrl, url);
});

test("the confidences from which relationships are asserted and proposed are two numbers, the higher one first", () => {
  const read = (text: string) => loadConfig({ KCS_CONFIDENCE: text }).confidenceLimits;
  assert.deepEqual(read("0.9, .5"), { asserted: 0.9, proposed: 0.5 });
  assert.deepEqual(read("0,0"), { asserted: 0, proposed: 0 });
  for (const text of ["0.8", "1.1,0.4", "-1,0", "0.4,0.8", "a,b", "0.8,0.4,0.2"])
    assert.throws(() => read(text), /KCS_CONFIDENCE/, text);
});

test("the least memory for segments is 128 MiB", () => {
  const least = 128 * 1024 * 1024;
  assert.equal(loadConfig({ KCS_CACHE_BYTES: String(least) }).cacheBytes, least);
  assert.throws(() => loadConfig({ KCS_CACHE_BYTES: String(least - 1) }), /KCS_CACHE_BYTES/);
});

test("a public address keeps its path prefix and loses its trailing slash", () => {
  assert.equal(
    loadConfig({ KCS_PUBLIC_URL: "https://example.com/kcs/" }).publicUrl,
    "https://example.com/kcs",
  );
});

test("IPv6 hosts stand in brackets in the public address", () => {
  assert.equal(loadConfig({ KCS_HOST: "::1" }).publicUrl, "http://[::1]:8080");
});

test("a service that listens everywhere is addressed as localhost", () => {
  assert.equal(loadConfig({ KCS_HOST: "0.0.0.0", KCS_PORT: "8090" }).publicUrl, "http://localhost:8090");
});

test("the names that the command line reads are no fault of the service's settings", () => {
  loadConfig({ KCS_URL: "http://127.0.0.1:8080", KCS_KEY: "kcs_x", KCS_PROJECT: "prj_x" });
});
