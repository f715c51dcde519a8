import { readValue } from '#contracts/index.ts';
import type { runAbility } from '#contracts/abilities.ts';
import type { Call } from '#origin/platform/http/transport/index.ts';
import { methodOf, type Ability } from '#origin/platform/abilities/ability.ts';
import { findAbility } from './find-ability.ts';

type RunCall = Call<typeof runAbility>;

/** An ability is run by its own method, with what fits it, and by who may. */
export const permitRun =
  (abilities: readonly Ability[]) =>
  async (call: RunCall): Promise<void> => {
    const ability = await findAbility(call, abilities);
    const method = methodOf(ability);
    if (method !== call.method)
      throw call.refuse('rest_ability_invalid_method', `The ability "${ability.name}" is run by ${method}.`);
    readInput(ability, call);
    if (!ability.mayRun(call.caller))
      throw call.refuse('rest_ability_cannot_execute', 'You may not have this ability run.');
  };

/** What goes into an ability. @throws a refusal that names everything wrong with it */
export function readInput({ name, input }: Ability, { query, refuse }: RunCall): unknown {
  const { input: sent } = query;
  const read = readValue(input, sent === null || sent === '' ? undefined : sent);
  if (read.ok) return read.value;
  const wrong = read.problems.map(({ field, problem }) => `${field || 'input'} ${problem}`).join('; ');
  throw refuse('ability_invalid_input', `What goes into "${name}" is not right: ${wrong}.`);
}
