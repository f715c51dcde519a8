import type { z } from 'zod';
import {
  blockPattern,
  blockPatternCategory,
  context,
  type listBlockPatternCategories,
  type listBlockPatterns,
} from '#contracts/core/index.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { item, type ResultOf, type AnyCall, type SelectedFields } from '#origin/platform/http/transport/index.ts';
import { emptySelection, presentValues } from '#origin/platform/http/present-fields.ts';
import { BLOCK_PATTERN_CATEGORIES, BLOCK_PATTERNS } from '#origin/platform/site/block-pattern-set.ts';

/** Patterns are for who writes. */
export function permitPatterns({ caller, refuse }: AnyCall<'rest_cannot_view'>): void {
  if (!can(caller, 'edit_posts')) throw refuse('rest_cannot_view', 'You may not see patterns of blocks.');
}

/** Every pattern. A context is not declared, and heeded all the same: in one that is none nothing is shown. */
export function answerPatterns(call: AnyCall): ResultOf<typeof listBlockPatterns> {
  return item(BLOCK_PATTERNS.map((pattern) => present(blockPattern, pattern, call)));
}

/** Every category of patterns. */
export function answerPatternCategories(call: AnyCall): ResultOf<typeof listBlockPatternCategories> {
  return item(BLOCK_PATTERN_CATEGORIES.map((category) => present(blockPatternCategory, category, call)));
}

function present<S extends z.ZodObject>(resource: S, values: z.input<S>, call: AnyCall): SelectedFields<z.input<S>> {
  const shown = context.safeParse(call.others['context'] ?? 'view');
  return shown.success ? presentValues(resource, values, { context: shown.data, call }) : emptySelection();
}
