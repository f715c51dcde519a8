import { createRequire } from 'node:module';
import { transliterate } from '../languages/transliterate.ts';

const OTHER_SCRIPT = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;
const require = createRequire(import.meta.url);

/**
 * A name as an address has it when it is written in another script: `Μεμβράνη 75` -> `memvrani 75`. Latin ones are
 * returned as they are. Not for browsers: its tables are larger than all scripts of the site.
 */
export function romanise(name: string): string {
  if (!OTHER_SCRIPT.test(name)) return name;
  // Loaded where it is needed only: that takes longer than a small sync.
  const library = require('transliteration') as typeof import('transliteration');
  return library.transliterate(transliterate(name));
}
