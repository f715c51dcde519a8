import type { z } from 'zod';
import {
  blockPattern,
  blockPatternCategory,
  type listBlockPatternCategories,
  type listBlockPatterns,
} from '#contracts/core/editor.ts';
import { context } from '#contracts/core/field.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { item, type ResultOf, type AnyCall, type SelectedFields } from '#origin/platform/http/transport/call.ts';
import { emptySelection, presentValues } from '#origin/platform/http/present-fields.ts';
import { BLOCK_PATTERN_CATEGORIES, BLOCK_PATTERNS } from '#origin/platform/site/block-pattern-set.ts';

/** Requires the right to edit posts. */
export function authorizePatterns({ caller, refuse }: AnyCall<'rest_cannot_view'>): void {
  if (!can(caller, 'edit_posts')) throw refuse('rest_cannot_view', 'You are not allowed to view block patterns.');
}

/** Lists all patterns. `context` is not a declared parameter but has an effect: an invalid value yields no fields. */
export function handleListPatterns(call: AnyCall): ResultOf<typeof listBlockPatterns> {
  return item(BLOCK_PATTERNS.map((pattern) => present(blockPattern, pattern, call)));
}

export function handleListPatternCategories(call: AnyCall): ResultOf<typeof listBlockPatternCategories> {
  return item(BLOCK_PATTERN_CATEGORIES.map((category) => present(blockPatternCategory, category, call)));
}

function present<S extends z.ZodObject>(resource: S, values: z.input<S>, call: AnyCall): SelectedFields<z.input<S>> {
  const parsed = context.safeParse(call.others['context'] ?? 'view');
  return parsed.success ? presentValues(resource, values, { context: parsed.data, call }) : emptySelection();
}
