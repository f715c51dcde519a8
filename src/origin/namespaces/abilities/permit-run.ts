import { readValue } from '#contracts/index.ts';
import { refuse, RestError, type AnyCall } from '#origin/platform/http/transport/index.ts';
import { methodOf, type Ability } from '#origin/platform/abilities/ability.ts';
import { findAbility } from './find-ability.ts';

type RunCall = AnyCall & { params: { name: string }; query: { input: unknown } };

/** An ability is run by its own method, with what fits it, and by who may. */
export const permitRun =
  (abilities: readonly Ability[]) =>
  async (call: RunCall): Promise<void> => {
    const ability = await findAbility(call.params.name, abilities, call.context);
    const method = methodOf(ability);
    if (method !== call.method)
      throw new RestError('rest_ability_invalid_method', 405, `The ability "${ability.name}" is run by ${method}.`);
    readInput(ability, call.query.input);
    if (!ability.mayRun(call.caller))
      throw refuse(call.caller, 'rest_ability_cannot_execute', 'You may not have this ability run.');
  };

/** What goes into an ability. @throws RestError that names everything wrong with it */
export function readInput({ name, input }: Ability, sent: unknown): unknown {
  const read = readValue(input, sent === null || sent === '' ? undefined : sent);
  if (read.ok) return read.value;
  const wrong = read.problems.map(({ field, problem }) => `${field || 'input'} ${problem}`).join('; ');
  throw new RestError('ability_invalid_input', 400, `What goes into "${name}" is not right: ${wrong}.`);
}
