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

/** PDF readers accept the header within this many bytes (Adobe PDF Reference 1.7, appendix H, note 13). */
const HEADER_WITHIN_BYTES = 1024;

/**
 * True if bytes of no other known type are a PDF. Report generators and mail gateways put line breaks or lines of text
 * before the header. Leading markup is rejected, so that no file is both a PDF and an HTML page.
 */
export function hasPdfHeader(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, HEADER_WITHIN_BYTES)).toString('latin1');
  return start.includes('%PDF-') && !/^(?:\xEF\xBB\xBF)?\s*</.test(start);
}
