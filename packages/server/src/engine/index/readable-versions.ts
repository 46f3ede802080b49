/** The format versions of segments that this release reads: its own, and that of the previous release. */
import { SEGMENT_VERSION } from "../../domain/segment-version.ts";
import { checkEnvelope, DamagedSegmentError } from "./format.ts";

/**
 * Returns a segment of one version as a segment of the current version, with the same chunks. The envelope of
 * the given bytes has been checked. Throws a DamagedSegmentError if they are inconsistent; the result is checked
 * when it is opened.
 */
export type ConvertSegment = (bytes: Uint8Array) => Uint8Array;

/** By format version. */
export type ReadableVersions = ReadonlyMap<number, ConvertSegment>;

/** A change of the format adds a reader of the previous release's version and removes older ones. */
const READABLE_VERSIONS: ReadableVersions = new Map([[SEGMENT_VERSION, (bytes) => bytes]]);

/**
 * Returns stored bytes in the current format: the same bytes if they have the current version.
 * Every reader of stored segments calls it first, so that searching, merging and the cache know one format only.
 * Throws a DamagedSegmentError if the version cannot be read or if a segment of an older version is altered; of a
 * segment of the current version it reads only the header.
 */
export function toCurrentVersion(bytes: Uint8Array, versions = READABLE_VERSIONS): Uint8Array {
  const version = checkEnvelope(bytes, { isChecked: true });
  const convert = versions.get(version);
  if (convert === undefined) throw unreadableVersion(version, versions);
  // The opener reads all bytes of the current version once more, so their checksum is left to it.
  if (version !== SEGMENT_VERSION) checkEnvelope(bytes, { isChecked: false });
  return convert(bytes);
}

function unreadableVersion(version: number, versions: ReadableVersions): DamagedSegmentError {
  const readable = [...versions.keys()].join(" and ");
  return new DamagedSegmentError(`its version is ${version}, this service reads ${readable}`);
}
