import { post, POST_META_KEYS } from '#contracts/core/index.ts';
import { presentTexts } from '#origin/platform/http/present-fields.ts';
import { commonFields } from './common-fields.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { ContentView } from './content-view.ts';

/** A post as the wire shows it. */
export function presentPost(row: ContentRow, view: ContentView): Promise<Record<string, unknown>> {
  const termIds = (taxonomy: string) =>
    (view.terms.get(row.id) ?? []).filter((term) => term.taxonomy === taxonomy).map(({ id }) => id);
  const makers = {
    ...commonFields(row, view),
    sticky: () => row.sticky,
    format: () => (row.format === '' ? 'standard' : row.format),
    meta: () => Object.fromEntries(POST_META_KEYS.map((key) => [key, row.meta[key] ?? ''])),
    categories: () => termIds('category'),
    tags: () => termIds('post_tag'),
  };
  return presentTexts(post, makers, view);
}
