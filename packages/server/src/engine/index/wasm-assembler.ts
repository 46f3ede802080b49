/**
 * As much of a WebAssembly assembler as the dense scan needs. An expression is the list of its bytes, operands
 * first, so that nested calls read like the text format. Encodings: WebAssembly Core Specification 2.0, chapter 5.
 */

export type Code = readonly number[];

const TYPE = { i32: 0x7f, v128: 0x7b } as const;
const SECTION = { type: 1, import: 2, function: 3, export: 7, code: 10 } as const;
const SIMD = 0xfd;
const NO_RESULT = 0x40;
const END = 0x0b;

export type ValueType = keyof typeof TYPE;

export const local = {
  get: (index: number): Code => [0x20, ...unsigned(index)],
  set: (index: number, value: Code): Code => [...value, 0x21, ...unsigned(index)],
};

export const i32 = {
  constant: (value: number): Code => [0x41, ...signed(value)],
  add: (one: Code, other: Code): Code => [...one, ...other, 0x6a],
  subtract: (one: Code, other: Code): Code => [...one, ...other, 0x6b],
  shiftLeft: (value: Code, bits: Code): Code => [...value, ...bits, 0x74],
  isBelow: (one: Code, other: Code): Code => [...one, ...other, 0x49],
  store: (address: Code, value: Code): Code => [...address, ...value, 0x36, 2, 0],
};

export const v128 = {
  zero: (): Code => [SIMD, 12, ...new Array<number>(16).fill(0)],
  load: (address: Code, offset: number): Code => [...address, SIMD, 0, 0, ...unsigned(offset)],
  /** Eight int8 numbers, widened to int16. */
  loadWidened: (address: Code, offset: number): Code => [...address, SIMD, 1, 0, ...unsigned(offset)],
};

export const i32x4 = {
  add: (one: Code, other: Code): Code => [...one, ...other, SIMD, ...unsigned(174)],
  /** Multiplies two times eight int16 numbers and adds neighbouring products. */
  dotOfInt16: (one: Code, other: Code): Code => [...one, ...other, SIMD, ...unsigned(186)],
  lane: (value: Code, index: number): Code => [...value, SIMD, 27, index],
};

/** Runs the body, then again as long as the condition holds. */
export function repeatWhile(condition: Code, body: readonly Code[]): Code {
  return [0x03, NO_RESULT, ...body.flat(), ...condition, 0x0d, 0, END];
}

export interface FunctionSource {
  /** All parameters are i32; locals are numbered on from them. */
  readonly parameterCount: number;
  readonly locals: readonly ValueType[];
  readonly body: readonly Code[];
}

/** A module that imports `env.memory` and exports one function without a result under the given name. */
export function assembleModule(name: string, source: FunctionSource): Uint8Array<ArrayBuffer> {
  const parameters = new Array<number>(source.parameterCount).fill(TYPE.i32);
  const locals = source.locals.map((type) => [1, TYPE[type]]);
  const body = [...vector(locals), ...source.body.flat(), END];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(SECTION.type, [[0x60, ...vector(parameters.map((type) => [type])), ...vector([])]]),
    ...section(SECTION.import, [[...text("env"), ...text("memory"), 0x02, 0x00, 1]]),
    ...section(SECTION.function, [[0]]),
    ...section(SECTION.export, [[...text(name), 0x00, 0]]),
    ...section(SECTION.code, [[...unsigned(body.length), ...body]]),
  ]);
}

function section(id: number, entries: readonly Code[]): Code {
  const content = vector(entries);
  return [id, ...unsigned(content.length), ...content];
}

function vector(entries: readonly Code[]): Code {
  return [...unsigned(entries.length), ...entries.flat()];
}

function text(value: string): Code {
  return vector([...new TextEncoder().encode(value)].map((byte) => [byte]));
}

function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): Code {
  return value >= -64 && value < 64 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
