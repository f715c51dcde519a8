import type { Loader } from 'astro/loaders';
import { dictionary, type Dictionaries } from './create-ui.ts';

/** The reference for the keys of all other dictionaries. */
export const REFERENCE_LANGUAGE = 'de';

/** Maximum number of keys named in a warning. */
const MAX_NAMED = 8;

/**
 * Loads the collection `strings`, the texts of the site. Missing texts fall back to another language, so the loader
 * warns about them.
 * @param files Loader of the files.
 */
export function stringsLoader(files: Loader): Loader {
  return {
    name: 'sortiment-strings',
    load: async (context) => {
      await files.load(context);
      const texts = context.store.entries().map(([id, { data }]) => [id, dictionary.parse(data)] as const);
      for (const { id, missing, unknown } of findDictionaryGaps(Object.fromEntries(texts))) {
        const file = `content/strings/${id}.json`;
        if (missing.length > 0)
          context.logger.warn(
            `${file} lacks ${formatKeys(missing)}: pages show another language instead. Translate from ${REFERENCE_LANGUAGE}.json.`,
          );
        if (unknown.length > 0)
          context.logger.warn(`${file} has ${formatKeys(unknown)}, which no page uses. Correct or remove it.`);
      }
    },
  };
}

function formatKeys(keys: readonly string[]): string {
  const named = keys.slice(0, MAX_NAMED).map((key) => `"${key}"`);
  return [...named, ...(keys.length > MAX_NAMED ? [`${keys.length - MAX_NAMED} more`] : [])].join(', ');
}

/**
 * Finds missing keys of dictionaries, and keys that no page uses. Plural suffixes are ignored, because languages differ
 * in them. Regional files may omit any key.
 */
export function findDictionaryGaps(dictionaries: Dictionaries) {
  const reference = keysOf(dictionaries[REFERENCE_LANGUAGE]);
  if (reference.size === 0) return [];
  return Object.entries(dictionaries)
    .map(([id, texts]) => {
      const keys = keysOf(texts);
      const missing = id.includes('-') ? [] : [...reference].filter((key) => !keys.has(key));
      return { id, missing, unknown: [...keys].filter((key) => !reference.has(key)) };
    })
    .filter(({ missing, unknown }) => missing.length + unknown.length > 0);
}

const FORMS = ['zero', 'one', 'two', 'few', 'many', 'other'] as const;
const FORM = RegExp(`\\.(?:${FORMS.join('|')})$`);
/** Plural categories that whole numbers below this limit need. Larger ones fall back to `other`. */
const COUNTED = 1000;

/** Returns the keys of a complete file: those of the reference, with the plural forms of the language. */
export function requiredKeys(reference: readonly string[], language: string): string[] {
  const rules = new Intl.PluralRules(language);
  const counted = new Set(Array.from({ length: COUNTED }, (_, count) => rules.select(count)));
  const forms = FORMS.filter((form) => form === 'other' || counted.has(form));
  const plural = new Set(reference.filter((key) => key.endsWith('.one')).map(withoutForm));
  return [
    ...new Set(
      reference.flatMap((key) => {
        const base = withoutForm(key);
        return plural.has(base) ? forms.map((form) => `${base}.${form}`) : [key];
      }),
    ),
  ];
}

function keysOf(texts: Dictionaries[string] = {}): Set<string> {
  return new Set(Object.keys(texts).map(withoutForm));
}

function withoutForm(key: string): string {
  return key.replace(FORM, '');
}
