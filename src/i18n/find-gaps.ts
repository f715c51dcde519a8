import type { Dictionaries } from './dictionary.ts';

export interface DictionaryGaps {
  /** `fr`, `de-at`. */
  id: string;
  /** Keys that it lacks; a region may lack any. */
  missing: string[];
  /** Keys that no page asks for. */
  unknown: string[];
}

/** The dictionary that all others are kept to. */
export const REFERENCE = 'de';

/** Which keys dictionaries lack, and which they have in vain. Plural forms aside: languages differ in them. */
export function findGaps(dictionaries: Dictionaries): DictionaryGaps[] {
  const reference = keysOf(dictionaries[REFERENCE]);
  if (reference.size === 0) return [];
  return Object.entries(dictionaries)
    .map(([id, texts]) => {
      const own = keysOf(texts);
      const missing = id.includes('-') ? [] : [...reference].filter((key) => !own.has(key));
      return { id, missing, unknown: [...own].filter((key) => !reference.has(key)) };
    })
    .filter(({ missing, unknown }) => missing.length + unknown.length > 0);
}

function keysOf(texts: Dictionaries[string] = {}): Set<string> {
  return new Set(Object.keys(texts).map((key) => key.replace(/\.(zero|one|two|few|many|other)$/, '')));
}
