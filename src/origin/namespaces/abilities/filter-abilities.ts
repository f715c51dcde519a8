import type { listAbilities } from '#contracts/abilities.ts';
import type { RouteQuery } from '#contracts/index.ts';
import type { Ability } from '#origin/platform/abilities/ability.ts';
import { metaOf } from './present-ability.ts';

type Wanted = Pick<RouteQuery<typeof listAbilities>, 'category' | 'namespace' | 'meta'>;

/** The abilities of a category and a namespace that say of themselves what is asked for. */
export function filterAbilities(abilities: readonly Ability[], { category, namespace, meta }: Wanted): Ability[] {
  return abilities.filter(
    (ability) =>
      (category === undefined || ability.category === category) &&
      (namespace === undefined || ability.name.startsWith(`${namespace}/`)) &&
      holds(metaOf(ability), meta ?? {}),
  );
}

/** Whether everything wanted is there; texts stand for what they spell. */
function holds(values: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return String(values) === String(wanted);
  if (typeof values !== 'object' || values === null) return false;
  const known = new Map(Object.entries(values));
  return Object.entries(wanted).every(([key, value]) => value === undefined || holds(known.get(key), value));
}
