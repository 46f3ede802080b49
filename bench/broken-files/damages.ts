/** Ways in which a file is broken at random. */
import { inflateRawSync } from "node:zlib";
import { makeZip, type ZipMember } from "../../packages/server/test/files/make-zip.ts";
import type { Random } from "../soak/random.ts";

/** `other` is a whole file of another type. */
export type Damage = (bytes: Buffer, random: Random, other: Buffer) => Buffer;

const MAX_BYTES = 4 * 1024 * 1024;
const MAX_DEPTH = 40;
const HEADER_BYTES = 30;
const ENTRY_BYTES = 46;
/** What programs put where a number of a few digits was. */
const NUMBERS = ["0", "-1", "4294967295", "99999999999999999999", "1e999", "NaN"];

/** Of the bytes, whatever the type is. */
const ofBytes: Readonly<Record<string, Damage>> = {
  truncated: (bytes, random) => bytes.subarray(0, placeIn(bytes, random)),
  beheaded: (bytes, random) => bytes.subarray(placeIn(bytes, random)),
  "bits flipped": (bytes, random) => {
    const broken = Buffer.from(bytes);
    for (let left = 2 ** random.integer(0, 8); left > 0; left--) {
      const at = placeIn(bytes, random);
      broken[at] = (bytes[at] ?? 0) ^ (1 << random.integer(0, 7));
    }
    return broken;
  },
  overwritten: (bytes, random) => {
    const [from, to] = rangeIn(bytes, random);
    const fill = random.pick([() => 0, () => 0xff, () => random.integer(0, 255)]);
    const broken = Buffer.from(bytes);
    for (let at = from; at < to; at++) broken[at] = fill();
    return broken;
  },
  "parts swapped": (bytes, random) => {
    const [a, b, c] = [0, 0, 0].map(() => placeIn(bytes, random)).toSorted((one, other) => one - other);
    return Buffer.concat([
      bytes.subarray(0, a),
      bytes.subarray(b, c),
      bytes.subarray(a, b),
      bytes.subarray(c),
    ]);
  },
  "part repeated": (bytes, random) => {
    const [from, to] = rangeIn(bytes, random);
    const part = bytes.subarray(from, Math.max(to, from + 1));
    const times = Math.min(10 ** random.integer(1, 4), Math.floor(MAX_BYTES / part.length));
    return Buffer.concat([
      bytes.subarray(0, from),
      ...Array.from({ length: times }, () => part),
      bytes.subarray(to),
    ]);
  },
  "another file inside": (bytes, random, other) => {
    const at = placeIn(bytes, random);
    return Buffer.concat([bytes.subarray(0, at), other, bytes.subarray(at)]);
  },
  "numbers changed": (bytes, random) => {
    const change = (number: string) => (random.chance(0.1) ? random.pick(NUMBERS) : number);
    return Buffer.from(bytes.toString("latin1").replaceAll(/\d{1,20}/g, change), "latin1");
  },
};

/** Of a file in others: the name of each has the ending that makes it an archive. */
const nested: Readonly<Record<string, Damage>> = {
  "nested in archives": (bytes, random) => {
    let content = ofBytes["bits flipped"]?.(bytes, random, bytes) ?? bytes;
    for (let depth = random.integer(1, MAX_DEPTH); depth > 0; depth--)
      content = makeZip([{ name: "a.zip", content }]);
    return content;
  },
  "nested in mails": (bytes, random) => {
    let content = bytes.toString("latin1");
    for (let depth = random.integer(1, MAX_DEPTH); depth > 0; depth--)
      content = `From: a@example.org\r\nContent-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\nContent-Type: message/rfc822\r\n\r\n${content}\r\n--b${depth}--\r\n`;
    return Buffer.from(content.slice(0, MAX_BYTES), "latin1");
  },
};

/** Of a ZIP file's members. */
const ofMembers: Readonly<Record<string, Damage>> = {
  "text of a member broken": (bytes, random, other) => {
    const damage = random.pick(Object.values(ofBytes));
    return changeMember(bytes, random, (member) => [
      { ...member, content: damage(member.content, random, other) },
    ]);
  },
  "member missing": (bytes, random) => changeMember(bytes, random, () => []),
  "member doubled": (bytes, random, other) =>
    changeMember(bytes, random, (member) => [{ ...member, content: other }, member]),
  "member encrypted": (bytes, random) => changeMember(bytes, random, (member) => [{ ...member, flags: 1 }]),
  "sizes and sums false": (bytes, random) =>
    changeMember(bytes, random, (member) => {
      const { content } = member;
      const size = random.pick([0, content.length + 1, 2 ** 32 - 1]);
      const sum = random.integer(0, 2 ** 31);
      return [{ ...member, packed: { bytes: content, size, sum } }];
    }),
  "headers broken": (bytes, random) => {
    const broken = Buffer.from(bytes);
    const starts = [
      ...startsOf(bytes, "PK\x03\x04"),
      ...startsOf(bytes, "PK\x01\x02"),
      ...startsOf(bytes, "PK\x05\x06"),
    ];
    for (let left = random.integer(1, 4); left > 0; left--) {
      const at = random.pick(starts) + 4 + random.integer(0, ENTRY_BYTES - 4);
      if (at < broken.length) broken[at] = random.pick([0, 1, 0x7f, 0xff]);
    }
    return broken;
  },
};

/** Those that fit the file, in a fixed order. */
export function damagesOf(bytes: Buffer): readonly (readonly [name: string, damage: Damage])[] {
  const isZip = bytes.toString("latin1", 0, 4) === "PK\x03\x04";
  return Object.entries({ ...ofBytes, ...nested, ...(isZip && ofMembers) });
}

function placeIn(bytes: Buffer, random: Random): number {
  return random.integer(0, Math.max(0, bytes.length - 1));
}

function rangeIn(bytes: Buffer, random: Random): readonly [from: number, to: number] {
  const from = placeIn(bytes, random);
  return [from, Math.min(bytes.length, from + 2 ** random.integer(0, 12))];
}

type Member = ZipMember & { readonly content: Buffer };

function changeMember(
  bytes: Buffer,
  random: Random,
  change: (member: Member) => readonly ZipMember[],
): Buffer {
  const members = membersOf(bytes);
  const chosen = random.integer(0, members.length - 1);
  return makeZip(members.flatMap((member, at) => (at === chosen ? change(member) : [member])));
}

/** Of a ZIP file that `makeZip` wrote: the header of each member has its sizes. */
function membersOf(bytes: Buffer): readonly Member[] {
  const members: Member[] = [];
  for (let at = 0; bytes.toString("latin1", at, at + 4) === "PK\x03\x04"; ) {
    const nameEnd = at + HEADER_BYTES + bytes.readUInt16LE(at + 26);
    const end = nameEnd + bytes.readUInt32LE(at + 18);
    const name = bytes.toString("utf8", at + HEADER_BYTES, nameEnd);
    members.push({ name, content: inflateRawSync(bytes.subarray(nameEnd, end)) });
    at = end;
  }
  return members;
}

function startsOf(bytes: Buffer, mark: string): readonly number[] {
  const starts: number[] = [];
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) starts.push(at);
  return starts;
}
