import type { OriginContext } from '../origin-context.ts';
import type { Ability } from './ability.ts';
import { ABILITIES } from './all-abilities.ts';

/** What this origin can do now: no product is offered where there is none, and nobody is told where nobody listens. */
export async function findAbilities(context: OriginContext): Promise<Ability[]> {
  const available = await Promise.all(ABILITIES.map((ability) => ability.isAvailable?.(context) ?? true));
  return ABILITIES.filter((_, index) => available[index]);
}
