import type { z } from 'zod';
import { navigationMenu } from '#contracts/core/index.ts';
import type { Shown } from '#origin/platform/http/transport/index.ts';
import { presentTexts } from '#origin/platform/http/present-fields.ts';
import { commonFields } from './common-fields.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { ContentView } from './content-view.ts';

/** A navigation menu as the wire shows it. */
export function presentNavigationMenu(
  row: ContentRow,
  view: ContentView,
): Promise<Shown<z.input<typeof navigationMenu>>> {
  return presentTexts(navigationMenu, commonFields(row, view), view);
}
