import { KcsError } from "./errors.ts";
import { requireList } from "./expected.ts";

/**
 * Yields the items of a list and fetches each page when it is needed. Lists are paged by offset, so items that are
 * added or removed meanwhile can cause other items to be missed or repeated. A page that has fewer items than its limit, because
 * some were removed while it was read, does not end the list where its `total` counts more.
 * @throws KcsError when the list continues after `maxOffset`, the largest offset that the service accepts
 */
export async function* eachItem<Item, Page extends object>(input: {
  readonly pageSize: number;
  readonly maxOffset?: number;
  readonly page: (limit: number, offset: number) => Promise<Page>;
  readonly itemsOf: (page: Page) => readonly Item[];
}): AsyncGenerator<Item, void> {
  const { pageSize, maxOffset = Number.MAX_SAFE_INTEGER } = input;
  for (let offset = 0; ; ) {
    if (offset > maxOffset)
      throw new KcsError(
        `The list has more than ${offset} items and cannot be paged further. Narrow it or use the export.`,
      );
    const page = await input.page(pageSize, offset);
    const items = requireList(input.itemsOf(page), "items");
    const { total = 0 } = page as { readonly total?: number }; // Some lists do not count their items.
    yield* items;
    offset += items.length || pageSize;
    if (items.length < pageSize && offset >= total) return;
  }
}
