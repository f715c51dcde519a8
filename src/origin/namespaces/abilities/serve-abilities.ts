import {
  getAbility,
  getAbilityCategory,
  listAbilities,
  listAbilityCategories,
  runAbility,
} from '#contracts/abilities.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { collection, item, refuser, type AnyCall, type RouteRegistry } from '#origin/platform/http/transport/index.ts';
import type { Ability } from '#origin/platform/abilities/ability.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { ABILITY_CATEGORIES, allAbilities } from './all-abilities.ts';
import { filterAbilities } from './filter-abilities.ts';
import { findAbilities } from './find-abilities.ts';
import { findAbility } from './find-ability.ts';
import { permitRun, readInput } from './permit-run.ts';
import { presentAbility, presentCategory } from './present-ability.ts';

/** @param others What other parts of the origin can do for a program. */
function serveAbilities(registry: RouteRegistry, others: readonly Ability[]): void {
  const known = allAbilities(others);
  registry.serve(
    listAbilityCategories,
    (call) => {
      const { page, per_page: perPage, context } = call.query;
      const shown = ABILITY_CATEGORIES.slice((page - 1) * perPage, page * perPage);
      const rows = shown.map((category) => presentCategory(category, call, context));
      return collection(rows, ABILITY_CATEGORIES.length, { page, perPage });
    },
    { permit },
  );
  registry.serve(
    getAbilityCategory,
    (call) => {
      const found = ABILITY_CATEGORIES.find(({ slug }) => slug === call.params.slug);
      if (!found) throw call.refuse('rest_ability_category_not_found', 'There is no such category.');
      return item(presentCategory(found, call, 'view'));
    },
    { permit },
  );
  registry.serve(
    runAbility,
    async (call) => {
      const ability = await findAbility(call, known);
      const own = { ...call, refuse: refuser(ability.errors, call.caller) };
      return item(await ability.run(readInput(ability, call), own));
    },
    { permit: permitRun(known) },
  );
  registry.serve(
    listAbilities,
    async (call) => {
      const { page, per_page: perPage, context } = call.query;
      const found = filterAbilities(await findAbilities(known, call.context), call.query);
      const shown = found.slice((page - 1) * perPage, page * perPage);
      const rows = shown.map((ability) => presentAbility(ability, call, context));
      return collection(rows, found.length, { page, perPage });
    },
    { permit },
  );
  registry.serve(getAbility, async (call) => item(presentAbility(await findAbility(call, known), call, 'view')), {
    permit,
  });
}

function permit({ caller, refuse }: AnyCall): void {
  if (!can(caller, 'read')) throw refuse('rest_forbidden', 'Abilities are for who signed in.');
}

/** The `abilities/v1` namespace: also what the other modules can do. */
export const abilities: NamespaceModule = {
  name: 'abilities',
  description: 'What the origin can do for a program, described so that a program can find it and run it.',
  namespaces: ['abilities/v1'],
  serve: (registry, modules) =>
    serveAbilities(
      registry,
      modules.flatMap(({ abilities: own = [] }) => own),
    ),
};
