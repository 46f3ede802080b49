/** The picture of a graph as a file, with the colours and shapes of its types below, which the page shows beside it. */
import type { Look } from "./drawn-graph.ts";
import { countTypes, type Scene } from "./scene.ts";
import { outlines, signOf } from "./type-sign.ts";

/** In pixels of the page, as all sizes here. */
const row = { height: 26, padding: 20, mark: 12, gap: 6, between: 18 } as const;
const font = '450 12px "Inter Variable", system-ui, sans-serif';

/** `layers`: of one size, the lowest first. `width`: of each on the page, where pixels can be larger than theirs. */
export function pictureOf(
  layers: readonly HTMLCanvasElement[],
  {
    width,
    caption,
    scene,
    look,
  }: {
    readonly width: number;
    readonly caption: string;
    readonly scene: Scene | null;
    readonly look: Look;
  },
): Promise<Blob | null> {
  const [first] = layers;
  const picture = document.createElement("canvas");
  const context = picture.getContext("2d");
  if (context === null || first === undefined) return Promise.resolve(null);
  const scale = first.width / Math.max(1, width);
  const types = countTypes((scene?.nodes ?? []).map(({ type }) => type)).map(({ type }) => type);
  context.font = font;
  const places = placesOf(types, { width, widthOf: (type) => context.measureText(type).width });
  const lines = linesOf(caption, { width, widthOf: (text) => context.measureText(text).width });
  const rows = (places.at(-1)?.row ?? -1) + 1 + lines.length;
  picture.width = first.width;
  picture.height = first.height + scale * (rows * row.height + row.padding);
  context.fillStyle = look.paint.surface;
  context.fillRect(0, 0, picture.width, picture.height);
  for (const layer of layers)
    if (layer.width > 0 && layer.height > 0) context.drawImage(layer, 0, 0, first.width, first.height);
  context.scale(scale, scale);
  context.font = font;
  context.textBaseline = "middle";
  const middleOf = (at: number) => first.height / scale + at * row.height + row.height / 2;
  context.fillStyle = look.paint.ink;
  for (const [at, line] of lines.entries()) context.fillText(line, row.padding, middleOf(at));
  for (const { type, x, row: at } of places) {
    const y = middleOf(at + lines.length);
    const { colour, shape } = signOf(type, look.isDark, look.slots);
    context.save();
    context.translate(x, y - row.mark / 2);
    context.scale(row.mark / 16, row.mark / 16);
    context.fillStyle = colour;
    context.fill(new Path2D(outlines[shape]));
    context.restore();
    context.fillStyle = look.paint.soft;
    context.fillText(type, x + row.mark + row.gap, y);
  }
  return new Promise((resolve) => picture.toBlob(resolve, "image/png"));
}

interface Measured {
  readonly width: number;
  readonly widthOf: (text: string) => number;
}

/** A text in as many lines as it needs. */
export function linesOf(text: string, { width, widthOf }: Measured): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && widthOf(longer) > width - 2 * row.padding) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

export interface LegendPlace {
  readonly type: string;
  readonly x: number;
  readonly row: number;
}

/** Side by side, in as many rows as they need. */
export function placesOf(types: readonly string[], { width, widthOf }: Measured): readonly LegendPlace[] {
  let [x, at] = [row.padding, 0];
  return types.map((type) => {
    const own = row.mark + row.gap + widthOf(type);
    if (x > row.padding && x + own > width - row.padding) [x, at] = [row.padding, at + 1];
    const place = { type, x, row: at };
    x += own + row.between;
    return place;
  });
}
