import type { Settings } from '#config/index.ts';
import { countNoun } from '#contracts/index.ts';
import { languageCodes } from '#product-index/site-languages.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import type { Issue } from '#sync/report/collect-issues.ts';
import { ARTICLE_HEAD_ADVICE, checkArticleHeads, type ArticleHeadProblem } from './check-article-heads.ts';
import { formatHiddenCount, findHiddenLanguages } from './check-visibility.ts';
import { findDeadLinks, type DeadLink } from './find-dead-links.ts';
import { findAudioMismatches } from './find-audio-mismatches.ts';
import { findUntranslatedLanguages } from './find-untranslated-languages.ts';
import { findUnresolvedLinks } from './find-unresolved-links.ts';

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
    ...findUntranslatedLanguages(root, codes).map(({ code, file }): Issue => {
      const problem = `has no site texts, so buttons and headings on its pages are in ${options.mainLanguage}`;
      const advice = 'Translate the file of the main language in content/strings into the file named above.';
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
