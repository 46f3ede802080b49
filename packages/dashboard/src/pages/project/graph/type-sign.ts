/** Colour and shape of a type: functions of its first name, so that they are the same in every project, unless two types there would look alike. */

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
/** With them these types have their own shapes, too, whichever of them a project has: none of two in similar colours gives way. */
const shapeBits = 25;

/** Places of a type among the colours and the shapes. */
interface Slot {
  readonly colour: number;
  readonly shape: number;
}

export type TypeSlots = ReadonlyMap<string, Slot>;

/** Indices of the colours around the circle of hues: the eye and small marks confuse each with the one before and after it. */
const hues = [1, 4, 2, 5, 0, 7, 3, 6];

/**
 * The signs of types that are shown together, all different while there are as many pairs of colour and shape. The first by name of each colour
 * has the colour that it has everywhere. The others take a colour that is left, the same one wherever it is. Each has its own shape, or of those
 * that follow it the first that no type of the same or a similar colour has. `readAs`: the first names of renamed types, which count for theirs.
 */
export function slotsOf(
  types: readonly string[],
  readAs: ReadonlyMap<string, string> = new Map(),
): TypeSlots {
  const given = new Map<string, Slot>();
  const slots = () => [...given.values()];
  const hasColour = (colour: number) => slots().some((slot) => slot.colour === colour);
  const isFree = (wanted: Slot) => slots().every((slot) => !isSame(slot, wanted));
  const standsOut = (wanted: Slot) => slots().every((slot) => !isAlike(slot, wanted));
  const choose = (choices: readonly Slot[]) => choices.find(standsOut) ?? choices.find(isFree) ?? choices[0];
  const firstName = (type: string) => readAs.get(type) ?? type;
  const names = [...new Set(types.map(firstName))].filter((name) => name !== untyped).sort();
  const others = names.filter((name) => {
    if (hasColour(ownSlot(name).colour)) return true;
    given.set(name, choose(choicesOf(name).slice(0, shapes.length)) ?? ownSlot(name));
    return false;
  });
  for (const name of others) {
    const choices = choicesOf(name);
    const left = choices.filter(({ colour }) => !hasColour(colour));
    const ofFirst = left.filter(({ colour }) => colour === left[0]?.colour);
    given.set(name, choose(ofFirst.length > 0 ? ofFirst : choices) ?? ownSlot(name));
  }
  for (const [type, name] of readAs) if (name !== untyped) given.set(type, given.get(name) ?? ownSlot(name));
  return given;
}

function isSame(one: Slot, other: Slot): boolean {
  return one.colour === other.colour && one.shape === other.shape;
}

/** Of one shape, in colours that are the same or beside each other. */
function isAlike(one: Slot, other: Slot): boolean {
  const apart = Math.abs(hues.indexOf(one.colour) - hues.indexOf(other.colour));
  return one.shape === other.shape && (apart <= 1 || apart === hues.length - 1);
}

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
  return { colour: hash % light.length, shape: (hash >>> shapeBits) % shapes.length };
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
