import type { Removal } from '#snapshot/index.ts';
import type { MassChange } from './mass-change.ts';

/** Languages that the interface no longer lists: each takes a whole site with it. */
export function findLanguageMassChanges(removals: readonly Removal[]): MassChange[] {
  const gone = removals.filter(({ kind }) => kind === 'language').map(({ id }) => id);
  if (gone.length === 0) return [];
  return [{ what: `The list of languages has shrunk by ${gone.length}`, records: gone }];
}
