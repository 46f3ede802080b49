import { KcsError } from "./errors.ts";

/**
 * Yields the items of a list and fetches each page when it is needed. Lists are paged by offset, so items that are
 * added or removed meanwhile can cause other items to be missed or repeated.
 * @throws KcsError when the list continues after `maxOffset`, the largest offset that the service accepts
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
        `The list has more than ${offset} items and cannot be paged further. Narrow it or use the export.`,
      );
    const items = await input.page(pageSize, offset);
    yield* items;
    if (items.length < pageSize) return;
  }
}
