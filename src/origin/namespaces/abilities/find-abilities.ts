import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { Ability } from '#origin/platform/abilities/ability.ts';

/** Which of the abilities this origin has now: no product is offered where there is none, and nobody is told where nobody listens. */
export async function findAbilities(abilities: readonly Ability[], context: OriginContext): Promise<Ability[]> {
  const available = await Promise.all(abilities.map((ability) => ability.isAvailable?.(context) ?? true));
  return abilities.filter((_, index) => available[index]);
}
