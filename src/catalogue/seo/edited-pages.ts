import type { HeadEntry } from '#model/head-entry.ts';
import type { LanguageChoice } from '../languages/label-languages.ts';
import type { Site } from '../site/site.ts';

type Heads = Pick<Site, 'head'>;

/** Returns the imported head of a page. All pages of a list share that of the first. */
export function findEditedHead(site: Heads, { path, number = 1 }: { path: string; number?: number | undefined }) {
  return site.head(number === 1 ? path : path.replace(/page\/\d+\/$/, ''));
}

/** True if an editor hides a page from feeds, search engines and other programs. */
export function isHidden(site: Heads, path: string): boolean {
  return site.head(path)?.robots.includes('noindex') === true;
}

/** Removes hidden posts, pages or episodes from a list for programs. */
export function withoutHidden<T extends { path: string }>(site: Heads, entries: readonly T[]): readonly T[] {
  const visible = entries.filter(({ path }) => !isHidden(site, path));
  // Returns the same list if nothing is hidden, because results are cached per list.
  return visible.length === entries.length ? entries : visible;
}

/** Returns the name of a page in breadcrumbs: the one set by an editor, else its title. */
export function breadcrumbName(site: Heads, { path, title }: { path: string; title: string }): string {
  return site.head(path)?.breadcrumbTitle || title;
}

/** Returns language choices without `alternate` for hidden pages and for pages with another canonical URL. */
export function canonicalChoices(site: Heads, choices: readonly LanguageChoice[]): LanguageChoice[] {
  return choices.map((choice) => ({
    ...choice,
    alternate: choice.alternate && isCanonical(site.head(choice.path)),
  }));
}

function isCanonical(head: HeadEntry | undefined): boolean {
  return head === undefined || (!head.robots.includes('noindex') && head.canonical === undefined);
}
