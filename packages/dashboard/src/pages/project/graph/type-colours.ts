/** Colours of node types. They differ from each other and from both backgrounds; a type keeps its colour when types are added. */
const light = [
  "#3f4bd8",
  "#b4430f",
  "#0f7a52",
  "#9a2b8a",
  "#7a5c00",
  "#0b6f8f",
  "#b3263f",
  "#4f6b12",
  "#6b4bb0",
  "#5d5d66",
];
const dark = [
  "#93a0ff",
  "#ffab7a",
  "#5fd3a4",
  "#e59ad9",
  "#e3c25a",
  "#6fcbe6",
  "#ff9aa8",
  "#b5d66b",
  "#c3adf5",
  "#b9bac4",
];

export interface Palette {
  readonly ofType: (type: string) => string;
  readonly label: string;
  /** Background of the name of a hovered node. */
  readonly plate: string;
  readonly edge: string;
  readonly faded: string;
}

/** Assigns colours in the order of `types`. */
export function createPalette(types: readonly string[], isDark: boolean): Palette {
  const colours = isDark ? dark : light;
  const places = new Map(types.map((type, place) => [type, place]));
  return {
    ofType: (type) => colours[(places.get(type) ?? colours.length - 1) % colours.length] ?? "#5d5d66",
    label: isDark ? "#eceff2" : "#14181d",
    plate: isDark ? "#1a1e23" : "#ffffff",
    edge: isDark ? "#3a424c" : "#c5ccd5",
    faded: isDark ? "#262b32" : "#e2e6eb",
  };
}
