/** Judges answers by what they must hold. */

export interface JudgedQuestion {
  /** null: nothing in the documents answers it. */
  readonly document: string | null;
  readonly question: string;
  /** All of these belong to the answer; what can be said in several ways is divided by "|". */
  readonly answer: readonly string[];
  /** What the same place says of another thing: wrong where it comes before the answer. */
  readonly wrong?: readonly string[];
}

export interface Asked {
  readonly question: JudgedQuestion;
  readonly summary: string;
  readonly firstChunk: string;
  /** Names of all entities of the project, and of those in the answer. */
  readonly known: readonly string[];
  readonly entities: readonly string[];
  readonly relationships: number;
}

export interface Judgement {
  readonly answerable: number;
  /** Percent of the answerable: the summary holds the answer. */
  readonly inSummary: number;
  /** Percent of the answerable: and nothing wrong before it. */
  readonly rightFirst: number;
  /** Percent of the answerable: the first chunk holds it. */
  readonly inFirstChunk: number;
  /** Percent of the answerable that were said to have no answer. */
  readonly deniedWrongly: number;
  /** Percent of the unanswerable that were said to have none. */
  readonly denied: number;
  readonly meanUnits: number;
  /** Entities that the answers name: percent of them that are among the answer's entities. */
  readonly namedEntities: number;
  readonly meanEntities: number;
  readonly meanRelationships: number;
  readonly failures: readonly string[];
}

/** How summaries say that nothing answers. */
const DENIAL = /^(?:No passage|Nothing|The passages that were found hold no)/;

export const isDenial = (summary: string): boolean => DENIAL.test(summary);

export function judge(asked: readonly Asked[]): Judgement {
  const answerable = asked.filter(({ question }) => question.document !== null);
  const others = asked.filter(({ question }) => question.document === null);
  const isDenied = ({ summary }: Asked) => isDenial(summary);
  const failed = (each: Asked) =>
    each.question.document === null ? !isDenied(each) : isDenied(each) || !isRightFirst(each);
  return {
    answerable: answerable.length,
    inSummary: percent(answerable, ({ question, summary }) => holds(summary, question)),
    rightFirst: percent(answerable, isRightFirst),
    inFirstChunk: percent(answerable, ({ question, firstChunk }) => holds(firstChunk, question)),
    deniedWrongly: percent(answerable, isDenied),
    denied: percent(others, isDenied),
    meanUnits: mean(answerable, ({ summary }) => summary.length),
    namedEntities: percent(
      answerable.flatMap((each) => expectedEntities(each).map((name) => ({ name, entities: each.entities }))),
      ({ name, entities }) => entities.includes(name),
    ),
    meanEntities: mean(asked, ({ entities }) => entities.length),
    meanRelationships: mean(asked, ({ relationships }) => relationships),
    failures: asked.filter(failed).map(describe),
  };
}

function expectedEntities({ question, known }: Asked): readonly string[] {
  const parts = question.answer.map((part) => ` ${fold(part)} `);
  return known.filter((name) => parts.some((part) => part.includes(` ${fold(name)} `)));
}

function percent<T>(asked: readonly T[], accepts: (each: T) => boolean): number {
  return asked.length === 0 ? 0 : (100 * asked.filter(accepts).length) / asked.length;
}

function mean(asked: readonly Asked[], numberOf: (each: Asked) => number): number {
  return asked.reduce((sum, each) => sum + numberOf(each), 0) / Math.max(1, asked.length);
}

/** Whether a text has all parts of the answer. */
export function holds(text: string, { answer }: Pick<JudgedQuestion, "answer">): boolean {
  return answer.every((part) => placeOf(text, part) >= 0);
}

/** Whether the summary has the answer, and nothing wrong before it. */
export function isRightFirst({
  question,
  summary,
}: {
  readonly question: Pick<JudgedQuestion, "answer" | "wrong">;
  readonly summary: string;
}): boolean {
  if (!holds(summary, question)) return false;
  const right = Math.min(...question.answer.map((part) => placeOf(summary, part)));
  return (question.wrong ?? []).every((part) => {
    const place = placeOf(summary, part);
    return place < 0 || place > right;
  });
}

/** Where the first of the ways to say it stands, in any case and spacing; −1 where none does. */
function placeOf(text: string, part: string): number {
  const folded = fold(text);
  const places = part
    .split("|")
    .map((each) => folded.indexOf(fold(each)))
    .filter((place) => place >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
}

/** For comparing texts in any case and spacing. */
export function fold(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ").trim();
}

function describe({ question, summary, firstChunk }: Asked): string {
  const wanted = question.answer.length === 0 ? "(nothing)" : question.answer.join(" + ");
  const where = holds(firstChunk, question) ? "in the first chunk" : "not in the first chunk";
  return `? ${question.question}\n= ${wanted} (${where})\n> ${summary.replaceAll("\n", "\n> ")}`;
}
