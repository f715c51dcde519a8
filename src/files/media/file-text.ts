/** Maximum length of a stored metadata text, in UTF-16 code units. */
export const MAX_FILE_TEXT_LENGTH = 1000;

/** Maximum number of bytes decoded for such a text, because files may claim any length. */
export const MAX_FILE_TEXT_BYTES = 4 * MAX_FILE_TEXT_LENGTH;

/** Cuts a text to the maximum length, without splitting a surrogate pair. */
export function cutFileText(text: string): string {
  return text.slice(0, MAX_FILE_TEXT_LENGTH).toWellFormed();
}

/** Cuts all texts in stored metadata. Earlier versions stored them uncut. */
export function cutFileTexts<T>(value: T): T {
  return cutDeep(value) as T;
}

function cutDeep(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_FILE_TEXT_LENGTH ? cutFileText(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(cutDeep);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cutDeep(inner)]));
}
