/** Where the bytes of segments are kept outside of the database, as configured. Plain data, which threads receive. */
export type SegmentPlace = FolderPlace | BucketPlace;

export interface FolderPlace {
  readonly kind: "folder";
  readonly path: string;
}

export interface BucketPlace {
  readonly kind: "s3";
  readonly bucket: string;
  /** Before every key; "" or ends with a slash. */
  readonly prefix: string;
  /** Without a trailing slash. */
  readonly endpoint: string;
  readonly region: string;
  /** Whether the bucket is the first part of the path or of the host's name. */
  readonly style: "path" | "host";
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
}

export interface SegmentStoreSettings {
  readonly place: SegmentPlace;
  /** Copies of objects on this machine's disk; null = none are kept. */
  readonly cache: { readonly folder: string; readonly maxBytes: number } | null;
}

/** For people; has no secrets. */
export function describePlace(place: SegmentPlace): string {
  return place.kind === "folder" ? place.path : `s3://${place.bucket}/${place.prefix}`;
}
