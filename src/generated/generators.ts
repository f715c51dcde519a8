import { searchNumbers, searchText } from './search/index.ts';
import { digitalLinks } from './digital-link/digital-links.ts';
import { documents } from './documents/documents.ts';
import { feeds } from './feeds/feeds.ts';
import { hostOutput } from './hosts/hosts.ts';
import { indexNowOutput } from './index-now.ts';
import { markdownOutput } from './markdown/markdown.ts';
import type { Output } from './generator.ts';
import { records } from './records/records.ts';
import { securityOutput } from './security-txt.ts';

/** Everything that a build puts beside its pages, in the order in which it is made. */
export const OUTPUTS: readonly Output[] = [
  digitalLinks,
  feeds,
  records,
  hostOutput,
  securityOutput,
  indexNowOutput,
  markdownOutput,
  documents,
  searchNumbers,
  searchText,
];

/** Those that have to do with every product: with many of them, threads make these. What takes longest comes first. */
export const LARGE_OUTPUTS: readonly Output[] = [
  searchText,
  markdownOutput,
  feeds,
  records,
  digitalLinks,
  searchNumbers,
];
