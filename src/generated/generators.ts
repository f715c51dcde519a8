import { searchNumbers, searchText } from './search/index.ts';
import { digitalLinks } from './digital-link/digital-links.ts';
import { documents } from './documents/documents.ts';
import { feeds } from './feeds/feeds.ts';
import { hosts } from './hosts/hosts.ts';
import { indexNow } from './index-now.ts';
import { markdownFiles } from './markdown/markdown.ts';
import type { FileGenerator } from './generator.ts';
import { records } from './records/records.ts';
import { securityTxt } from './security-txt.ts';

/** Everything that a build puts beside its pages, in the order in which it is made. */
export const GENERATORS: readonly FileGenerator[] = [
  digitalLinks,
  feeds,
  records,
  hosts,
  securityTxt,
  indexNow,
  markdownFiles,
  documents,
  searchNumbers,
  searchText,
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
