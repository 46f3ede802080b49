/** Counts the bytes that this thread decodes in each turn of its event loop, so that long turns are found without a clock. */
import type { TestContext } from "node:test";

export interface BytesPerTurn {
  /** The most in one turn. */
  readonly most: number;
  readonly total: number;
}

/** Of stored bytes that arrive as hexadecimal text, and of UTF-8, while `work` is done. */
export async function countBytesPerTurn(
  context: TestContext,
  work: () => Promise<unknown>,
): Promise<BytesPerTurn> {
  let [ofTurn, most, total] = [0, 0, 0];
  const count = (bytes: number) => {
    ofTurn += bytes;
    total += bytes;
    most = Math.max(most, ofTurn);
  };
  const { fromHex } = Uint8Array;
  const { decode } = TextDecoder.prototype;
  const mocks = [
    context.mock.method(Uint8Array, "fromHex", (text: string) => {
      count(text.length / 2);
      return fromHex.call(Uint8Array, text);
    }),
    context.mock.method(
      TextDecoder.prototype,
      "decode",
      function (this: TextDecoder, ...input: Parameters<TextDecoder["decode"]>) {
        count(input[0]?.byteLength ?? 0);
        return decode.apply(this, input);
      },
    ),
  ];
  let isOver = false;
  const begin = () => {
    ofTurn = 0;
    if (!isOver) setImmediate(begin);
  };
  setImmediate(begin);
  try {
    await work();
  } finally {
    isOver = true;
    for (const { mock } of mocks) mock.restore();
  }
  return { most, total };
}
