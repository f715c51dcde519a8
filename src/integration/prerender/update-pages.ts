import { statSync } from 'node:fs';
import path from 'node:path';
import { writeLedger, type LedgerPage, type PageLedger } from './page-ledger.ts';
import type { PageWriter } from './page-writer.ts';
import { settlePage, type RenderedPage } from './render-page.ts';

/** A page, feed or other file that a route renders. */
export interface PagePath {
  /** Relative to the folder of the site. */
  file: string;
  cacheKey: string | undefined;
  /** Its bytes; undefined when there is nothing to write, as for a redirect. */
  render: () => Promise<Uint8Array | undefined>;
}

export interface UpdatePagesOptions {
  paths: readonly PagePath[];
  ledgerFile: string;
  /** Of the last build. */
  previous: PageLedger | undefined;
  fingerprint: string;
  distFolder: string;
  writer: PageWriter;
  onProgress: (done: number, total: number) => void;
  /** Lets others render, when it pays for so many files. Files that are not in what it gives are rendered here. */
  renderMany?: (files: readonly string[], onProgress: (done: number) => void) => Promise<Map<string, RenderedPage>>;
}

export interface UpdatedPages {
  /** Of what is there now; it still has to be completed. */
  ledger: PageLedger;
  rendered: number;
  /** Of the rendered ones those whose file is another now. */
  written: number;
}

/**
 * Renders what may have changed since the last build, and writes what has. Before the first file is touched, the
 * ledger forgets the keys of all that will be rendered: whenever a build ends early, the next one renders them again.
 */
export async function updatePages(options: UpdatePagesOptions): Promise<UpdatedPages> {
  const { paths, ledgerFile, fingerprint, distFolder, writer, onProgress } = options;
  const previous = options.previous?.distFolder === distFolder ? options.previous : undefined;
  const isSameProject = previous?.fingerprint === fingerprint;
  const unchanged = (path_: PagePath): LedgerPage | undefined => {
    const known = isSameProject ? previous.pages.get(path_.file) : undefined;
    if (known?.key === undefined || known.key !== path_.cacheKey) return undefined;
    return sizeOf(path.join(distFolder, path_.file)) === known.bytes ? known : undefined;
  };
  const pages = new Map(paths.map((page) => [page.file, unchanged(page)]));
  const stale = paths.filter(({ file }) => pages.get(file) === undefined);
  const begun = { fingerprint, distFolder, complete: false, others: isSameProject ? previous.others : undefined };
  if (previous) writeLedger(ledgerFile, { ...begun, pages: forget(previous.pages, pages) });
  const files = stale.map(({ file }) => file);
  const settled =
    (await options.renderMany?.(files, (done) => onProgress(done, stale.length))) ?? new Map<string, RenderedPage>();
  let rendered = settled.size;
  let written = 0;
  for (const { file, cacheKey, render } of stale) {
    let page = settled.get(file);
    if (!page) {
      const bytes = await render();
      onProgress(++rendered, stale.length);
      if (bytes === undefined) continue;
      page = settlePage(file, bytes, writer);
    }
    const { written: isWritten, ...known } = page;
    if (isWritten) written++;
    pages.set(file, { key: cacheKey, ...known });
  }
  const present = new Map([...pages].flatMap(([file, page]) => (page ? [[file, page] as const] : [])));
  return { ledger: { ...begun, pages: present }, rendered, written };
}

/** All pages of the last build, with the keys of those only that stay as they are. */
function forget(
  before: PageLedger['pages'],
  now: ReadonlyMap<string, LedgerPage | undefined>,
): Map<string, LedgerPage> {
  return new Map([...before].map(([file, page]) => [file, now.get(file) ?? { ...page, key: undefined }]));
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}
