/** Finds the horizontal and vertical lines that a page draws: borders of tables, and edges of what is filled. */
import { type getDocumentProxy, getResolvedPDFJS } from "unpdf";

export interface Rule {
  readonly isHorizontal: boolean;
  /** Height of a horizontal one, distance from the left of a vertical one, in points. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** What pdf.js gives for a page, a thousand at a time: operators by number, and what each is about. */
interface Chunk {
  readonly fnArray: readonly number[];
  readonly argsArray: readonly unknown[];
  readonly length: number;
}

/** Scales and moves what is drawn: x' = a·x + c·y + e, y' = b·x + d·y + f. */
type Matrix = readonly [number, number, number, number, number, number];

interface Box {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
/** Thinner than this, in points, a filled area is a line. */
const THICK = 3;
/** Shorter lines are parts of signs and drawings. */
const SHORT = 4;
/** Drawings have more, and tables of a page fewer. Of a page with more, none is looked at. */
const MAX_RULES = 10_000;
/** In the path of an operator: the kind of a step, then so many numbers. */
const STEP_NUMBERS = [2, 2, 6, 4, 0];
const LINE_TO = 1;
const CLOSE = 4;
const MAX_DEPTH = 1_000;

export type PdfPageProxy = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>["getPage"]>>;
type Kinds = Awaited<ReturnType<typeof getResolvedPDFJS>>["OPS"];

/**
 * The lines of a page. Its operators are looked at as they come, and are not kept: a map has a million of them, and their list takes more
 * memory than a conversion has. pdf.js hands them on in no other way than by this method of its own; without it, no line is found.
 */
export async function findRules(page: PdfPageProxy): Promise<readonly Rule[]> {
  const { OPS } = await getResolvedPDFJS();
  const finder = createFinder(OPS);
  const reading = page as unknown as { _renderPageChunk?: (chunk: Chunk, state: unknown) => void };
  const keep = reading._renderPageChunk;
  if (keep === undefined) return [];
  reading._renderPageChunk = (chunk, state) => {
    finder.read(chunk);
    keep.call(page, { ...chunk, fnArray: [], argsArray: [], length: 0 }, state);
  };
  await page.getOperatorList();
  return finder.rules();
}

function createFinder(kinds: Kinds) {
  const [stroking, filling] = paintingOf(kinds);
  const rules: Rule[] = [];
  const outer: Matrix[] = [];
  let matrix = IDENTITY;
  let isTooMuch = false;

  function readOne(kind: number | undefined, args: unknown): void {
    const isForm = kind === kinds.paintFormXObjectBegin;
    if (kind === kinds.save || isForm) isTooMuch = outer.push(matrix) > MAX_DEPTH;
    if (kind === kinds.restore || kind === kinds.paintFormXObjectEnd) matrix = outer.pop() ?? IDENTITY;
    if (kind === kinds.transform) matrix = combine(matrix, matrixOf(args));
    if (isForm && Array.isArray(args)) matrix = combine(matrix, matrixOf(args[0]));
    if (kind !== kinds.constructPath || !Array.isArray(args)) return;
    const [paint, steps] = args;
    const isStroked = stroking.has(paint);
    if (!isStroked && !filling.has(paint)) return;
    const path = pathOf(steps, matrix);
    for (const rule of isStroked ? path.lines : path.boxes.flatMap(edgesOf)) rules.push(rule);
    isTooMuch = rules.length > MAX_RULES;
  }

  return {
    read({ fnArray, argsArray }: Chunk): void {
      for (let at = 0; at < fnArray.length && !isTooMuch; at++) readOne(fnArray[at], argsArray[at]);
    },
    rules: (): readonly Rule[] => (isTooMuch ? [] : rules),
  };
}

function paintingOf(kinds: Kinds): readonly [ReadonlySet<unknown>, ReadonlySet<unknown>] {
  const { stroke, closeStroke, fillStroke, eoFillStroke, closeFillStroke, closeEOFillStroke, fill, eoFill } =
    kinds;
  return [
    new Set([stroke, closeStroke, fillStroke, eoFillStroke, closeFillStroke, closeEOFillStroke]),
    new Set([fill, eoFill]),
  ];
}

function matrixOf(value: unknown): Matrix {
  const numbers =
    Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value as ArrayLike<unknown>, Number) : [];
  const isMatrix = numbers.length === 6 && numbers.every(Number.isFinite);
  return isMatrix ? (numbers as unknown as Matrix) : IDENTITY;
}

/** What the inner one moves, moved by the outer one. */
function combine([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** Straight lines of a path that are level or upright, and the areas of its parts. */
function pathOf(
  steps: unknown,
  [a, b, c, d, e, f]: Matrix,
): { readonly lines: readonly Rule[]; readonly boxes: readonly Box[] } {
  const numbers = Array.isArray(steps) && steps[0] instanceof Float32Array ? steps[0] : new Float32Array();
  const lines: Rule[] = [];
  const boxes: Box[] = [];
  let [points, isStraight]: [(readonly [number, number])[], boolean] = [[], true];
  const end = () => {
    if (points.length > 1 && isStraight) boxes.push(boxOf(points));
    [points, isStraight] = [[], true];
  };
  for (let at = 0; at < numbers.length && lines.length <= MAX_RULES; ) {
    const step = numbers[at] ?? CLOSE;
    const count = STEP_NUMBERS[step] ?? 0;
    const [x = 0, y = 0] = numbers.slice(at + 1 + count - 2, at + 1 + count);
    at += 1 + count;
    const last = points.at(-1);
    const next = step === CLOSE ? points[0] : ([a * x + c * y + e, b * x + d * y + f] as const);
    if (step === 0) end();
    if (next === undefined) continue;
    if (step === LINE_TO || step === CLOSE) {
      if (last !== undefined) lines.push(...ruleBetween(last, next));
    } else if (step !== 0) isStraight = false;
    points.push(next);
  }
  end();
  return { lines, boxes };
}

function ruleBetween([x, y]: readonly [number, number], [u, v]: readonly [number, number]): readonly Rule[] {
  const [width, height] = [Math.abs(u - x), Math.abs(v - y)];
  if (height < 1 && width >= SHORT)
    return [{ isHorizontal: true, at: (y + v) / 2, from: Math.min(x, u), to: Math.max(x, u) }];
  if (width < 1 && height >= SHORT)
    return [{ isHorizontal: false, at: (x + u) / 2, from: Math.min(y, v), to: Math.max(y, v) }];
  return [];
}

function boxOf(points: readonly (readonly [number, number])[]): Box {
  const [[x, y] = [0, 0]] = points;
  return points.reduce(
    (box, [u, v]) => ({
      left: Math.min(box.left, u),
      right: Math.max(box.right, u),
      bottom: Math.min(box.bottom, v),
      top: Math.max(box.top, v),
    }),
    { left: x, right: x, bottom: y, top: y },
  );
}

/** A thin area is one line, another one has four edges. */
function edgesOf({ left, bottom, right, top }: Box): readonly Rule[] {
  const [width, height] = [right - left, top - bottom];
  const level = (at: number): Rule => ({ isHorizontal: true, at, from: left, to: right });
  const upright = (at: number): Rule => ({ isHorizontal: false, at, from: bottom, to: top });
  if (height <= THICK) return width > height ? [level((bottom + top) / 2)] : [];
  if (width <= THICK) return [upright((left + right) / 2)];
  return [level(bottom), level(top), upright(left), upright(right)];
}
