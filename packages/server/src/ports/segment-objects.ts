/** Bytes of segments outside of the database: objects in a folder or a bucket. */

/** The setting in the database with the id of the store that has its segments. */
export const SEGMENT_STORE_SETTING = "segment_store";

/** A segment's bytes in the segment store, and what the database knows of them. */
export interface SegmentObject {
  /** Reserved for the segment. */
  readonly segmentId: number;
  readonly key: string;
  readonly byteLength: number;
  /** SHA-256, in hexadecimal. */
  readonly hash: string;
}

/** Where the bytes of a new segment are. */
export type SegmentBytes = Uint8Array | SegmentObject;

/** An object that no segment has. */
export interface UnownedObject {
  readonly projectId: string;
  readonly key: string;
}

/**
 * What the database records of objects. Each is listed before it is written, and again from the transaction that removes its segment on,
 * so that those which no segment has are known without looking through the store.
 */
export interface SegmentObjectStore {
  /**
   * Takes a segment id of the project, and lists the object that is going to be written until a segment has it. null when the project
   * does not exist.
   * @throws StoreUnavailableError when the database's segments belong into another store than `storeId`
   */
  reserveSegment(input: {
    projectId: string;
    storeId: string;
    /** Distinguishes the object from all others. */
    token: string;
    /** When upkeep removes the object if no segment has it. */
    removeAt: number;
  }): Promise<Pick<SegmentObject, "segmentId" | "key"> | null>;
  /** null where the segment does not exist or its bytes are in the database. */
  findSegmentObject(input: { projectId: string; segmentId: number }): Promise<SegmentObject | null>;
  /** Whether any segment has its bytes outside. */
  hasSegmentObjects(): Promise<boolean>;
  /** Whether `claimObjects` would find any. */
  nextObjects(input: { now: number }): Promise<boolean>;
  /**
   * Objects to remove, which no segment can have from now on. They are given again after `again` unless they are forgotten. Objects of removed
   * segments are kept for `keptMs` from the first call on: exports and copies of the database may still read them.
   */
  claimObjects(input: {
    now: number;
    keptMs: number;
    again: number;
    limit: number;
  }): Promise<readonly UnownedObject[]>;
  /** They were removed. */
  forgetObjects(input: { objects: readonly UnownedObject[] }): Promise<void>;
}

/** A folder or a bucket. Each method may fail, and takes as long as its signal lets it. */
export interface ObjectStore {
  /** null where there is none. May end early after `maxBytes`. */
  get(
    key: string,
    limit: { readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<Uint8Array | null>;
  /** On a disk, or answered for, when it resolves. */
  put(
    key: string,
    bytes: Uint8Array,
    options: { readonly hash: string; readonly signal: AbortSignal },
  ): Promise<void>;
  /** No fault where there is none. */
  remove(key: string, options: { readonly signal: AbortSignal }): Promise<void>;
}
