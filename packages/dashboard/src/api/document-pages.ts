export const documentsPerPage = 50;
const maxListed = 1_000;

/** As many documents more than a page as are about to be deleted: the others move up. */
export function pageLimit(hidden: number): number {
  return Math.min(maxListed, documentsPerPage + hidden);
}
