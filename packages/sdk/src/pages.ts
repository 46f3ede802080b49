import { KcsError } from "./errors.ts";

/**
 * The items of a list, page after page, each page fetched when it is needed. What is added or removed meanwhile may be
 * missed or come twice, as lists are paged by position.
 * @throws KcsError where the list goes on behind `maxOffset`, the last position that the service pages to
 */
export async function* eachItem<Item>(input: {
  readonly pageSize: number;
  readonly maxOffset?: number;
  readonly page: (limit: number, offset: number) => Promise<readonly Item[]>;
}): AsyncGenerator<Item, void> {
  const { pageSize, maxOffset = Number.MAX_SAFE_INTEGER } = input;
  for (let offset = 0; ; offset += pageSize) {
    if (offset > maxOffset)
      throw new KcsError(
        `The list goes on behind ${offset} items, where it cannot be paged: narrow it, or export.`,
      );
    const items = await input.page(pageSize, offset);
    yield* items;
    if (items.length < pageSize) return;
  }
}
