/**
 * Answers in twelve languages, over HTTP in the default configuration, without a language model.
 *
 *   node evals/answers/languages.ts FOLDER [RESULT.json]
 *
 * FOLDER has `xquad.<language>.json` of XQuAD (CC BY-SA 4.0; 240 paragraphs of 48 articles and 1,190 questions, translated by people). Each language is a
 * project with every second article; the questions about the others have no answer there, and are about other subjects. Figures are of the two thirds of the questions that nothing was tuned on. Found, held, denied, area: as in
 * `real.ts`.
 */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Api, createApi, ingestAll, type QueryView } from "../client.ts";
import { startService } from "../service.ts";
import { areaUnderCurve, share } from "./figures.ts";
import { isDenial } from "./judge.ts";

const LANGUAGES = ["en", "de", "es", "ro", "ru", "el", "tr", "vi", "ar", "hi", "th", "zh"] as const;
const DEPTH = 5;

/** SQuAD's layout. */
interface File {
  readonly data: readonly {
    readonly title: string;
    readonly paragraphs: readonly {
      readonly context: string;
      readonly qas: readonly {
        readonly question: string;
        readonly answers: readonly { readonly text: string; readonly answer_start: number }[];
      }[];
    }[];
  }[];
}

interface Asked {
  /** Every third question was tuned on. */
  readonly isTuned: boolean;
  readonly isAnswerable: boolean;
  readonly isFound: boolean;
  readonly isHeld: boolean;
  readonly isDenied: boolean;
  readonly similarity: number;
}

async function main(): Promise<void> {
  const [folder, resultFile] = process.argv.slice(2);
  if (folder === undefined) throw new Error("Usage: node evals/answers/languages.ts FOLDER [RESULT.json]");
  const service = await startService();
  const results: Record<string, object> = {};
  const sha256: Record<string, string> = {};
  try {
    const api = createApi(service.baseUrl, service.key);
    for (const language of LANGUAGES) {
      const text = await readFile(join(folder, `xquad.${language}.json`), "utf8");
      sha256[language] = createHash("sha256").update(text).digest("hex");
      results[language] = rate(await askAll(api, language, JSON.parse(text) as File)); // XQuAD's own layout.
      process.stdout.write(`${language}: ${JSON.stringify(results[language])}\n`);
    }
  } finally {
    await service.stop();
  }
  const report = { command: "node evals/answers/languages.ts FOLDER RESULT.json", sha256, results };
  if (resultFile !== undefined) await writeFile(resultFile, `${JSON.stringify(report, null, 1)}\n`);
}

async function askAll(api: Api, language: string, { data }: File): Promise<readonly Asked[]> {
  const { project_id } = await api.request<{ project_id: string }>("POST", "/projects", { name: language });
  const paragraphs = data.flatMap((article, at) =>
    article.paragraphs.map((paragraph) => ({ ...paragraph, isKnown: at % 2 === 0 })),
  );
  const documents = paragraphs.flatMap(({ context, isKnown }, at) =>
    isKnown ? [{ source_doc_id: String(at), text: context }] : [],
  );
  const failed = (await ingestAll(api, project_id, documents)).find(({ status }) => status !== "completed");
  if (failed !== undefined) throw new Error(`${failed.source_doc_id}: ${failed.error_message}`);
  const asked: Asked[] = [];
  for (const [at, { qas, isKnown }] of paragraphs.entries())
    for (const [place, { question, answers }] of qas.entries()) {
      const body = { query: question, include: ["provenance"] };
      const { results } = await api.request<QueryView>("POST", `/projects/${project_id}/query`, body);
      const [answer] = answers;
      const isFound = results.chunks.slice(0, DEPTH).some(({ source_doc_id, start = 0, end = 0 }) => {
        const place = answer?.answer_start ?? 0;
        return source_doc_id === String(at) && start <= place && place < end;
      });
      asked.push({
        ...{ isTuned: (place + at) % 3 === 0, isAnswerable: isKnown, isFound },
        isHeld: answers.some(({ text }) => results.summary.includes(text)),
        isDenied: isDenial(results.summary),
        similarity: results.chunks[0]?.similarity ?? 0,
      });
    }
  return asked;
}

function rate(all: readonly Asked[]) {
  const asked = all.filter(({ isTuned }) => !isTuned);
  const answerable = asked.filter(({ isAnswerable }) => isAnswerable);
  const others = asked.filter(({ isAnswerable }) => !isAnswerable);
  return {
    answerable: answerable.length,
    found: share(answerable, ({ isFound }) => isFound),
    held: share(answerable, ({ isHeld, isDenied }) => isHeld && !isDenied),
    deniedWrongly: share(answerable, ({ isDenied }) => isDenied),
    unanswerable: others.length,
    denied: share(others, ({ isDenied }) => isDenied),
    areaUnderCurve: areaUnderCurve(answerable, others),
  };
}

await main();
