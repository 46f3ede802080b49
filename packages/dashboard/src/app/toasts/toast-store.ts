/** Short messages over the page, which go by themselves; some can be answered. */

export interface Toast {
  readonly id: number;
  readonly text: string;
  /** Shown when somebody opens it. */
  readonly list: readonly string[];
  readonly kind: "plain" | "bad";
  readonly action: { readonly label: string; readonly onPress: () => void } | null;
  /** The id of what it tells of; "" for none. */
  readonly about: string;
}

export interface ToastInput {
  readonly text: string;
  readonly list?: readonly string[];
  readonly kind?: Toast["kind"];
  readonly action?: Toast["action"];
  readonly about?: string;
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

    show({ text, list = [], kind = "plain", action = null, about = "", forMs = usualMs }: ToastInput): void {
      last++;
      const id = last;
      set([...shown, { id, text, list, kind, action, about }].slice(-maxShown));
      setTimeout(() => close(id), forMs);
    },

    /** What it tells of is undone or gone. */
    closeAbout: (about: string): void => set(shown.filter((toast) => toast.about !== about)),

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
