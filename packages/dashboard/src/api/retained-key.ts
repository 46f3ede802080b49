/** First part of the query keys of data that stays in memory until the user signs out or reloads the page, even if unused. */
export const retainedKey = "retained";
