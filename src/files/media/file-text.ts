/** Maximum length of a text that is stored of a file's metadata, in UTF-16 code units. */
export const MAX_FILE_TEXT_LENGTH = 1000;

/** Maximum number of bytes decoded for such a text: the file may claim that it is as long as itself. */
export const MAX_FILE_TEXT_BYTES = 4 * MAX_FILE_TEXT_LENGTH;

/** Cuts a text to the maximum length, without halves of a surrogate pair. */
export function cutFileText(text: string): string {
  return text.slice(0, MAX_FILE_TEXT_LENGTH).toWellFormed();
}

/** Cuts all texts in the metadata of a file: earlier versions stored them whole. */
export function cutFileTexts<T>(value: T): T {
  return cutDeep(value) as T;
}

function cutDeep(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_FILE_TEXT_LENGTH ? cutFileText(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(cutDeep);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cutDeep(inner)]));
}
