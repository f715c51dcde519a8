/** Name of a sales unit from the record, with its plural forms if known. */
export interface UnitName {
  word: string;
  /** Forms by category of `Intl.PluralRules`; `other` is the default. */
  forms?: Readonly<Record<string, string>> | undefined;
  /** Language of the word, BCP 47. */
  lang: string;
}
