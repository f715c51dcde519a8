import type { Removal } from '#snapshot/index.ts';
import type { Slide } from './slide.ts';

/** Languages that the interface no longer lists: each takes a whole site with it. */
export function findLanguageSlides(removals: readonly Removal[]): Slide[] {
  const gone = removals.filter(({ kind }) => kind === 'language').map(({ id }) => id);
  if (gone.length === 0) return [];
  return [{ what: `The list of languages has shrunk by ${gone.length}`, records: gone }];
}
