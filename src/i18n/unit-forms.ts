import type { Dictionaries } from './dictionary.ts';
import { stringsFor } from './strings-for.ts';

const KEY = /^unit\.([a-z-]+)\.(\w+)$/;

type Forms = Readonly<Record<string, string>>;

const known = new WeakMap<Dictionaries, Map<string, ReadonlyMap<string, Forms>>>();

/**
 * Plural forms of a word for a sales unit: the texts `unit.<id>.one`, `unit.<id>.other` of its language. Undefined for
 * a word that is none of them, and for a language that has no texts.
 */
export function unitForms(dictionaries: Dictionaries, language: string, word: string): Forms | undefined {
  const languages = known.get(dictionaries) ?? new Map<string, ReadonlyMap<string, Forms>>();
  known.set(dictionaries, languages);
  const words = languages.get(language) ?? collectWords(dictionaries, language);
  languages.set(language, words);
  return words.get(word.toLowerCase());
}

function collectWords(dictionaries: Dictionaries, language: string): ReadonlyMap<string, Forms> {
  const strings = stringsFor(dictionaries, language, language);
  if (strings.language !== language || !isSpoken(dictionaries, language)) return new Map();
  const units = new Map<string, Record<string, string>>();
  for (const [key, text] of Object.entries(strings.texts)) {
    const [, id, category] = KEY.exec(key) ?? [];
    if (id === undefined || category === undefined) continue;
    units.set(id, { ...units.get(id), [category]: text });
  }
  return new Map([...units.values()].map((forms) => [(forms['one'] ?? forms['other'] ?? '').toLowerCase(), forms]));
}

function isSpoken(dictionaries: Dictionaries, language: string): boolean {
  return language in dictionaries || (language.split('-')[0] ?? '') in dictionaries;
}
