/** Short messages over the page, which go by themselves; some can be answered. */

export interface Toast {
  readonly id: number;
  readonly text: string;
  /** Shown when somebody opens it. */
  readonly list: readonly string[];
  readonly kind: "plain" | "bad";
  readonly action: { readonly label: string; readonly onPress: () => void } | null;
  /** The ids of what it tells of, with blanks between them. */
  readonly about: string;
  /** The project whose pages alone show it; null for all pages. */
  readonly projectId: string | null;
}

export interface ToastInput {
  readonly text: string;
  readonly list?: readonly string[];
  readonly kind?: Toast["kind"];
  readonly action?: Toast["action"];
  readonly about?: string;
  readonly projectId?: string | null;
  readonly forMs?: number;
}

const usualMs = 6_000;
/** What was added is listed with its progress, over which a message must not stay. */
export const addedMs = 2_500;
/** The oldest goes when there are more. */
const maxShown = 4;

export function createToasts() {
  const listeners = new Set<() => void>();
  let shown: readonly Toast[] = [];
  let last = 0;
  const set = (next: readonly Toast[]) => {
    shown = next;
    for (const listener of listeners) listener();
  };
  const close = (id: number) => set(shown.filter((toast) => toast.id !== id));
  return {
    close,

    show({
      text,
      list = [],
      kind = "plain",
      action = null,
      about = "",
      projectId = null,
      forMs = usualMs,
    }: ToastInput): void {
      last++;
      const id = last;
      set([...shown, { id, text, list, kind, action, about, projectId }].slice(-maxShown));
      setTimeout(() => close(id), forMs);
    },

    /** Something that it tells of is undone or gone. */
    closeAbout: (about: string): void =>
      set(shown.filter((toast) => !toast.about.split(" ").includes(about))),

    /** After a sign-out nobody can answer them any more. */
    closeAll: (): void => set([]),

    list: (): readonly Toast[] => shown,

    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const toasts = createToasts();
