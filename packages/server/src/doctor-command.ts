/** `kcs-server doctor`: whether the database and the segment store can be used, a line each. A service may run meanwhile. */
import { hash, randomBytes } from "node:crypto";
import { readSchema } from "./adapters/database/migrate.ts";
import { readSetting } from "./adapters/database/operations/accounts.ts";
import { sampleObjects } from "./adapters/database/operations/segment-objects.ts";
import { isOutdatedSchema } from "./adapters/database/postgres-errors.ts";
import { openSource } from "./adapters/database/transfer/transfer-database.ts";
import { TransferError } from "./adapters/database/transfer/transfer-error.ts";
import { openObjects } from "./adapters/segments/open-outside.ts";
import { readWhole } from "./adapters/segments/outside-segments.ts";
import type { PatientObjects } from "./adapters/segments/patient-objects.ts";
import { describePlace, type SegmentPlace } from "./adapters/segments/settings.ts";
import { anotherStore, readStoreId } from "./adapters/segments/store-identity.ts";
import type { Config } from "./config.ts";
import { SEGMENT_STORE_SETTING, type SegmentObject } from "./ports/segment-objects.ts";
import { UNSET } from "./segment-store.ts";

const NONE = "none yet; the first start makes it";
const TRIAL_BYTES = 64 * 1024;
const MAX_READ = 32;
/** The migration from which on segments may be outside. */
const SEGMENT_OBJECTS = 37;

type Examined = Pick<Config, "databaseUrl" | "dataDir" | "segmentStore">;

/** Of the store that has the database's segments; null where none is outside, or the database cannot tell. */
interface Expected {
  readonly storeId: string | null;
  readonly sample: readonly SegmentObject[];
}

/** Changes nothing but an object of its own, which it removes. */
export async function examine(
  config: Examined,
): Promise<{ readonly isWell: boolean; readonly text: string }> {
  const lines: string[] = [];
  let isWell = true;
  let expected: Expected | null = null;
  const check = async (what: string, run: () => Promise<string>) => {
    const told = await run().catch((error: unknown) => {
      isWell = false;
      return error instanceof Error ? error : new Error(String(error));
    });
    lines.push(told instanceof Error ? `fault  ${what}: ${told.message}` : `ok     ${what}: ${told}`);
  };
  await check("database", async () => {
    const found = await readDatabase(config).catch((error: unknown) => {
      if (error instanceof TransferError || isOutdatedSchema(error)) return { told: NONE, expected: null };
      throw error;
    });
    expected = found.expected;
    return found.told;
  });
  await check("segment store", () => tryStore(config.segmentStore?.place ?? null, expected));
  return { isWell, text: lines.join("\n") };
}

async function readDatabase(
  config: Examined,
): Promise<{ readonly told: string; readonly expected: Expected | null }> {
  const { db, kind, close } = openSource(config);
  try {
    const { newest, known, oldest } = await readSchema(db);
    if (oldest > known)
      throw new Error(`it has schema version ${newest}, which this version of the service cannot use.`);
    const sample = newest >= SEGMENT_OBJECTS ? await sampleObjects(db, MAX_READ) : [];
    return {
      told: `${kind === "sqlite" ? "SQLite" : "PostgreSQL"}, schema version ${newest} of ${known}`,
      expected:
        sample.length > 0
          ? { sample, storeId: await readSetting(db, { name: SEGMENT_STORE_SETTING }) }
          : null,
    };
  } finally {
    await close();
  }
}

async function tryStore(place: SegmentPlace | null, expected: Expected | null): Promise<string> {
  if (place === null) {
    if (expected !== null) throw new Error(UNSET);
    return "none; segments are in the database";
  }
  const objects = await openObjects(place);
  const key = `kcs-doctor-${randomBytes(8).toString("hex")}`;
  const bytes = randomBytes(TRIAL_BYTES);
  await objects.write(key, bytes, hash("sha256", bytes, "hex"));
  const read = await objects.read(key, TRIAL_BYTES);
  await objects.remove(key);
  if (read === null || !bytes.equals(read)) throw new Error("what was written is not what is read.");
  // A store that may not be listed refuses what is not there: then a missing segment would be no damage, and never be built again.
  if ((await objects.read(key, TRIAL_BYTES)) !== null) throw new Error("what was removed is still there.");
  const told = `${describePlace(place)}, ${TRIAL_BYTES} bytes written, read and removed`;
  if (expected === null) return told;
  const { storeId, sample } = expected;
  if (storeId !== null && (await readStoreId(objects)) !== storeId) throw anotherStore(storeId);
  const faults = await readSample(objects, sample);
  if (faults.length > 0)
    throw new Error(`${faults.length} of ${sample.length} segments cannot be read.\n${faults.join("\n")}`);
  return `${told}; ${sample.length} segments read, chosen at random`;
}

/** What is wrong with them. */
async function readSample(
  objects: PatientObjects,
  sample: readonly SegmentObject[],
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const object of sample) {
    try {
      if ((await readWhole(objects, object)) === null)
        faults.push(`The object ${object.key} is missing, or is not what was written.`);
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
    }
  }
  return faults;
}
