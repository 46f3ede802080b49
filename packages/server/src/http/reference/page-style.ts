/**
 * The dashboard's look, with the colours of its tokens.css. Every pair of text and background colour has a contrast of at
 * least 4.5 to 1, in the light and the dark scheme.
 */
export const referenceStyle = `
@font-face { font-family: "Inter Fallback"; font-weight: 100 900; src: local("Arial"), local("Liberation Sans"),
  local("Helvetica Neue"), local("Helvetica"); size-adjust: 107.06%; ascent-override: 90.49%; descent-override: 22.56%;
  line-gap-override: 0%; }
@font-face { font-family: "Inter Variable"; font-display: swap; font-weight: 100 900;
  src: url(assets/inter-latin-wght-normal.woff2) format("woff2-variations"); unicode-range: U+0000-00FF, U+0131, U+0152-0153,
  U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD; }
:root { color-scheme: light dark; --ground: light-dark(#f7f8fa, #0d0f12); --surface: light-dark(#ffffff, #14171b);
  --sunken: light-dark(#f0f2f5, #101317); --line: light-dark(#e2e6eb, #262b32); --control-line: light-dark(#868f9b, #6b7683); --ink: light-dark(#14181d, #eceff2);
  --soft: light-dark(#4a5461, #a9b3bf); --accent: light-dark(#3f4bd8, #8f9bff); --get: light-dark(#176639, #6fd398);
  --post: light-dark(#805100, #f0bd62); --delete: light-dark(#b3261e, #ff9a91); }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; background: var(--ground); }
body { margin: 0; color: var(--ink); font: .875rem/1.5 "Inter Variable", "Inter Fallback", ui-sans-serif, system-ui, -apple-system,
  "Segoe UI", Roboto, sans-serif; -webkit-font-smoothing: antialiased; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 3px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
code, pre { font: .92em/1.5 ui-monospace, "SF Mono", "JetBrains Mono", Menlo, Consolas, monospace; }
.page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
.side { position: sticky; top: 0; align-self: start; height: 100vh; display: flex; flex-direction: column; gap: .5rem;
  padding: 1rem .75rem 0; background: var(--surface); border-right: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: .5rem; padding: 0 .5rem; color: var(--ink); font-weight: 620;
  letter-spacing: -.01em; text-decoration: none; }
.brand svg { fill: none; stroke: var(--accent); stroke-width: 2; }
.back { padding: .375rem .5rem; border-radius: 6px; color: var(--soft); font-weight: 500; text-decoration: none; }
.back:hover, nav li a:hover { background: var(--sunken); color: var(--ink); }
.find { margin: 0 .5rem; padding: .375rem .625rem; border: 1px solid var(--control-line); border-radius: 8px;
  background: var(--surface); color: var(--ink); font: inherit; }
.none { margin: 0; padding: 0 .5rem; font-size: .8125rem; }
[hidden] { display: none !important; }
nav { flex: 1; min-height: 0; overflow-y: auto; padding: .5rem 0 3rem; border-top: 1px solid var(--line); }
nav ul { list-style: none; margin: .25rem 0 1rem; padding: 0; }
nav li a { display: block; padding: .25rem .5rem; border-radius: 6px; color: var(--soft); font-size: .8125rem; line-height: 1.35;
  text-decoration: none; }
nav strong a { padding: 0 .5rem; color: var(--ink); font-weight: 600; text-decoration: none; }
main { max-width: 72rem; padding: 2rem clamp(1rem, 4vw, 3rem) 6rem; }
h1 { margin: 0 0 .5rem; font-size: 1.625rem; font-weight: 620; line-height: 1.2; letter-spacing: -.015em; }
h2 { margin: 3rem 0 .25rem; font-size: 1.25rem; font-weight: 600; letter-spacing: -.01em; }
h3 { display: flex; flex-wrap: wrap; gap: .6rem; align-items: baseline; margin: 0 0 .4rem; font-size: 1rem; }
h4 { margin: 1.25rem 0 .3rem; font-size: .8125rem; font-weight: 600; color: var(--soft); }
p { margin: 0 0 .8rem; max-width: 46rem; color: var(--soft); }
p strong { color: var(--ink); font-weight: 600; }
article { margin: 1rem 0; padding: 1.25rem; background: var(--surface); border: 1px solid var(--line); border-radius: 12px; }
.method { font: 700 .8rem/1 ui-monospace, monospace; }
.get { color: var(--get); } .post { color: var(--post); } .delete { color: var(--delete); }
.path { font-weight: 600; overflow-wrap: anywhere; }
.additive { font-size: .75rem; font-weight: 550; color: var(--soft); border: 1px solid var(--line); border-radius: 99px;
  padding: .05rem .55rem; }
pre { margin: .3rem 0 0; padding: .8rem 1rem; overflow-x: auto; background: var(--sunken); border: 1px solid var(--line);
  border-radius: 8px; }
.block { position: relative; }
.copy { position: absolute; top: .5rem; right: .5rem; padding: .125rem .5rem; border: 1px solid var(--line); border-radius: 6px;
  background: var(--surface); color: var(--soft); font-family: inherit; font-size: .75rem; font-weight: 550; cursor: pointer; }
.copy:hover { color: var(--ink); }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .8125rem; }
th, td { padding: .375rem .6rem .375rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 550; }
td:first-child code { white-space: nowrap; }
details { margin-top: .8rem; }
summary { cursor: pointer; color: var(--soft); font-weight: 550; }
@media (max-width: 56rem) { .page { grid-template-columns: minmax(0, 1fr); }
  .side { position: static; height: auto; padding-bottom: 0; border-right: 0; border-bottom: 1px solid var(--line); }
  nav { max-height: 14rem; padding-bottom: 1rem; } main { padding-top: 1.5rem; } }
`;
