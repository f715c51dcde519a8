import { listImagePaths } from '../images/image-path.ts';
import { findDocumentPaths } from './find-document-paths.ts';
import { readHead } from './read-head.ts';

/** Root-relative paths of the pictures, documents and files of Vite that a built text refers to, each once. */
export function findReferences(text: string): string[] {
  const assets = new Set(text.match(/\/_astro\/[^"'\s)<>?#,\\]+/g));
  return [...listImagePaths(text), ...findDocumentPaths(text), ...assets];
}

/** @param json As the manifest keeps them; undefined of a file that it doesn't know. */
export function readReferences(json: string | undefined): string[] {
  return json === undefined ? [] : (JSON.parse(json) as string[]);
}

/** What the next build has to know of a page, so that it needn't read it again. */
export function scanPage(file: string, text: string): Pick<RenderedPage, 'head' | 'references'> {
  return {
    head: file.endsWith('.html') ? JSON.stringify(readHead(text)) : '',
    references: JSON.stringify(findReferences(text)),
  };
}

export interface RenderedPage {
  bytes: number;
  /** `ScannedHead` as JSON; empty for what is no page but a feed or the like. */
  head: string;
  /** What it refers to, as `findReferences` names it, in JSON. */
  references: string;
}
