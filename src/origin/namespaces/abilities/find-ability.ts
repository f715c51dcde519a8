import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { RestError } from '#origin/platform/http/transport/index.ts';
import type { Ability } from '#origin/platform/abilities/ability.ts';
import { findAbilities } from './find-abilities.ts';

/** @throws RestError when no ability that this origin has is called so */
export async function findAbility(
  wanted: string,
  abilities: readonly Ability[],
  context: OriginContext,
): Promise<Ability> {
  const found = (await findAbilities(abilities, context)).find(({ name }) => name === wanted);
  if (!found) throw new RestError('rest_ability_not_found', 404, 'There is no such ability.');
  return found;
}
