/** Short forms of English first names, each of one longer name or few. */

const lines = `
alexander alex|alexandra alex|alfred al|andrew andy|anthony tony|arthur art|benjamin ben|charles charlie|christopher chris
daniel dan danny|david dave|donald don|douglas doug|edward ed eddie|elizabeth liz|frederick fred|gerald gerry jerry|gregory greg
jacob jake|james jim jimmy|jeffrey jeff|jonathan jon|joseph joe|joshua josh|katherine kate|kenneth ken|lawrence larry|matthew matt
michael mike|nathaniel nate|nicholas nick|patrick pat|peter pete|philip phil|raymond ray|rebecca becky|richard rick dick
robert bob rob|ronald ron|samuel sam|stephen steve|steven steve|susan sue|theodore ted|thomas tom|timothy tim|vincent vince
walter walt|william bill will`;

const shortForms: ReadonlyMap<string, readonly string[]> = new Map(
  lines
    .trim()
    .split(/[|\n]/)
    .map((row) => {
      const [name = "", ...short] = row.split(" ");
      return [name, short] as const;
    }),
);

/** In small letters; empty for names without one. */
export function shortFormsOf(firstName: string): readonly string[] {
  return shortForms.get(firstName) ?? [];
}
