/** Colour and shape of a type: functions of its name, so that they are the same in every project, unless two types there share a colour. */

export const shapes = ["circle", "square", "diamond", "triangle", "hexagon", "drop"] as const;
export type Shape = (typeof shapes)[number];

/** Paths in a square of 16 by 16. */
export const outlines: Readonly<Record<Shape, string>> = {
  circle: "M8 1.6a6.4 6.4 0 1 0 0 12.8a6.4 6.4 0 1 0 0-12.8z",
  square: "M2.5 2.5h11v11h-11z",
  diamond: "M8 .8 15.2 8 8 15.2.8 8z",
  triangle: "M8 1.5 15 14H1z",
  hexagon: "M4.3 1.8h7.4L15.4 8l-3.7 6.2H4.3L.6 8z",
  drop: "M8 14.5 1 2h14z",
};

export interface TypeSign {
  readonly colour: string;
  readonly shape: Shape;
}

/** At least 3 : 1 with the surface. As many in the dark. */
const light = ["#2f62c9", "#c2410c", "#15803d", "#a21caf", "#8a6100", "#0b7c8f", "#be1e4f", "#6b46c1"];
const dark = ["#7aa7ff", "#ff9466", "#5fd08c", "#ec8cf0", "#e3bd4c", "#57cbe0", "#ff8fa9", "#b9a3ff"];
/** What has no type is grey. */
const untyped = "Thing";
const grey = { light: "#667281", dark: "#98a4b3" } as const;
/** With it the types that the service finds without an ontology differ in colour. */
const seed = 1_774_542;

/** Places of a type among the colours and the shapes. */
interface Slot {
  readonly colour: number;
  readonly shape: number;
}

export type TypeSlots = ReadonlyMap<string, Slot>;

/**
 * The signs of types that are shown together, all different while there are as many pairs of colour and shape. The first by name of each colour
 * has the sign that it has everywhere. The others take a colour that is left, the same one wherever it is, and when none is left, a shape.
 */
export function slotsOf(types: readonly string[]): TypeSlots {
  const given = new Map<string, Slot>();
  const usedColours = new Set<number>();
  const taken = new Set<string>();
  const give = (type: string, slot: Slot) => {
    given.set(type, slot);
    usedColours.add(slot.colour);
    taken.add(labelOf(slot));
  };
  const others = [...new Set(types)].sort().filter((type) => {
    if (type === untyped) return false;
    const own = ownSlot(type);
    if (usedColours.has(own.colour)) return true;
    give(type, own);
    return false;
  });
  for (const type of others) {
    const choices = choicesOf(type);
    const isLeft = usedColours.size < light.length;
    const free = choices.find((slot) => (isLeft ? !usedColours.has(slot.colour) : !taken.has(labelOf(slot))));
    give(type, free ?? ownSlot(type));
  }
  return given;
}

const labelOf = ({ colour, shape }: Slot) => `${colour} ${shape}`;

/** All slots: its own colour in each shape first, then the other colours in an order of its own. */
function choicesOf(type: string): readonly Slot[] {
  const own = ownSlot(type);
  // Odd, so that it comes to each of the eight colours.
  const stride = 1 + 2 * ((hashOf(type) >>> 16) % (light.length / 2));
  return light.flatMap((_, step) =>
    shapes.map((_, turn) => ({
      colour: (own.colour + step * stride) % light.length,
      shape: (own.shape + turn) % shapes.length,
    })),
  );
}

/** `given`: those of the project's types. */
export function signOf(type: string, isDark: boolean, given: TypeSlots): TypeSign {
  if (type === untyped) return { colour: isDark ? grey.dark : grey.light, shape: "circle" };
  const { colour, shape } = given.get(type) ?? ownSlot(type);
  return { colour: (isDark ? dark : light)[colour] ?? grey.light, shape: shapes[shape] ?? "circle" };
}

function ownSlot(type: string): Slot {
  const hash = hashOf(type);
  return { colour: hash % light.length, shape: (hash >>> 8) % shapes.length };
}

/** FNV-1a over code units, with the last step of MurmurHash3, which mixes the low bits. */
function hashOf(text: string): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Of the drawing, apart from types. */
export interface Paint {
  readonly surface: string;
  readonly ink: string;
  readonly soft: string;
  readonly edge: string;
  readonly strong: string;
  readonly faded: string;
  readonly accent: string;
}

export function paintOf(isDark: boolean): Paint {
  return isDark
    ? {
        surface: "#14171b",
        ink: "#eceff2",
        soft: "#a9b3bf",
        edge: "#525d69",
        strong: "#77828f",
        faded: "#2b3138",
        accent: "#8f9bff",
      }
    : {
        surface: "#ffffff",
        ink: "#14181d",
        soft: "#4a5461",
        edge: "#b3bcc7",
        strong: "#94a0ad",
        faded: "#e6e9ed",
        accent: "#3f4bd8",
      };
}
