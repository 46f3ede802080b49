/** Where entities were dragged to, in the address: `id_x_y`, the latest last, with `~` between. */
import type { Position, Positions } from "./radial-layout.ts";

/** With more the address would not fit everywhere. */
const maxPins = 40;
const pin = /^(.{1,200})_(-?\d{1,6})_(-?\d{1,6})$/;

/** Leaves out what anybody can have written instead. */
export function readPins(text: string): Positions {
  const pins = text.split("~", maxPins).flatMap((each): readonly (readonly [string, Position])[] => {
    const [, id, x, y] = pin.exec(each) ?? [];
    return id === undefined ? [] : [[id, { x: Number(x), y: Number(y) }]];
  });
  return new Map(pins);
}

/** The latest ones, rounded. "": none. */
export function writePins(pins: Positions): string {
  return [...pins]
    .slice(-maxPins)
    .map(([id, { x, y }]) => `${id}_${Math.round(x)}_${Math.round(y)}`)
    .join("~");
}

/** With an entity at a new place, as the latest. */
export function withPin(pins: Positions, id: string, position: Position): Positions {
  const others = [...pins].filter(([each]) => each !== id);
  return new Map([...others, [id, position]]);
}
