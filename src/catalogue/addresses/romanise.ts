import { createRequire } from 'node:module';
import { transliterate } from '../languages/fold-text.ts';

const OTHER_SCRIPT = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;
const require = createRequire(import.meta.url);

/**
 * Converts a name in another script to Latin letters: `Μεμβράνη 75` -> `memvrani 75`. Latin names are returned
 * unchanged. Not for browsers: its tables are larger than all scripts of the site.
 */
export function romanise(name: string): string {
  if (!OTHER_SCRIPT.test(name)) return name;
  // Loaded lazily, because loading takes longer than a small sync.
  const library = require('transliteration') as typeof import('transliteration');
  return library.transliterate(transliterate(name));
}
