/** Whether an English sentence says that something is or was so, where only its text is known. */

/** What asserts nothing. */
const doubt =
  /\b(?:will|shall|would|might|could|should|must|can|cannot|if|unless|whether|not|never|no|nor|neither|plans?|planned|planning|going|reportedly|allegedly|perhaps|possibly|probably)\b|n['’]t\b|['’]ll\b|\?/i;
/** "May" is a month. */
const may = /\bmay\b/;

/** Without "will", "may", "if", "not" and the like. */
export function isAsserted(sentence: string): boolean {
  return !doubt.test(sentence) && !may.test(sentence);
}
