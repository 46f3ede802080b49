import type { NodeHoverDrawingFunction } from "sigma/rendering";
import type { EdgeAttributes, NodeAttributes } from "./knowledge-graph.ts";
import type { Palette } from "./type-colours.ts";

const padding = 6;
const ring = 3;

/** Draws a hovered or selected node with a ring around it and its name on a background. */
export function drawHoverWith(palette: Palette): NodeHoverDrawingFunction<NodeAttributes, EdgeAttributes> {
  return (context, { x, y, size, label, color }, settings) => {
    context.beginPath();
    context.arc(x, y, size + ring, 0, 2 * Math.PI);
    context.fillStyle = palette.label;
    context.fill();
    context.beginPath();
    context.arc(x, y, size + 1, 0, 2 * Math.PI);
    context.fillStyle = color;
    context.fill();
    if (typeof label !== "string" || label === "") return;
    context.font = `600 ${settings.labelSize}px ${settings.labelFont}`;
    const [width, height] = [context.measureText(label).width, settings.labelSize + 2 * padding];
    const distance = size + ring + 4;
    // To the left of the node if there is no room to the right.
    const isCut = x + distance + width + 2 * padding > context.canvas.clientWidth;
    const left = isCut ? x - distance - width - 2 * padding : x + distance;
    context.beginPath();
    context.roundRect(left, y - height / 2, width + 2 * padding, height, padding);
    context.fillStyle = palette.plate;
    context.fill();
    context.strokeStyle = palette.edge;
    context.stroke();
    context.fillStyle = palette.label;
    context.fillText(label, left + padding, y + settings.labelSize / 3);
  };
}
