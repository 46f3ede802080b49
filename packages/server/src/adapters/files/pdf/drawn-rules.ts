/** Finds the horizontal and vertical lines that a page draws: borders of tables, and edges of what is filled. */
import { type getDocumentProxy, getResolvedPDFJS } from "unpdf";
import { combine, type Matrix, matrixOf } from "./matrix.ts";

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

/** Of pdf.js: where it reads further operators from. */
interface ReadingState {
  readonly streamReader: { read: () => Promise<unknown> };
}

interface Box {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

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
/** Forms that use forms, each twice, have any number. A page of text has some thousands. */
const MAX_OPERATORS = 300_000;
/** Their borders are none of the page. */
const NO_ANNOTATIONS = 0;

export type PdfPageProxy = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>["getPage"]>>;
type Kinds = Awaited<ReturnType<typeof getResolvedPDFJS>>["OPS"];

/**
 * The lines of a page. Its operators are looked at as they come, and are not kept: a map has a million of them, and their list takes more
 * memory than a conversion has. pdf.js hands them on in no other way than by this method of its own; without it, no line is found. Where there
 * are too many, no more are asked for, and pdf.js makes none.
 * @param placed moves what the page draws to where it is seen
 * @param left how many operators may be read, of all pages
 */
export async function findRules(
  page: PdfPageProxy,
  placed: Matrix,
  left: number,
): Promise<{ readonly rules: readonly Rule[]; readonly operators: number }> {
  const { OPS } = await getResolvedPDFJS();
  const finder = createFinder(OPS, placed);
  const reading = page as unknown as { _renderPageChunk?: (chunk: Chunk, state: ReadingState) => void };
  const keep = reading._renderPageChunk;
  if (keep === undefined) return { rules: [], operators: 0 };
  const most = Math.min(left, MAX_OPERATORS);
  let operators = 0;
  const stopped = Promise.withResolvers<void>();
  reading._renderPageChunk = (chunk, state) => {
    operators += chunk.length;
    finder.read(chunk);
    if (operators > most || finder.isTooMuch()) {
      state.streamReader.read = () => new Promise(() => undefined);
      stopped.resolve();
    } else keep.call(page, { ...chunk, fnArray: [], argsArray: [], length: 0 }, state);
  };
  await Promise.race([page.getOperatorList({ annotationMode: NO_ANNOTATIONS }), stopped.promise]);
  return { rules: operators > most ? [] : finder.rules(), operators };
}

function createFinder(kinds: Kinds, placed: Matrix) {
  const [stroking, filling] = paintingOf(kinds);
  const rules: Rule[] = [];
  const outer: Matrix[] = [];
  let matrix = placed;
  let isTooMuch = false;

  function readOne(kind: number | undefined, args: unknown): void {
    const isForm = kind === kinds.paintFormXObjectBegin;
    if (kind === kinds.save || isForm) isTooMuch = outer.push(matrix) > MAX_DEPTH;
    if (kind === kinds.restore || kind === kinds.paintFormXObjectEnd) matrix = outer.pop() ?? placed;
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
    isTooMuch: () => isTooMuch,
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
      isStraight &&= last === undefined || isLevelOrUpright(last, next);
    } else if (step !== 0) isStraight = false;
    points.push(next);
  }
  end();
  return { lines, boxes };
}

function isLevelOrUpright([x, y]: readonly [number, number], [u, v]: readonly [number, number]): boolean {
  return Math.abs(u - x) < 1 || Math.abs(v - y) < 1;
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
