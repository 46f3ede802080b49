/**
 * Every pair of text and background colour has a contrast of at least 4.5 to
 * 1, in the light and the dark scheme.
 */
export const referenceStyle = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #59636e; --paper: #fff; --card: #f6f7f9; --line: #d5dae0;
  --accent: #0b5cad; --get: #17692e; --post: #8a4b00; --delete: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebee; --soft: #a3adb8; --paper: #0f1216; --card: #181c22;
  --line: #3a424c; --accent: #7ab8f5; --get: #7fd699; --post: #f0b45c; --delete: #ff9d94; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
code, pre { font: .86rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
.page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 82rem; margin: 0 auto; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 1.5rem 1rem 3rem;
  border-right: 1px solid var(--line); font-size: .9rem; }
nav ul { list-style: none; margin: .2rem 0 1rem; padding: 0; }
nav li a { display: block; padding: .12rem .4rem; border-radius: 6px; color: inherit; text-decoration: none; }
nav li a:hover { background: var(--card); text-decoration: underline; }
nav strong a { color: inherit; text-decoration: none; }
main { padding: 1.5rem 2rem 6rem; }
h1 { margin: 0 0 .5rem; font-size: 1.8rem; line-height: 1.2; }
h2 { margin: 3rem 0 .25rem; font-size: 1.35rem; }
h3 { display: flex; flex-wrap: wrap; gap: .6rem; align-items: baseline; margin: 0 0 .4rem; font-size: 1.05rem; }
h4 { margin: 1.2rem 0 .3rem; font-size: .8rem; letter-spacing: .04em; text-transform: uppercase; color: var(--soft); }
p { margin: 0 0 .8rem; max-width: 46rem; }
article { margin: 1.25rem 0; padding: 1.25rem; border: 1px solid var(--line); border-radius: 10px; }
.method { font: 700 .8rem/1 ui-monospace, monospace; }
.get { color: var(--get); } .post { color: var(--post); } .delete { color: var(--delete); }
.path { font-weight: 600; overflow-wrap: anywhere; }
.additive { font-size: .75rem; font-weight: 400; color: var(--soft); border: 1px solid var(--line); border-radius: 99px;
  padding: .05rem .55rem; }
pre { margin: .3rem 0 0; padding: .8rem 1rem; overflow-x: auto; background: var(--card); border: 1px solid var(--line);
  border-radius: 8px; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
th, td { padding: .3rem .6rem .3rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; }
td:first-child code { white-space: nowrap; }
details { margin-top: .8rem; }
summary { cursor: pointer; color: var(--soft); }
@media (max-width: 56rem) { .page { grid-template-columns: minmax(0, 1fr); }
  nav { position: static; max-height: 16rem; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1.5rem 1rem 4rem; } }
`;
