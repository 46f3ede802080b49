/** The questions about the company, and what is counted of their answers. */
import { fold, holds, isDenial, isRightFirst } from "../answers/judge.ts";
import type { Api, QueryView } from "../client.ts";

export interface CompanyQuestion {
  readonly question: string;
  readonly as_of: string | null;
  /** All of these belong to a right summary, "|" between ways to say one. Empty: the documents have no answer. */
  readonly answer: readonly string[];
  /** What is true at another time, or of another thing: wrong where it comes before the answer. */
  readonly wrong: readonly string[];
  /** Those that have the answer, each of them alone. */
  readonly documents: readonly string[];
  /** Whether a time is asked by `as_of`, in the sentence, or not at all. */
  readonly kind: "as_of" | "time" | "plain";
}

export interface Answered {
  readonly question: CompanyQuestion;
  readonly summary: string;
  /** Documents of the first passages, best first. */
  readonly documents: readonly string[];
}

export type Mode = "static" | "dynamic";

const FIRST_PASSAGES = 5;

export async function askAll(
  api: Api,
  { projectId, questions, mode }: { projectId: string; questions: readonly CompanyQuestion[]; mode: Mode },
): Promise<readonly Answered[]> {
  const answers: Answered[] = [];
  for (const question of questions) {
    const { results } = await api.request<QueryView>("POST", `/projects/${projectId}/query`, {
      ...{ query: question.question, as_of: question.as_of, mode, include: ["provenance"] },
    });
    const documents = results.chunks.slice(0, FIRST_PASSAGES).map((chunk) => chunk.source_doc_id ?? "");
    answers.push({ question, summary: results.summary, documents });
  }
  return answers;
}

const isAnswerable = ({ question }: Answered) => question.answer.length > 0;
const isDenied = ({ summary }: Answered) => isDenial(summary);
const hasEvidence = ({ question, documents }: Answered) =>
  documents.some((each) => question.documents.includes(each));
const isRight = (each: Answered) => !isDenied(each) && isRightFirst(each);

/** Numbers of questions. */
export function countAnswers(all: readonly Answered[]): Readonly<Record<string, number>> {
  const answerable = all.filter(isAnswerable);
  const others = all.filter((each) => !isAnswerable(each));
  return {
    answerable: answerable.length,
    evidence_in_first_five: answerable.filter(hasEvidence).length,
    answer_in_summary: answerable.filter(({ question, summary }) => holds(summary, question)).length,
    right: answerable.filter(isRight).length,
    denied_wrongly: answerable.filter(isDenied).length,
    unanswerable: others.length,
    denied: others.filter(isDenied).length,
  };
}

/** Those with a wrong answer, to be read. */
export function describeFailures(all: readonly Answered[]): readonly string[] {
  return all
    .filter((each) => (isAnswerable(each) ? !isRight(each) : !isDenied(each)))
    .map((each) => {
      const { question, summary } = each;
      const wanted = question.answer.length === 0 ? "(nothing)" : question.answer.join(" + ");
      const evidence = hasEvidence(each) ? "evidence" : "no evidence";
      const asOf = question.as_of === null ? "" : ` [as of ${question.as_of}]`;
      return `? ${question.question}${asOf}\n= ${wanted} (${evidence} in the first five)\n> ${fold(summary)}`;
    });
}
