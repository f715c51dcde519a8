import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { numberedPath } from '#catalogue/addresses/numbered-path.ts';
import { familyPath, productPath, productsPath } from '#catalogue/addresses/paths.ts';
import type { SnapshotReader } from '#snapshot/index.ts';

/** A link in a local page to something that is no longer in the catalogue. */
export interface DeadLink {
  /** `content/pages/de-de/home.mdx:8`. */
  place: string;
  link: string;
  /** What it leads to. */
  target: 'family' | 'product';
}

export interface DeadLinks {
  links: DeadLink[];
  /** Files whose links to families and products are all dead, such as a page of the demo: named once, not per link. */
  pages: string[];
}

const FOLDER = 'content/pages';
/** In Markdown, and as the value of an attribute. */
const LINK = /(?:\]\(|["'])(\/[^\s"'()<>{}]+)/g;

/**
 * Finds links to families and products that the snapshot doesn't know, in the pages that are written in the project.
 * @param root The project's folder.
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
/** What stands where a family would in the further pages of the list of all products. */
const PAGES = segmentAfter(numberedPath(productsPath('x'), 2), familyPath('x', MARK));

/** What a link has where a pattern has the mark; undefined when it is another kind of link. */
function segmentAfter(link: string, pattern: string): string | undefined {
  const [start = ''] = pattern.split(MARK, 1);
  if (!link.startsWith(start)) return undefined;
  return link.slice(start.length).split(/[/?#]/, 1)[0];
}
