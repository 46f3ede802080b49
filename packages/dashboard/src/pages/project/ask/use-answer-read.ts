import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { allCorrectionsQuery } from "../../../api/corrections.ts";
import { projectQuery } from "../../../api/projects.ts";
import { correctionWords } from "../entity/correction-words.ts";
import { type AnswerHead, answerHead } from "./answer-head.ts";
import { type AnswerRead, readAnswer, unsaidIn } from "./read-answer.ts";
import { rejectedIn } from "./rejected-facts.ts";
import type { Answer } from "./use-answer.ts";

export interface ReadAnswer {
  readonly said: AnswerRead;
  readonly head: AnswerHead;
  /** What the question asks for and nothing mentions. */
  readonly unsaid: readonly string[];
}

/** What an answer says, and what is said above its sentences, also of those whose facts a person has rejected. */
export function useAnswerRead(
  projectId: string,
  { title, question, answer }: { readonly title: string; readonly question: string; readonly answer: Answer },
): ReadAnswer {
  const { data: project } = useQuery(projectQuery(projectId));
  const hasGraph = project?.mode === "kg_vector";
  const { data: corrections } = useQuery({ ...allCorrectionsQuery(projectId), enabled: hasGraph });
  const said = useMemo(() => readAnswer(answer.result, question), [answer.result, question]);
  return useMemo(() => {
    const unsaid = unsaidIn(answer, said, question);
    const isJudged = answer.isComplete && quotesAnswer(said.kind);
    const sentences = isJudged ? said.parts.map(({ text }) => text) : [];
    const rejected = rejectedIn(sentences, corrections ?? []).map(correctionWords);
    const { chunks } = answer.result.results;
    return { said, unsaid, head: answerHead(said, { title, question, chunks, unsaid, rejected }) };
  }, [answer, said, question, title, corrections]);
}

/** Whether the sentences that are quoted answer, or may. */
export function quotesAnswer(kind: AnswerRead["kind"]): boolean {
  return kind === "found" || kind === "perhaps" || kind === "unsure";
}
