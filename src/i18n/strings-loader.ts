import type { Loader } from 'astro/loaders';
import { dictionary } from './dictionary.ts';
import { findGaps, REFERENCE } from './find-gaps.ts';

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
