import type { NodeHoverDrawingFunction } from "sigma/rendering";
import type { Box } from "./draw-names.ts";
import type { EdgeAttributes, NodeAttributes } from "./drawn-graph.ts";
import type { Paint } from "./type-sign.ts";

const padding = 8;
const height = 42;

interface Hovered extends Pick<NodeAttributes, "name" | "kind"> {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** The name and type of the entity under the pointer, on a plate. */
export function drawHoverWith(
  paintNow: () => Paint,
): NodeHoverDrawingFunction<NodeAttributes, EdgeAttributes> {
  return (context, data, { labelFont }) => {
    // Sigma passes on all attributes of the node.
    const node = data as unknown as Hovered;
    const { x, y, size, name, kind } = node;
    const paint = paintNow();
    context.beginPath();
    context.arc(x, y, size + 4, 0, 2 * Math.PI);
    context.strokeStyle = paint.accent;
    context.lineWidth = 2;
    context.stroke();
    const { left, right, top } = plateOf(context, node, labelFont);
    context.beginPath();
    context.roundRect(left, top, right - left, height, 8);
    context.fillStyle = paint.surface;
    context.fill();
    context.lineWidth = 1;
    context.strokeStyle = paint.edge;
    context.stroke();
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.font = nameFont(labelFont);
    context.fillStyle = paint.ink;
    context.fillText(name, left + padding, y - 8);
    context.font = typeFont(labelFont);
    context.fillStyle = paint.soft;
    context.fillText(kind, left + padding, y + 10);
  };
}

/** Where the plate is: to the left of the node if there is no room to the right. */
export function plateOf(
  context: CanvasRenderingContext2D,
  { x, y, size, name, kind }: Hovered,
  labelFont: string,
): Box {
  context.font = typeFont(labelFont);
  const typeWidth = context.measureText(kind).width;
  context.font = nameFont(labelFont);
  const width = Math.max(context.measureText(name).width, typeWidth) + 2 * padding;
  const distance = size + 10;
  const isCut = x + distance + width > context.canvas.clientWidth;
  const left = isCut ? x - distance - width : x + distance;
  return { left, right: left + width, top: y - height / 2, bottom: y + height / 2 };
}

function nameFont(family: string): string {
  return `600 13px ${family}`;
}

function typeFont(family: string): string {
  return `450 11px ${family}`;
}
