import type { Dictionaries } from './dictionary.ts';

export interface Strings {
  /** The language that the texts are in: the one asked for, or the main language when there is no file for it. */
  language: string;
  texts: Readonly<Record<string, string>>;
}

/**
 * Finds the texts of a language: its regional file over the file of the language, over those of the main language.
 * A region may thus override three words and leave the rest to `de.json`.
 */
export function stringsFor(dictionaries: Dictionaries, language: string, mainLanguage: string): Strings {
  const candidates = [language, mainLanguage, 'en'];
  const spoken = candidates.find((code) => code in dictionaries || baseOf(code) in dictionaries) ?? mainLanguage;
  const chain = [...new Set(candidates.flatMap((code) => [code, baseOf(code)]))];
  return { language: spoken, texts: Object.assign({}, ...chain.toReversed().map((id) => dictionaries[id] ?? {})) };
}

function baseOf(language: string): string {
  return language.split('-')[0] ?? language;
}
