import type { z } from 'zod';
import { post, POST_META_KEYS } from '#contracts/core/index.ts';
import type { Shown } from '#origin/platform/http/transport/index.ts';
import { presentTexts } from '#origin/platform/http/present-fields.ts';
import { commonFields } from './common-fields.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { ContentView } from './content-view.ts';

/** A post as the wire shows it. */
export function presentPost(row: ContentRow, view: ContentView): Promise<Shown<z.input<typeof post>>> {
  const termIds = (taxonomy: string) =>
    (view.terms.get(row.id) ?? []).filter((term) => term.taxonomy === taxonomy).map(({ id }) => id);
  return presentTexts(
    post,
    {
      ...commonFields(row, view),
      sticky: () => row.sticky,
      format: () => (row.format === '' ? 'standard' : row.format),
      meta: () => Object.fromEntries(POST_META_KEYS.map((key) => [key, row.meta[key] ?? ''])),
      categories: () => termIds('category'),
      tags: () => termIds('post_tag'),
      // Of servers with such fields; this one keeps none.
      custom_fields_html: () => undefined,
    },
    view,
  );
}
