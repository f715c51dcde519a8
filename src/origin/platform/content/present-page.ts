import type { z } from 'zod';
import { page, PAGE_META_KEYS } from '#contracts/core/index.ts';
import type { Shown } from '#origin/platform/http/transport/index.ts';
import { presentTexts } from '#origin/platform/http/present-fields.ts';
import { commonFields } from './common-fields.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { ContentView } from './content-view.ts';

/** A page as the wire shows it. */
export function presentPage(row: ContentRow, view: ContentView): Promise<Shown<z.input<typeof page>>> {
  return presentTexts(
    page,
    {
      ...commonFields(row, view),
      parent: () => row.parentId,
      menu_order: () => row.menuOrder,
      meta: () => Object.fromEntries(PAGE_META_KEYS.map((key) => [key, row.meta[key] ?? ''])),
      level: () => view.levels?.get(row.id),
    },
    view,
  );
}
