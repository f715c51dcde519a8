import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import type { Ability } from '#origin/platform/abilities/ability.ts';
import { findAbilities } from './find-abilities.ts';

/** The ability that a call names. @throws when no ability that this origin has is called so */
export async function findAbility(
  { params, context, refuse }: AnyCall<'rest_ability_not_found'> & { params: { name: string } },
  abilities: readonly Ability[],
): Promise<Ability> {
  const found = (await findAbilities(abilities, context)).find(({ name }) => name === params.name);
  if (!found) throw refuse('rest_ability_not_found', 'There is no such ability.');
  return found;
}
