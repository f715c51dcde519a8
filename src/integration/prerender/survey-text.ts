import { listImagePaths } from '../images/image-path.ts';
import { findDocumentPaths } from '../site/find-document-paths.ts';
import { readHead } from '../site/read-head.ts';
import type { FileReferences } from './page-ledger.ts';

/** Where Vite puts what it makes. */
export const ASSET_PREFIX = '/_astro/';

/** What a built text refers to. */
export function findReferences(text: string): FileReferences {
  return {
    images: listImagePaths(text),
    documents: findDocumentPaths(text),
    assets: text.includes(ASSET_PREFIX) ? [...new Set(text.match(/\/_astro\/[^"'\s)<>?#,\\]+/g))] : [],
  };
}

/** What the next build has to know of a page, so that it needn't read it again. */
export function surveyPage(file: string, text: string): Pick<RenderedPage, 'head' | 'references'> {
  return {
    head: file.endsWith('.html') ? JSON.stringify(readHead(text)) : '',
    references: JSON.stringify(findReferences(text)),
  };
}

export interface RenderedPage {
  bytes: number;
  /** `PageHead` as JSON; empty for what is no page but a feed or the like. */
  head: string;
  /** `FileReferences` as JSON. */
  references: string;
  /** False when the file was as it is already. */
  written: boolean;
}
