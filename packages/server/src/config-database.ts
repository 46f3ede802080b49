/** The settings of where data is kept: the database, and the segments outside of it. */
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { leastConnections, usualConnections } from "./adapters/database/connection-limits.ts";
import type { BucketPlace, SegmentPlace, SegmentStoreSettings } from "./adapters/segments/settings.ts";
import { ROLES, type Role, serves } from "./domain/service-process.ts";

/** What these settings need of the reader of all settings. */
interface Reader {
  fault(name: string, message: string): void;
  optionalText(name: string): string | null;
  integer(name: string, range: { min: number; max: number; fallback: number }): number;
  choice<const Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice;
  address(name: string, fallback: string): string;
  databaseUrl(name: string): string | null;
}

export const SEGMENT_STORE_NAMES = [
  "KCS_SEGMENT_STORE",
  "KCS_SEGMENT_STORE_STYLE",
  "KCS_SEGMENT_CACHE_BYTES",
] as const;

const ROLE_NAMES = Object.keys(ROLES) as readonly Role[]; // Its keys are of the type.
const GIB = 1024 ** 3;

/** The database, and what this process does with it. */
export function readDatabase(read: Reader) {
  const role = read.choice("KCS_ROLE", ROLE_NAMES, "all");
  const databaseUrl = read.databaseUrl("DATABASE_URL");
  if (role !== "all" && databaseUrl === null)
    read.fault("KCS_ROLE", "processes can share the work only on PostgreSQL: set DATABASE_URL as well");
  const askingThreads = read.integer("KCS_QUERY_THREADS", { min: 1, max: 64, fallback: coresUpTo(4) });
  // A worker answers no questions.
  const queryThreads = serves({ role }) ? askingThreads : 0;
  const databaseConnections = read.integer("KCS_DATABASE_CONNECTIONS", {
    min: leastConnections(queryThreads),
    max: 1_000,
    fallback: usualConnections(queryThreads),
  });
  return { role, databaseUrl, queryThreads, databaseConnections };
}

export function coresUpTo(most: number): number {
  return Math.max(1, Math.min(most, availableParallelism()));
}

/** null: the bytes of segments are in the database. */
export function readSegmentStore(read: Reader, dataDir: string): SegmentStoreSettings | null {
  const cacheBytes = read.integer("KCS_SEGMENT_CACHE_BYTES", { min: 0, max: 1024 * GIB, fallback: 2 * GIB });
  const style = read.optionalText("KCS_SEGMENT_STORE_STYLE");
  const value = read.optionalText("KCS_SEGMENT_STORE");
  if (value === null) return null;
  const place = readPlace(read, value);
  if (place === null) return null;
  if (place.kind === "folder") {
    if (style !== null)
      read.fault("KCS_SEGMENT_STORE_STYLE", "is for buckets, and KCS_SEGMENT_STORE is a folder");
    return { place, cache: null };
  }
  const cache = cacheBytes === 0 ? null : { folder: segmentCacheOf(dataDir), maxBytes: cacheBytes };
  return { place, cache };
}

export function segmentCacheOf(dataDir: string): string {
  return join(dataDir, "segment-cache");
}

function readPlace(read: Reader, value: string): SegmentPlace | null {
  if (!/^[a-z0-9+.-]{2,20}:/i.test(value)) return { kind: "folder", path: resolve(value) };
  const named = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]{0,512}))?$/.exec(value);
  const prefix = (named?.[2] ?? "").split("/").filter((part) => part !== "");
  const [, bucket] = named ?? [];
  if (bucket === undefined || prefix.some((part) => part === "." || part === "..")) {
    read.fault("KCS_SEGMENT_STORE", "expected a folder, or a bucket like s3://name or s3://name/prefix");
    return null;
  }
  return readBucket(read, bucket, prefix.map((part) => `${part}/`).join(""));
}

/** Under the names that tools for S3 have for them. */
function readBucket(read: Reader, bucket: string, prefix: string): BucketPlace {
  const required = (name: string) => {
    const value = read.optionalText(name);
    if (value === null) read.fault(name, "is needed for KCS_SEGMENT_STORE=s3://…");
    else if (!/^[\x21-\x7e]{1,4096}$/.test(value)) read.fault(name, "expected visible ASCII characters");
    return value ?? "";
  };
  const region = read.optionalText("AWS_REGION") ?? read.optionalText("AWS_DEFAULT_REGION") ?? "us-east-1";
  if (!/^[a-z0-9-]{1,64}$/.test(region))
    read.fault("AWS_REGION", `got "${region}", expected a region like eu-central-1`);
  const endpointName =
    ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"].find((name) => read.optionalText(name) !== null) ?? null;
  return {
    kind: "s3",
    ...{ bucket, prefix, region },
    endpoint: endpointName === null ? `https://s3.${region}.amazonaws.com` : read.address(endpointName, ""),
    style: read.choice("KCS_SEGMENT_STORE_STYLE", ["path", "host"], endpointName === null ? "host" : "path"),
    accessKeyId: required("AWS_ACCESS_KEY_ID"),
    secretAccessKey: required("AWS_SECRET_ACCESS_KEY"),
    sessionToken: read.optionalText("AWS_SESSION_TOKEN"),
  };
}
