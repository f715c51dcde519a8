import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { numberedPath, familyPath, productPath, productsPath } from '#catalogue/addresses/paths.ts';
import type { SnapshotReader } from '#snapshot/index.ts';

/** A link in a local page to something that is no longer in the catalogue. */
export interface DeadLink {
  /** `content/pages/de-de/home.mdx:8`. */
  place: string;
  link: string;
  target: 'family' | 'product';
}

export interface DeadLinks {
  links: DeadLink[];
  /** Files whose links to families and products are all dead, such as a page of the demo: listed once, not per link. */
  pages: string[];
}

const FOLDER = 'content/pages';
/** Matches links in Markdown and in attribute values. */
const LINK = /(?:\]\(|["'])(\/[^\s"'()<>{}]+)/g;

/**
 * Finds links in the project's pages to families and products that are not in the snapshot.
 *
 * @param root Folder of the project.
 */
export function findDeadLinks(
  root: string,
  snapshot: Pick<SnapshotReader, 'families' | 'languagesOf'>,
  languages: readonly string[],
): DeadLinks {
  const folder = path.join(root, FOLDER);
  if (!existsSync(folder)) return { links: [], pages: [] };
  const families = new Set(snapshot.families().map(({ id }) => id));
  const targetOf = (link: string): Target | undefined => {
    const family = languages.map((language) => segmentAfter(link, familyPath(language, MARK))).find(Boolean);
    if (family) return family === PAGES ? undefined : { target: 'family', isDead: !families.has(family) };
    const slug = languages.map((language) => segmentAfter(link, productPath(language, MARK))).find(Boolean);
    const gtin = /\d{13}$/.exec(slug ?? '')?.[0];
    return gtin === undefined ? undefined : { target: 'product', isDead: snapshot.languagesOf(gtin).length === 0 };
  };
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.mdx?$/.test(file));
  const found: DeadLinks = { links: [], pages: [] };
  for (const file of files.toSorted()) {
    const page = `${FOLDER}/${file.split(path.sep).join('/')}`;
    const links = readFileSync(path.join(folder, file), 'utf8')
      .split('\n')
      .flatMap((line, i) =>
        [...line.matchAll(LINK)].flatMap(([, link = '']) => {
          const target = targetOf(link);
          return target ? [{ place: `${page}:${i + 1}`, link, ...target }] : [];
        }),
      );
    const dead = links.filter(({ isDead }) => isDead).map(({ place, link, target }) => ({ place, link, target }));
    if (dead.length > 1 && dead.length === links.length) found.pages.push(page);
    else found.links.push(...dead);
  }
  return found;
}

interface Target {
  target: DeadLink['target'];
  isDead: boolean;
}

const MARK = '*';
/** Segment of the paginated product list in place of a family. */
const PAGES = segmentAfter(numberedPath(productsPath('x'), 2), familyPath('x', MARK));

/** Returns the segment of a link at the position of the mark; undefined for other kinds of links. */
function segmentAfter(link: string, pattern: string): string | undefined {
  const [start = ''] = pattern.split(MARK, 1);
  if (!link.startsWith(start)) return undefined;
  return link.slice(start.length).split(/[/?#]/, 1)[0];
}
