/** What the search says, in the language of the page; with its plain text where it names a number. */
export interface SearchTexts {
  /** With `{count}`. */
  count: string;
  none: string;
  loading: string;
  failed: string;
  opening: string;
  'check-digit': string;
  'packaging-level': string;
}
