import { listImagePaths } from '../images/image-path.ts';
import { findDocumentPaths } from './find-document-paths.ts';
import { readHead } from './read-head.ts';

/** Returns the distinct root-relative paths of images, documents and Vite assets that a text refers to. */
export function findReferences(text: string): string[] {
  const assets = new Set(text.match(/\/_astro\/[^"'\s)<>?#,\\]+/g));
  return [...listImagePaths(text), ...findDocumentPaths(text), ...assets];
}

/** @param json References as stored in the manifest. Undefined for unknown files. */
export function parseReferences(json: string | undefined): string[] {
  return json === undefined ? [] : (JSON.parse(json) as string[]);
}

/** Returns the data of a page that the next build needs instead of reading it again. */
export function scanPage(file: string, text: string): Pick<PageScan, 'head' | 'references'> {
  return {
    head: file.endsWith('.html') ? JSON.stringify(readHead(text)) : '',
    references: JSON.stringify(findReferences(text)),
  };
}

export interface PageScan {
  bytes: number;
  /** `ScannedHead` as JSON. Empty for feeds and other files. */
  head: string;
  /** References as returned by `findReferences`, in JSON. */
  references: string;
}
