import { blockPattern, blockPatternCategory, context } from '#contracts/core/index.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { item, refuse, type Answer, type AnyCall } from '#origin/platform/http/transport/index.ts';
import { presentFields } from '#origin/platform/http/present-fields.ts';
import { BLOCK_PATTERN_CATEGORIES, BLOCK_PATTERNS } from '#origin/platform/site/block-pattern-set.ts';

/** Patterns are for who writes. */
export function permitPatterns({ caller }: AnyCall): void {
  if (!can(caller, 'edit_posts')) throw refuse(caller, 'rest_cannot_view', 'You may not see patterns of blocks.');
}

/** Every pattern. A context is not declared, and heeded all the same: in one that is none nothing is shown. */
export function answerPatterns(call: AnyCall): Answer {
  return item(BLOCK_PATTERNS.map((pattern) => present(blockPattern, pattern, call)));
}

/** Every category of patterns. */
export function answerPatternCategories(call: AnyCall): Answer {
  return item(BLOCK_PATTERN_CATEGORIES.map((category) => present(blockPatternCategory, category, call)));
}

function present(
  resource: typeof blockPattern | typeof blockPatternCategory,
  values: Readonly<Record<string, unknown>>,
  call: AnyCall,
): unknown {
  const shown = context.safeParse(call.others['context'] ?? 'view');
  if (!shown.success) return [];
  const makers = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, () => value]));
  return presentFields(resource, makers, { context: shown.data, call });
}
