import { searchNumbers, searchText } from '../search/index.ts';
import { digitalLink } from './digital-link/digital-link.ts';
import { documents } from './documents/documents.ts';
import { hostOutput } from './host-output.ts';
import { markdownOutput } from './markdown-output.ts';
import type { Output } from './output.ts';
import { securityOutput } from './security-output.ts';

/** Everything that a build puts beside its pages, in the order in which it is made. */
export const OUTPUTS: readonly Output[] = [
  hostOutput,
  securityOutput,
  markdownOutput,
  digitalLink,
  documents,
  searchNumbers,
  searchText,
];
