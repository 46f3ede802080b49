/** The states of a draft, so that steps can be undone and redone. */

export interface DraftHistory<Draft> {
  /** The oldest first. */
  readonly past: readonly Draft[];
  readonly present: Draft;
  /** What was undone, the next one first. */
  readonly future: readonly Draft[];
  /** The field in which `present` was typed; null: it was not typed. */
  readonly field: string | null;
}

/** Of all kept states together: a text can have megabytes. */
const maxCharacters = 16_000_000;
const maxSteps = 200;

export function beginHistory<Draft>(present: Draft): DraftHistory<Draft> {
  return { past: [], present, future: [], field: null };
}

/** What is typed into one field without a pause for something else is one step. */
export function withStep<Draft extends object>(
  history: DraftHistory<Draft>,
  present: Draft,
  field: string | null = null,
): DraftHistory<Draft> {
  const isSameStep = field !== null && field === history.field;
  const past = isSameStep ? history.past : withinLimits([...history.past, history.present]);
  return { past, present, future: [], field };
}

export function undone<Draft>(history: DraftHistory<Draft>): DraftHistory<Draft> {
  const { past, present, future } = history;
  const before = past.at(-1);
  if (before === undefined) return history;
  return { past: past.slice(0, -1), present: before, future: [present, ...future], field: null };
}

export function redone<Draft>(history: DraftHistory<Draft>): DraftHistory<Draft> {
  const { past, present, future } = history;
  const [next, ...later] = future;
  if (next === undefined) return history;
  return { past: [...past, present], present: next, future: later, field: null };
}

/** The newest states; the last one in any case. */
function withinLimits<Draft extends object>(states: readonly Draft[]): readonly Draft[] {
  let room = maxCharacters;
  let first = states.length - 1;
  while (first > 0 && states.length - first < maxSteps) {
    room -= sizeOf(states[first]);
    if (room < 0) break;
    first -= 1;
  }
  return states.slice(first);
}

function sizeOf(state: object | undefined): number {
  return Object.values(state ?? {}).reduce((sum: number, part) => sum + String(part).length, 0);
}
