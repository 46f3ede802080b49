/** What is measured: a question for a weight wants kilograms, one for a price money. English. */

export type Dimension = "money" | "length" | "mass" | "temperature" | "speed" | "power";

const ASKED: readonly (readonly [Dimension, RegExp])[] = [
  [
    "money",
    /\b(?:costs?|prices?|priced|fares?|fees?|charged?|expensive|cheap|revenue|salary|budget|earn(?:s|ed)?|paid|pay)\b/,
  ],
  ["mass", /\b(?:weighs?|weighed|weight|heavy|heavier|heaviest)\b/],
  ["speed", /\b(?:how fast|speed)\b/],
  ["temperature", /\b(?:hot|cold|warm|temperature)\b/],
  ["power", /\b(?:watts?|wattage|horsepower|power)\b/],
  ["length", /\b(?:tall|high|height|wide|width|deep|depth|far|distance|thick|length|elevation|altitude)\b/],
];

const UNITS: readonly (readonly [Dimension, RegExp])[] = [
  [
    "money",
    /^(?:\s?[€£$¥]|\s(?:million |billion )?(?:euros?|dollars?|pounds?|pence|cents?|crowns?|francs?|yen|rupees?|pesos?|kron(?:er?|or|a)|marks|EUR|USD|GBP|CHF|JPY)\b)/,
  ],
  ["mass", /^\s?(?:mg|g|kg|t|tons?|tonnes?|grams?|kilograms?|kilos?|lbs?|ounces?|oz)\b/],
  ["speed", /^\s?(?:km\/h|kph|mph|knots|m\/s)\b/],
  ["temperature", /^\s?(?:°\s?[CF]|degrees|K\b)/],
  ["power", /^\s?(?:[kM]?W|watts?|kilowatts?|megawatts?|hp|horsepower)\b/],
  [
    "length",
    /^\s?(?:mm|cm|m|km|met(?:re|er)s?|kilomet(?:re|er)s?|miles?|feet|foot|ft|inch(?:es)?|yards?)\b(?!\/)/,
  ],
];

/** null where a question, in lower case, names none. */
export function askedDimension(question: string): Dimension | null {
  return ASKED.find(([, pattern]) => pattern.test(question))?.[0] ?? null;
}

/** The dimension of the unit that a number has in a sentence; null without a known one. Offsets are the number's. */
export function dimensionAt(
  sentence: string,
  { start, end }: { readonly start: number; readonly end: number },
): Dimension | null {
  if (/[€£$¥]/.test(sentence.slice(Math.max(0, start - 1), start + 1))) return "money";
  const after = sentence.slice(end, end + 20);
  return UNITS.find(([, pattern]) => pattern.test(after))?.[0] ?? null;
}
