import { sectionLetter } from '#catalogue/directory/directory-view.ts';
import type { Ui } from '#i18n/index.ts';

/** Returns the heading of a section of the A–Z list. */
export function sectionName(ui: Ui, section: string): string {
  return sectionLetter(section) ?? ui.t('directory.signs');
}
