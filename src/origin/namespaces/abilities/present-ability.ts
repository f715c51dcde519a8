import { z } from 'zod';
import {
  ability as abilityResource,
  abilityCategory,
  listAbilities,
  listAbilityCategories,
} from '#contracts/abilities.ts';
import type { Context } from '#contracts/core/field.ts';
import { presentFields } from '#origin/platform/http/present-fields.ts';
import type { AnyCall, SelectedFields } from '#origin/platform/http/transport/index.ts';
import { describeParameter } from '#origin/platform/http/transport/describe-parameter.ts';
import type { Ability } from '#origin/platform/abilities/ability.ts';

/** Converts an ability to JSON. */
export function presentAbility(
  ability: Ability,
  call: AnyCall,
  context: Context,
): SelectedFields<z.input<typeof abilityResource>> {
  const base = call.addresses.rest(listAbilities.path);
  const self = `${base}/${ability.name}`;
  return presentFields(
    abilityResource,
    {
      name: () => ability.name,
      label: () => ability.label,
      description: () => ability.description,
      category: () => ability.category,
      input_schema: () => describeInput(ability.input),
      output_schema: () => ({ ...describeParameter(ability.output) }),
      meta: () => abilityMeta(ability),
      _links: () => ({
        self: [{ href: self, targetHints: { allow: ['GET'] } }],
        collection: [{ href: base }],
        'wp:action-run': [{ href: `${self}/run` }],
      }),
    },
    { context, call },
  );
}

/** Converts an ability category to JSON. */
export function presentAbilityCategory(
  { slug, label, description }: { slug: string; label: string; description: string },
  call: AnyCall,
  context: Context,
): SelectedFields<z.input<typeof abilityCategory>> {
  const base = call.addresses.rest(listAbilityCategories.path);
  return presentFields(
    abilityCategory,
    {
      slug: () => slug,
      label: () => label,
      description: () => description,
      meta: () => [] as [],
      _links: () => ({
        self: [{ href: `${base}/${slug}`, targetHints: { allow: ['GET'] } }],
        collection: [{ href: base }],
        abilities: [{ href: `${call.addresses.rest(listAbilities.path)}?category=${slug}` }],
      }),
    },
    { context, call },
  );
}

export function abilityMeta({ annotations }: Ability) {
  return { annotations, public: true, show_in_rest: true };
}

/** Describes the input as JSON schema, including its default. */
function describeInput(input: z.ZodType): Record<string, unknown> {
  if (!(input instanceof z.ZodDefault)) return { ...describeParameter(input) };
  return { ...describeParameter(input.unwrap() as z.ZodType), default: input.parse(undefined) };
}
