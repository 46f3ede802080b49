import type { NodeHoverDrawingFunction } from "sigma/rendering";
import type { EdgeAttributes, NodeAttributes } from "./drawn-graph.ts";
import type { Paint } from "./type-sign.ts";

const padding = 8;

/** The name and type of the entity under the pointer, on a plate. */
export function drawHoverWith(
  paintNow: () => Paint,
): NodeHoverDrawingFunction<NodeAttributes, EdgeAttributes> {
  return (context, data, settings) => {
    const { x, y, size } = data;
    // Sigma passes on all attributes of the node.
    const { name, kind } = data as unknown as Pick<NodeAttributes, "name" | "kind">;
    const paint = paintNow();
    context.beginPath();
    context.arc(x, y, size + 4, 0, 2 * Math.PI);
    context.strokeStyle = paint.accent;
    context.lineWidth = 2;
    context.stroke();
    const nameFont = `600 13px ${settings.labelFont}`;
    const typeFont = `450 11px ${settings.labelFont}`;
    context.font = typeFont;
    const typeWidth = context.measureText(kind).width;
    context.font = nameFont;
    const width = Math.max(context.measureText(name).width, typeWidth) + 2 * padding;
    const [distance, height] = [size + 10, 42];
    // To the left of the node if there is no room to the right.
    const isCut = x + distance + width > context.canvas.clientWidth;
    const left = isCut ? x - distance - width : x + distance;
    context.beginPath();
    context.roundRect(left, y - height / 2, width, height, 8);
    context.fillStyle = paint.surface;
    context.fill();
    context.lineWidth = 1;
    context.strokeStyle = paint.edge;
    context.stroke();
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.fillStyle = paint.ink;
    context.fillText(name, left + padding, y - 8);
    context.font = typeFont;
    context.fillStyle = paint.soft;
    context.fillText(kind, left + padding, y + 10);
  };
}
