import type { RegisterPage } from '../port/register.ts';
import type { Site } from '../site/load-site.ts';
import { numberedPath } from '../addresses/numbered-path.ts';
import { registerPath } from '../addresses/paths.ts';

type Place = Pick<RegisterPage, 'list' | 'section' | 'number'>;

/** What a page of a table of all products says of the others. */
export interface RegisterView {
  /** How many pages there are in its section. */
  total: number;
  /** Letters of the A-Z list. */
  sections: string[];
  /** Pages of its section to jump to, by what their rows begin and end with. */
  ranges: { number: number; first: string; last: string }[];
}

/** More of them would fill the page; the others are a step away. */
const MAX_RANGES = 40;

export function registerView(
  site: Pick<Site, 'registerPages'>,
  language: string,
  { list, section }: Pick<Place, 'list' | 'section'>,
): RegisterView {
  const pages = sectionsOf(site.registerPages(language)).get(`${list}/${section}`) ?? [];
  const step = Math.ceil(pages.length / MAX_RANGES);
  const ranges = pages.flatMap(({ number, first, last }, i) =>
    i % step === 0 ? [{ number, first, last: pages[Math.min(i + step, pages.length) - 1]?.last ?? last }] : [],
  );
  return {
    total: pages.length,
    sections: list === 'names' ? registerSections(site, language) : [],
    ranges: pages.length > 1 ? ranges : [],
  };
}

/** Letters that names begin with. */
export function registerSections(site: Pick<Site, 'registerPages'>, language: string): string[] {
  return [...sectionsOf(site.registerPages(language)).values()].flatMap(([page]) =>
    page?.list === 'names' ? [page.section] : [],
  );
}

/** Language -> path of the same page, as far as there is one. */
export function registerPaths(
  site: Pick<Site, 'registerPages' | 'languages'>,
  { list, section, number }: Place,
): Record<string, string> {
  return Object.fromEntries(
    site.languages
      .filter(({ code }) => {
        const pages = sectionsOf(site.registerPages(code)).get(`${list}/${section}`) ?? [];
        return pages.length >= number;
      })
      .map(({ code }) => [code, numberedPath(registerPath(code, list, section), number)]),
  );
}

const grouped = new WeakMap<readonly RegisterPage[], Map<string, RegisterPage[]>>();

/** Pages by list and section: a large catalogue has thousands of them. */
function sectionsOf(pages: readonly RegisterPage[]): Map<string, RegisterPage[]> {
  const known = grouped.get(pages) ?? Map.groupBy(pages, ({ list, section }) => `${list}/${section}`);
  grouped.set(pages, known);
  return known;
}
