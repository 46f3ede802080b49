/**
 * The part of the Protocol Buffers wire format that an ONNX file needs.
 * https://protobuf.dev/programming-guides/encoding/
 *
 * A message is a list of chunks, so that nesting messages does not copy tensors of several megabytes.
 */
export type Message = readonly Uint8Array[];

const wireType = { varint: 0, lengthDelimited: 2, fixed32: 5 } as const;

/** A varint field with a non-negative safe integer. */
export function integerField(field: number, value: number): Message {
  return [Uint8Array.of(...varint(field * 8 + wireType.varint), ...varint(value))];
}

export function floatField(field: number, value: number): Message {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return [Uint8Array.of(...varint(field * 8 + wireType.fixed32)), bytes];
}

export function stringField(field: number, value: string): Message {
  return messageField(field, [new TextEncoder().encode(value)]);
}

export function bytesField(field: number, value: Uint8Array): Message {
  return messageField(field, [value]);
}

export function messageField(field: number, message: Message): Message {
  const byteLength = message.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  const header = Uint8Array.of(...varint(field * 8 + wireType.lengthDelimited), ...varint(byteLength));
  return [header, ...message];
}

/** Base-128 groups, least significant first. Uses arithmetic instead of shifts, because lengths can exceed 31 bits. */
function varint(value: number): number[] {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`Not an unsigned integer: ${value}`);
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}
