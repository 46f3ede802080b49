/** Sections of CHANGELOG.md: `## 1.2.3` and a list of sentences. */

/** One sentence for each commit subject, in their order; "" without any. */
export function changelogSection(version: string, subjects: readonly string[]): string {
  const sentences = subjects.map((subject) => `- ${/[.!?]$/.test(subject) ? subject : `${subject}.`}\n`);
  return sentences.length === 0 ? "" : `## ${version}\n\n${sentences.join("")}`;
}

export function hasSection(changelog: string, version: string): boolean {
  return changelog.split("\n").includes(`## ${version}`);
}

/** The changelog with a section above all others. */
export function withSection(changelog: string, section: string): string {
  const first = changelog.search(/^## /m);
  if (first === -1) return `${changelog.trimEnd()}\n\n${section}`;
  return `${changelog.slice(0, first)}${section}\n${changelog.slice(first)}`;
}
