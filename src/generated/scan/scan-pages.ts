import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { listImagePaths, readImagePath, type DerivedImage } from '../images/image-path.ts';
import { readPreviewPath, type PreviewAddress } from '../previews/preview-path.ts';
import { findDocumentPaths } from './find-document-paths.ts';
import { readHead, type ScannedHead } from './read-head.ts';

export interface SiteScan {
  /** Root-relative path -> what the head of its page says. */
  heads: Map<string, ScannedHead>;
  /** Derived images that anything in the site refers to. */
  images: DerivedImage[];
  previews: PreviewAddress[];
  /** Paths of mirrored documents that anything in the site links to. */
  documents: string[];
}

/** Text that may refer to images and documents. */
const TEXT = /\.(html|xml|json|css|txt)$/;
const FILES_AT_ONCE = 64;

/**
 * Reads what was built: pages are the one place that knows which files they need and what they say of themselves, so
 * neither is worked out a second time.
 */
export async function scanPages(distFolder: string): Promise<SiteScan> {
  const files = (await readdir(distFolder, { recursive: true })).filter((file) => TEXT.test(file));
  const heads = new Map<string, ScannedHead>();
  const images = new Set<string>();
  const documents = new Set<string>();
  const scan = async (file: string): Promise<void> => {
    const text = await readFile(path.join(distFolder, file), 'utf8');
    for (const image of listImagePaths(text)) images.add(image);
    for (const document of findDocumentPaths(text)) documents.add(document);
    if (file.endsWith('.html')) heads.set(pathOf(file), readHead(text));
  };
  for (let i = 0; i < files.length; i += FILES_AT_ONCE) await Promise.all(files.slice(i, i + FILES_AT_ONCE).map(scan));
  return {
    heads,
    images: [...images].flatMap((image) => readImagePath(image) ?? []),
    previews: [...images].flatMap((image) => readPreviewPath(image) ?? []),
    documents: [...documents],
  };
}

/** `de-de/index.html` -> `/de-de/`. */
function pathOf(file: string): string {
  return `/${file.split(path.sep).join('/')}`.replace(/(^|\/)index\.html$/, '$1');
}
