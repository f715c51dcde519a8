import { digitalLinks } from './digital-link/digital-links.ts';
import { documents } from './documents/documents.ts';
import { feeds } from './feeds/feeds.ts';
import type { FileGenerator } from './generator.ts';
import { hosts } from './hosts/hosts.ts';
import { markdownFiles } from './markdown/markdown.ts';
import { transcripts } from './podcast/transcripts.ts';
import { records } from './records/records.ts';
import { searchNumbers, searchText } from './search/search-text.ts';
import { securityTxt } from './finish-site.ts';

/** Key file that authorises change notifications to search engines (https://www.indexnow.org). */
const indexNow: FileGenerator = {
  name: 'indexnow',
  update: ({ settings: { options }, put }) => {
    if (options.indexNow) put(`${options.indexNow.key}.txt`, options.indexNow.key);
  },
};

/** Generators of a build in their start order. */
export const GENERATORS: readonly FileGenerator[] = [
  searchText,
  digitalLinks,
  feeds,
  records,
  hosts,
  securityTxt,
  indexNow,
  markdownFiles,
  documents,
  transcripts,
  searchNumbers,
];

/** Generators that process every product. With many products they run in threads, the slowest first. */
export const LARGE_GENERATORS: readonly FileGenerator[] = [
  searchText,
  markdownFiles,
  feeds,
  records,
  digitalLinks,
  searchNumbers,
];
