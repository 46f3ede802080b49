/** Names of countries and territories, from the Unicode data that comes with the runtime. */

/** Names that texts use beside the official ones, and countries of the past. */
const otherNames =
  "u.s.|us|usa|u.s.a.|united states of america|uk|u.k.|england|scotland|wales|great britain|britain|soviet union|ussr|" +
  "yugoslavia|czechoslovakia|holland|west germany|east germany|turkey|burma|russian federation|republic of ireland|uae|prussia";

/** In small letters, without a leading "the". About a millisecond. */
export function readCountryNames(): ReadonlySet<string> {
  const names = new Set(otherNames.split("|"));
  const display = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
  for (let first = 65; first <= 90; first++) {
    for (let second = 65; second <= 90; second++) {
      const name = display.of(String.fromCharCode(first, second));
      if (name !== undefined) names.add(name.toLowerCase());
    }
  }
  for (const pseudo of [
    "eurozone",
    "european union",
    "united nations",
    "pseudo-accents",
    "pseudo-bidi",
    "unknown region",
  ])
    names.delete(pseudo);
  return names;
}
