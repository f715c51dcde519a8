/** A word for a sales unit, as the record has it, and its plural forms where they are known. */
export interface UnitWord {
  word: string;
  /** By category of `Intl.PluralRules`; `other` stands for those that it leaves out. */
  forms?: Readonly<Record<string, string>> | undefined;
  /** Language of the word, BCP 47. */
  lang: string;
}
