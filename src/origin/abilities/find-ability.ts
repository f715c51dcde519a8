import { RestError } from '../publishing/transport/index.ts';
import type { Ability } from './ability.ts';
import { ABILITIES } from './all-abilities.ts';

/** @throws RestError when no ability has the name */
export function findAbility(wanted: string): Ability {
  const found = ABILITIES.find(({ name }) => name === wanted);
  if (!found) throw new RestError('rest_ability_not_found', 404, 'There is no such ability.');
  return found;
}
