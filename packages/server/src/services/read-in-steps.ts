/** Reads what one page of a list has, a few items at a time, so that other requests come between. */
export interface Steps<Item> {
  /** Of one operation of the store. */
  readonly itemsPerStep: number;
  /** Of the page as JSON: the items from the one on that would exceed it are left out, but never the first. Default: no limit. */
  readonly maxCharacters?: number | undefined;
  /** What the page shows of an item. Default: all. */
  readonly shownOf?: (item: Item) => unknown;
}

/** `read` leaves out items that no longer exist. */
export async function readInSteps<Id, Item>(
  ids: readonly Id[],
  { itemsPerStep, maxCharacters = Number.POSITIVE_INFINITY, shownOf = (item) => item }: Steps<Item>,
  read: (ids: readonly Id[]) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let characters = 0;
  for (let from = 0; from < ids.length; from += itemsPerStep) {
    for (const item of await read(ids.slice(from, from + itemsPerStep))) {
      if (Number.isFinite(maxCharacters)) characters += JSON.stringify(shownOf(item)).length;
      if (characters > maxCharacters && items.length > 0) return items;
      items.push(item);
    }
  }
  return items;
}
