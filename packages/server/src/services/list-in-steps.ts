import type { Listed, ListStep, Page } from "../ports/store.ts";

/** An account may have ten thousand items with long names: reading them at once would hold the event loop. */
const ITEMS_PER_STEP = 500;

/** With `before` the part of a list that is behind this place. */
export type ListPage = Page & Partial<Pick<ListStep, "before">>;

/** Reads a list, or a page of it, in steps, so that other requests come between. Items that come or go meanwhile may be in it or not. */
export async function* listInSteps<Item extends Listed>(
  page: ListPage | null,
  read: (step: ListStep) => Promise<readonly Item[]>,
): AsyncGenerator<readonly Item[]> {
  let { limit: left, offset } = page ?? { limit: Number.POSITIVE_INFINITY, offset: 0 };
  let before: ListStep["before"] = page?.before ?? null;
  while (left > 0) {
    const limit = Math.min(left, ITEMS_PER_STEP);
    const items: readonly Item[] = await read({ before, limit, offset });
    yield items;
    const last = items.at(-1);
    if (last === undefined || items.length < limit) return;
    before = last.place;
    offset = 0;
    left -= limit;
  }
}
