import { navigationMenu } from '../../../contracts/core/index.ts';
import { presentFields } from '../present-fields.ts';
import { commonFields } from './common-fields.ts';
import type { ContentRow } from './content-kind.ts';
import type { ContentView } from './content-view.ts';

/** A navigation menu as the wire shows it. */
export function presentNavigationMenu(row: ContentRow, view: ContentView): Record<string, unknown> {
  return presentFields(navigationMenu, commonFields(row, view), view);
}
