/** Makes ZIP files for tests, also such as no program would write. */
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipMember {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Of bit flags; 1 = encrypted. */
  readonly flags?: number;
  /** Deflated already; `content` then only tells the sizes and sums. */
  readonly packed?: { readonly bytes: Buffer; readonly size: number; readonly sum: number };
}

export function makeZip(members: readonly ZipMember[] | Readonly<Record<string, string>>): Buffer {
  const list = isList(members)
    ? members
    : Object.entries(members).map(([name, content]) => ({ name, content }));
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const member of list) {
    const name = Buffer.from(member.name);
    const fields = fieldsOf(member, name.length);
    const { bytes } = packedOf(member);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), fields, name, bytes]);
    const entry = Buffer.alloc(46);
    entry.write("PK\x01\x02");
    entry.writeUInt16LE(20, 4);
    fields.copy(entry, 6);
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, name);
    parts.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(list.length, 8);
  end.writeUInt16LE(list.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, entries, end]);
}

function isList(
  members: readonly ZipMember[] | Readonly<Record<string, string>>,
): members is readonly ZipMember[] {
  return Array.isArray(members);
}

/** From the needed version to the length of the extra fields, which both headers have. */
function fieldsOf(member: ZipMember, nameLength: number): Buffer {
  const { bytes, size, sum } = packedOf(member);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE((member.flags ?? 0) | 0x800, 2);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(sum, 10);
  fields.writeUInt32LE(bytes.length, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(nameLength, 22);
  return fields;
}

function packedOf({ content, packed }: ZipMember): NonNullable<ZipMember["packed"]> {
  if (packed !== undefined) return packed;
  const bytes = Buffer.from(content as Uint8Array); // Also of a string, which has the same effect.
  return { bytes: deflateRawSync(bytes), size: bytes.length, sum: crc32(bytes) };
}

/** `blocks` times a mebibyte of zeros, a thousandth of that packed: a bomb. */
export function zeros(blocks: number): NonNullable<ZipMember["packed"]> {
  const content = Buffer.alloc(blocks * 1024 * 1024);
  return { bytes: deflateRawSync(content), size: content.length, sum: crc32(content) };
}
