import type { Loader } from 'astro/loaders';
import { dictionary, type Dictionaries } from './dictionary.ts';

/** The dictionary that all others are kept to. */
export const REFERENCE = 'de';

/** More of them would bury the rest of what a build says. */
const MAX_NAMED = 8;

/**
 * Collection `strings`: the texts of the site. What a language lacks is said in another one, and so worth a warning.
 * @param files Reads the files.
 */
export function stringsLoader(files: Loader): Loader {
  return {
    name: 'sortiment-strings',
    load: async (context) => {
      await files.load(context);
      const texts = context.store.entries().map(([id, { data }]) => [id, dictionary.parse(data)] as const);
      for (const { id, missing, unknown } of findGaps(Object.fromEntries(texts))) {
        const file = `content/strings/${id}.json`;
        if (missing.length > 0)
          context.logger.warn(
            `${file} lacks ${name(missing)}: pages say it in another language. Translate it from ${REFERENCE}.json.`,
          );
        if (unknown.length > 0)
          context.logger.warn(`${file} has ${name(unknown)}, which no page says. Correct the key, or take it out.`);
      }
    },
  };
}

function name(keys: readonly string[]): string {
  const named = keys.slice(0, MAX_NAMED).map((key) => `"${key}"`);
  return [...named, ...(keys.length > MAX_NAMED ? [`${keys.length - MAX_NAMED} more`] : [])].join(', ');
}

interface DictionaryGaps {
  /** `fr`, `de-at`. */
  id: string;
  /** Keys that it lacks; a region may lack any. */
  missing: string[];
  /** Keys that no page asks for. */
  unknown: string[];
}

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
