import type { Settings } from '#config/index.ts';
import { countNoun, findMediaFile } from '#contracts/index.ts';
import { languageCodes } from '#catalogue/read-model/with-snapshot.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import type { Issue } from '#sync/report/collect-issues.ts';
import {
  ARTICLE_HEAD_ADVICE,
  checkArticleHeads,
  type ArticleHeadProblem,
  formatHiddenCount,
  findHiddenLanguages,
} from './check-article-heads.ts';
import { shortPlayTime } from '#contracts/podcast/play-time.ts';
import { tokenizeHtml } from '#contracts/html/html-text.ts';
import { pathsBelow } from '#contracts/site-paths.ts';
import { toEpisodeArticle } from '#catalogue/read-model/content-paths.ts';
import { readArticles, siteAddresses } from '#catalogue/read-model/articles.ts';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findUntranslatedLanguages } from './build-warnings.ts';
import { numberedPath, familyPath, productPath, productsPath } from '#catalogue/addresses/paths.ts';

/**
 * Inspects a site for problems: dead links, missing texts, audio metadata that differs from the files, and pages that
 * search results or shared links show badly.
 *
 * @param selectLinks Selects the dead links to report. Default: all.
 */
export function inspectSite(
  { root, options }: Pick<Settings, 'root' | 'options'>,
  snapshot: SnapshotReader,
  selectLinks: (found: DeadLink[]) => DeadLink[] = (found) => found,
): Issue[] {
  const codes = languageCodes(snapshot, options);
  const { links, pages } = findDeadLinks(root, snapshot, codes);
  return [
    ...pages.map((page): Issue => {
      const problem = 'links only to families and products that are not in the catalogue';
      const advice = 'Delete the page if it is left over from the demo; otherwise correct its links.';
      return { kind: 'local-page', id: page, field: '', problem, advice };
    }),
    ...selectLinks(links).map(({ place, link, target }): Issue => {
      const problem = `the ${target} that it links to is not in the catalogue`;
      const advice = `Correct the link, or put the ${target} back into the assortment.`;
      return { kind: 'local', id: place, field: '', problem, advice, shown: link };
    }),
    ...findUntranslatedLanguages(root, codes).map(({ code, file, missing }): Issue => {
      const problem =
        missing === undefined
          ? `has no site texts, so buttons and headings on its pages are in ${options.mainLanguage}`
          : `lacks ${countNoun(missing, 'site text')}, which its pages show in another language`;
      const advice =
        missing === undefined
          ? `Run \`npm run strings -- add ${code}\` and translate the file named above.`
          : 'Translate them in the file named above; `npm run strings` lists them.';
      return { kind: 'language', id: code, field: '', problem, advice, shown: file };
    }),
    ...findHiddenLanguages({ options }, snapshot).map((found): Issue => {
      const { language, problem, advice } = found;
      const shown = formatHiddenCount(found);
      return { kind: 'language', id: language, field: '', problem: `has pages that ${problem}`, advice, shown };
    }),
    ...[...findAudioMismatches(snapshot)].map(({ episode, address, problem }): Issue => {
      const advice = 'Verify the file again at the publishing site, or replace it with the right one.';
      return { kind: 'episode', id: String(episode), field: 'audio', problem, advice, shown: address };
    }),
    ...[...findUnresolvedLinks({ options }, snapshot)].map(({ kind, id, links }): Issue => {
      const problem = `has ${countNoun(links.length, 'link')} to the publishing site without a page on this one`;
      const advice = 'Correct or remove the links: they take visitors to the publishing site.';
      return { kind, id: String(id), field: 'content', problem, advice, shown: links.slice(0, 3).join(' ') };
    }),
    ...Object.entries(checkArticleHeads({ options }, snapshot).found).flatMap(([name, places]) => {
      const { problem, advice } = ARTICLE_HEAD_ADVICE[name as ArticleHeadProblem];
      return places.map(({ path, detail }): Issue => ({
        kind: 'head',
        id: path,
        field: '',
        problem,
        advice,
        shown: detail,
      }));
    }),
  ];
}

/** Encoders add silence at both ends, and the duration of variable bit rates is an estimate. */
const MAX_DIFFERENCE_MS = 3000;
const MAX_DIFFERENCE_SHARE = 0.02;

/** Finds audio files whose size or duration differs from the publishing site's metadata, where both are known. */
export function* findAudioMismatches(snapshot: Pick<SnapshotReader, 'records' | 'asset'>) {
  for (const { id, audio, durationMs } of snapshot.records('episode')) {
    for (const { url, bytes } of audio) {
      const asset = snapshot.asset(url, 'audio');
      const measuredMs = Number(asset?.details?.['durationMs'] ?? 0);
      if (bytes > 0 && asset?.bytes !== undefined && asset.bytes !== bytes)
        yield { episode: id, address: url, problem: `has ${asset.bytes} bytes instead of the announced ${bytes}` };
      const allowedMs = Math.max(MAX_DIFFERENCE_MS, durationMs * MAX_DIFFERENCE_SHARE);
      if (durationMs > 0 && measuredMs > 0 && Math.abs(measuredMs - durationMs) > allowedMs) {
        const [lasts, said] = [measuredMs, durationMs].map(shortPlayTime);
        yield { episode: id, address: url, problem: `lasts ${lasts} instead of the announced ${said}` };
      }
    }
  }
}

/**
 * Finds links of posts, pages and episodes to the publishing site without a matching page on this site. Excludes linked
 * files: the sync reports those that it can't fetch.
 */
function* findUnresolvedLinks({ options }: Pick<Settings, 'options'>, snapshot: SnapshotReader) {
  const addresses = siteAddresses(snapshot);
  const isPublishingSite = (address: string) => {
    const url = URL.parse(address);
    return url !== null && pathsBelow(url, addresses).some(({ isExact }) => isExact);
  };
  const { posts, pages, episodes, context } = readArticles({
    snapshot,
    options,
    languages: languageCodes(snapshot, options),
  });
  const texts = [
    ...posts.map((post) => ['post', post.record.id, post] as const),
    ...pages.map((page) => ['page', page.record.id, page] as const),
    ...episodes.map((episode) => ['episode', episode.record.id, toEpisodeArticle(episode)] as const),
  ];
  for (const [kind, id, article] of texts) {
    const links = new Set<string>();
    for (const piece of tokenizeHtml(article.record.html)) {
      const href = piece.kind === 'open' && piece.name === 'a' ? piece.attributes.get('href') : undefined;
      if (href === undefined || !isPublishingSite(href) || findMediaFile(href)) continue;
      if (context.resolveLink(href, article.language) === undefined) links.add(href);
    }
    if (links.size > 0) yield { kind, id, links: [...links] };
  }
}

/** A link in a local page to something that is no longer in the catalogue. */
export interface DeadLink {
  /** `content/pages/de-de/home.mdx:8`. */
  place: string;
  link: string;
  target: 'family' | 'product';
}

interface DeadLinks {
  links: DeadLink[];
  /** Files whose links to families and products are all dead, such as a page of the demo: listed once, not per link. */
  pages: string[];
}

const FOLDER = 'content/pages';
/** Matches links in Markdown and in attribute values. */
const LINK = /(?:\]\(|["'])(\/[^\s"'()<>{}]+)/g;

/** Finds links in the project's pages to families and products that are not in the snapshot. */
export function findDeadLinks(
  root: string,
  snapshot: Pick<SnapshotReader, 'families' | 'languagesOf'>,
  languages: readonly string[],
): DeadLinks {
  const folder = path.join(root, FOLDER);
  if (!existsSync(folder)) return { links: [], pages: [] };
  const families = new Set(snapshot.families().map(({ id }) => id));
  const targetOf = (link: string): { target: DeadLink['target']; isDead: boolean } | undefined => {
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

const MARK = '*';
/** Segment of the paginated product list in place of a family. */
const PAGES = segmentAfter(numberedPath(productsPath('x'), 2), familyPath('x', MARK));

/** Returns the segment of a link at the position of the mark; undefined for other kinds of links. */
function segmentAfter(link: string, pattern: string): string | undefined {
  const [start = ''] = pattern.split(MARK, 1);
  if (!link.startsWith(start)) return undefined;
  return link.slice(start.length).split(/[/?#]/, 1)[0];
}
