/**
 * A route handler of the Next.js App Router: copy it to `app/api/ask/route.ts`. It uses Web standards alone, so other
 * frameworks take it, too. The API key stays on the server.
 */
import { createClient, KcsError, RateLimitError } from "@kcs/sdk";

const maxQuestionLength = 2000;

/** `GET /api/ask?question=…` */
export function GET(request: Request): Promise<Response> {
  return answer(new URL(request.url).searchParams.get("question"), request.signal);
}

/** `POST /api/ask` with `{"question": "…"}` */
export async function POST(request: Request): Promise<Response> {
  const body: unknown = await request.json().catch(() => null);
  const question = typeof body === "object" && body !== null && "question" in body ? body.question : null;
  return answer(question, request.signal);
}

/** `signal` ends the call to the service when the visitor leaves. */
async function answer(question: unknown, signal: AbortSignal): Promise<Response> {
  if (typeof question !== "string" || question.trim() === "" || question.length > maxQuestionLength) {
    return Response.json(
      { error: `Send a question of 1 to ${maxQuestionLength} characters.` },
      { status: 400 },
    );
  }
  const kcs = createClient({ baseUrl: process.env["KCS_URL"], apiKey: process.env["KCS_KEY"] });
  try {
    const { results } = await kcs.query(
      process.env["KCS_PROJECT"] ?? "",
      { query: question, top_k: 5, include: ["provenance"] },
      { signal },
    );
    const sources = results.chunks.map(({ source_doc_id, text }) => ({ document: source_doc_id, text }));
    return Response.json({ answer: results.summary, sources });
  } catch (error) {
    if (error instanceof RateLimitError) {
      const headers = { "retry-after": String(error.retryAfterSeconds ?? 60) };
      return Response.json(
        { error: "Too many questions at once. Try again later." },
        { status: 429, headers },
      );
    }
    // The service's message may name a project or a key, so only the log gets it.
    if (error instanceof KcsError) {
      console.error(error);
      return Response.json({ error: "The knowledge service does not answer." }, { status: 502 });
    }
    throw error;
  }
}
