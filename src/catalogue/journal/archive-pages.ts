import type { PostEntry } from '#model/entries.ts';
import { archiveCounterparts } from './archive-counterparts.ts';
import { journalArchives, type JournalArchive } from './journal-archives.ts';
import { POSTS_PER_PAGE } from './journal-pages.ts';
import type { Site } from '../site/load-site.ts';
import { numberedPath } from '../addresses/numbered-path.ts';
import { pageList, type PageOfList } from '../site/page-list.ts';
import { archivePath } from '../addresses/paths.ts';

export interface ArchivePage extends PageOfList<PostEntry> {
  archive: JournalArchive;
}

/** The pages of all archives of the journal in a language. */
export function archivePages(site: Pick<Site, 'posts'>, language: string): ArchivePage[] {
  return journalArchives(site, language).flatMap((archive) =>
    pageList(archive.posts, POSTS_PER_PAGE).map((page) => ({ archive, ...page })),
  );
}

/** Language -> path of the same page of the archive, as far as there is one. */
export function archivePagePaths(
  site: Pick<Site, 'posts' | 'languages'>,
  language: string,
  { archive, number }: Pick<ArchivePage, 'archive' | 'number'>,
): Record<string, string> {
  const counterparts = Object.entries(archiveCounterparts(site, language, archive));
  const long = counterparts.filter(([, { posts }]) => posts.length > (number - 1) * POSTS_PER_PAGE);
  return Object.fromEntries(
    long.map(([code, { kind, id }]) => [code, numberedPath(archivePath(code, kind, id), number)]),
  );
}
