import { digitalLinks } from './digital-link/digital-links.ts';
import { documents } from './documents/documents.ts';
import { feeds } from './feeds/feeds.ts';
import type { FileGenerator } from './generator.ts';
import { hosts } from './hosts/hosts.ts';
import { markdownFiles } from './markdown/markdown.ts';
import { transcripts } from './podcast/transcripts.ts';
import { records } from './records/records.ts';
import { searchNumbers, searchText } from './search/index.ts';
import { securityTxt } from './security-txt.ts';

/** The file by which search engines know that who announces changes may do so. */
const indexNow: FileGenerator = {
  name: 'indexnow',
  update: ({ settings: { options }, put }) => {
    if (options.indexNow) put(`${options.indexNow.key}.txt`, options.indexNow.key);
  },
};

/** The generators of a build, in the order in which they start. */
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

/** Those that have to do with every product: with many of them, threads make these. What takes longest comes first. */
export const LARGE_GENERATORS: readonly FileGenerator[] = [
  searchText,
  markdownFiles,
  feeds,
  records,
  digitalLinks,
  searchNumbers,
];
