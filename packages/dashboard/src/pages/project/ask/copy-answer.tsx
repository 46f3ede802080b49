import type { QueryChunk } from "@kcs/sdk";
import { serviceUrl } from "../../../api/address.ts";
import { momentWords } from "../../../components/time-words.ts";
import { changedWords, useHasChanged } from "./answer-age.tsx";
import { markdownOf } from "./answer-markdown.ts";
import { strategyWords } from "./answer-words.ts";
import { bodyOf, type Question } from "./ask-address.ts";
import type { CitedPlace } from "./citations.ts";
import { CopyMenu } from "./copy-menu.tsx";
import { curlOf, sdkOf } from "./request-code.ts";
import { sourceOf } from "./source-of.ts";
import type { Answer } from "./use-answer.ts";
import type { ReadAnswer } from "./use-answer-read.ts";

/** Copies an answer with what the page says of it, or its question. */
export function CopyAnswer({
  projectId,
  question,
  answer,
  read: { said, head },
}: {
  readonly projectId: string;
  readonly question: Question;
  readonly answer: Answer;
  readonly read: ReadAnswer;
}) {
  const hasChanged = useHasChanged(projectId, answer);
  const { result, at } = answer;
  const request = {
    ...{ baseUrl: serviceUrl("").replace(/\/$/, ""), projectId },
    body: bodyOf(question),
  };
  const written = {
    ...{ query: question.query, chunks: result.results.chunks, head, parts: said.parts },
    notes: [
      ...strategyWords(result.strategy_used).troubles,
      ...(hasChanged ? [`Answered ${momentWords(new Date(at))}. ${changedWords}`] : []),
    ],
    addressOf: (chunk: QueryChunk, place: CitedPlace) =>
      serviceUrl(`projects/${projectId}/document?${new URLSearchParams(sourceOf(chunk, place))}`),
  };
  return (
    <CopyMenu
      forms={[
        { id: "markdown", label: "Answer as Markdown, with sources", text: () => markdownOf(written) },
        { id: "link", label: "Link to this question", text: () => window.location.href },
        { id: "curl", label: "Question as curl", text: () => curlOf(request) },
        { id: "typescript", label: "Question as TypeScript", text: () => sdkOf(request) },
      ]}
    />
  );
}
