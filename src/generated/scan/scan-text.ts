import { listImagePaths } from '../images/image-path.ts';
import { findDocumentPaths } from './find-document-paths.ts';
import { readHead } from './read-head.ts';

/** Root-relative paths of what a file refers to. */
export interface FileReferences {
  images: string[];
  documents: string[];
  /** Stylesheets, fonts and scripts that Vite has made. */
  assets: string[];
}

const KINDS = ['images', 'documents', 'assets'] as const;

/** What many files refer to, each once. @param texts `FileReferences` as JSON. */
export function mergeReferences(texts: Iterable<string>, others?: FileReferences): FileReferences {
  const all = {
    images: new Set(others?.images),
    documents: new Set(others?.documents),
    assets: new Set(others?.assets),
  };
  for (const text of texts) {
    const found = JSON.parse(text) as FileReferences;
    for (const kind of KINDS) for (const place of found[kind]) all[kind].add(place);
  }
  return { images: [...all.images], documents: [...all.documents], assets: [...all.assets] };
}

/** What a built text refers to. */
export function findReferences(text: string): FileReferences {
  return {
    images: listImagePaths(text),
    documents: findDocumentPaths(text),
    assets: [...new Set(text.match(/\/_astro\/[^"'\s)<>?#,\\]+/g))],
  };
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
  /** `FileReferences` as JSON. */
  references: string;
}
