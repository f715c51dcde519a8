import type { EditedHead } from '#model/edited-head.ts';
import type { LanguageChoice } from '../languages/label-languages.ts';
import type { Site } from '../site/site.ts';

type Heads = Pick<Site, 'head'>;

/** The head that the publishing site has for a page; all pages of a list have that of the first. */
export function editedHeadOf(site: Heads, { path, number = 1 }: { path: string; number?: number | undefined }) {
  return site.head(number === 1 ? path : path.replace(/page\/\d+\/$/, ''));
}

/** Whether an editor keeps a page from those who don't know it: feeds, search engines, programs that read. */
export function isHidden(site: Heads, path: string): boolean {
  return site.head(path)?.robots.includes('noindex') === true;
}

/** What nobody hides of it, for whatever lists posts, pages or episodes to programs. */
export function listed<T extends { path: string }>(site: Heads, entries: readonly T[]): readonly T[] {
  const shown = entries.filter(({ path }) => !isHidden(site, path));
  // The same list, where nothing is hidden: what was counted for it once stays known.
  return shown.length === entries.length ? entries : shown;
}

/** What a page is called in trails: what its editor says, or else its title. */
export function nameInTrail(site: Heads, { path, title }: { path: string; title: string }): string {
  return site.head(path)?.breadcrumbTitle || title;
}

/** The languages to choose from, of which only pages that stand for themselves count as versions of each other. */
export function listedChoices(site: Heads, choices: readonly LanguageChoice[]): LanguageChoice[] {
  return choices.map((choice) => ({
    ...choice,
    alternate: choice.alternate && standsForItself(site.head(choice.path)),
  }));
}

function standsForItself(head: EditedHead | undefined): boolean {
  return head === undefined || (!head.robots.includes('noindex') && head.canonical === undefined);
}
