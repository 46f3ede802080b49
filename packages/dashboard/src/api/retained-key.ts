/** First part of the query keys of data that stays in memory until the user signs out or reloads the page, even if unused. */
export const retainedKey = "retained";
/** The ids that entities got when they were corrected in this browser. */
export const survivors = "survivors";

/** Types of relationships that somebody has written in this browser. */
export const usedTypes = "used-types";
