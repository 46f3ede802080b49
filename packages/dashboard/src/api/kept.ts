/** First part of the keys of what stays in memory until it is signed out or the page is loaded anew, looked at or not. */
export const kept = "kept";
