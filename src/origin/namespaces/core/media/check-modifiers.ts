import { cropModifier, flipModifier, rotateModifier } from '#contracts/core/image-modifiers.ts';
import type { ParameterCheck } from '#origin/platform/http/transport/index.ts';

const MAX_MODIFIERS = 50;
const FORMS = [flipModifier, rotateModifier, cropModifier];

/** Says what is wrong with the edits of a picture the way the interface does: what fits no form is held against the first. */
export const checkModifiers: ParameterCheck = (sent) => {
  if (!Array.isArray(sent)) return undefined;
  if (sent.length > MAX_MODIFIERS)
    return { code: 'rest_too_many_items', text: `modifiers must hold at most ${MAX_MODIFIERS} items.` };
  for (const [position, modifier] of sent.entries()) {
    if (typeof modifier !== 'object' || modifier === null) return undefined;
    const missing = ['type', 'args'].find((name) => !(name in modifier));
    if (missing !== undefined)
      return { code: 'rest_property_required', text: `${missing} is a required property of modifiers[${position}].` };
    if (FORMS.some((form) => form.safeParse(modifier).success)) continue;
    const text = `modifiers[${position}] fits neither flip nor rotate nor crop.`;
    return { code: 'rest_no_matching_schema', text, data: { position: 0 } };
  }
  return undefined;
};
