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

const FOLDER = 'content/pages';
/** In Markdown, and as the value of an attribute. */
const LINK = /(?:\]\(|["'])(\/[^\s"'()<>{}]+)/g;

/**
 * Links in the pages that are written in the project, to families and products that the snapshot doesn't know.
 * @param root The project's folder.
 */
export function findDeadLinks(
  root: string,
  snapshot: Pick<SnapshotReader, 'families' | 'languagesOf'>,
  languages: readonly string[],
): DeadLink[] {
  const folder = path.join(root, FOLDER);
  if (!existsSync(folder)) return [];
  const families = new Set(snapshot.families().map(({ id }) => id));
  const isDead = (link: string): DeadLink['target'] | undefined => {
    const family = languages.map((language) => segmentAfter(link, familyPath(language, MARK))).find(Boolean);
    if (family) return families.has(family) || family === PAGES ? undefined : 'family';
    const slug = languages.map((language) => segmentAfter(link, productPath(language, MARK))).find(Boolean);
    const gtin = /\d{13}$/.exec(slug ?? '')?.[0];
    return gtin === undefined || snapshot.languagesOf(gtin).length > 0 ? undefined : 'product';
  };
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.mdx?$/.test(file));
  return files.toSorted().flatMap((file) =>
    readFileSync(path.join(folder, file), 'utf8')
      .split('\n')
      .flatMap((line, i) =>
        [...line.matchAll(LINK)].flatMap(([, link = '']): DeadLink[] => {
          const target = isDead(link);
          const place = `${FOLDER}/${file.split(path.sep).join('/')}:${i + 1}`;
          return target ? [{ place, link, target }] : [];
        }),
      ),
  );
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
