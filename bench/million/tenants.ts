/** Questions to one of many small projects, beside the same questions to a project that is the only one. */
import type { BenchQuestion } from "../questions.ts";
import { quantile, round } from "../report.ts";
import { type AskedProject, askInTurn, type Failures, timeQuestion } from "../scale/asking.ts";
import { describeTimes } from "../scale/timing.ts";
import { createRandom } from "../soak/random.ts";
import { measureMemory } from "./measure.ts";
import type { Subject } from "./subject.ts";

const WARM_UP = 50;
const SEED = 17;

interface Side {
  readonly subject: Subject;
  readonly projectIds: readonly string[];
}

/** Both have the same chunks in their first project. */
export async function measureTenants(
  { many, one }: { readonly many: Side; readonly one: Side },
  { questions, failures }: { readonly questions: readonly BenchQuestion[]; readonly failures: Failures },
) {
  const asked = ({ subject, projectIds }: Side, at = 0): AskedProject => ({
    api: subject.api,
    projectId: projectIds[at] ?? "",
    failures,
  });
  for (const side of [many, one]) await askInTurn(asked(side), questions.slice(0, WARM_UP));
  const times = { many: [] as number[], one: [] as number[] };
  for (const [at, question] of questions.entries()) {
    if (at % 2 === 0) times.one.push((await timeQuestion(asked(one), question)).ms);
    times.many.push((await timeQuestion(asked(many), question)).ms);
    if (at % 2 === 1) times.one.push((await timeQuestion(asked(one), question)).ms);
  }
  const cold: number[] = [];
  for (const [at, question] of questions.slice(0, many.projectIds.length - 1).entries())
    cold.push((await timeQuestion(asked(many, at + 1), question)).ms);
  const random = createRandom(SEED);
  const anywhere: number[] = [];
  for (const question of questions) {
    const at = random.integer(0, many.projectIds.length - 1);
    anywhere.push((await timeQuestion(asked(many, at), question)).ms);
  }
  const memory = await measureMemory(many.subject);
  return {
    warm: {
      onlyProject: describeTimes(times.one),
      oneOfMany: describeTimes(times.many),
      ratio: round(quantile(times.many, 0.5) / quantile(times.one, 0.5), 3),
    },
    cold: describeTimes(cold),
    anyProject: describeTimes(anywhere),
    memory,
  };
}
