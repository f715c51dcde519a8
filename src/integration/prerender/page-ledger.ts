import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { PageHead } from '../site/read-head.ts';

/** What a build keeps of a page that it has written, so that the next one can leave it alone. */
export interface LedgerPage {
  /** What the page shows, by name; undefined where that isn't known: the page is rendered every time. */
  key: string | undefined;
  /** Size of its file. */
  bytes: number;
  /** `PageHead` as JSON; empty for what is no page but a feed or the like. */
  head: string;
  /** `FileReferences` as JSON. */
  references: string;
}

/** Root-relative paths of what a file refers to. */
export interface FileReferences {
  images: string[];
  documents: string[];
  /** Stylesheets, fonts and scripts that Vite has made. */
  assets: string[];
}

/** All pages of a build by their files, relative to the folder of the site. */
export interface PageLedger {
  /** Of the project that rendered them. */
  fingerprint: string;
  distFolder: string;
  /** False while a build is under way, and so after one that was killed. */
  complete: boolean;
  /**
   * What files refer to that are no pages: those of `public/` and what Vite has made. Undefined until a build of this
   * project has come to its end.
   */
  others: FileReferences | undefined;
  pages: Map<string, LedgerPage>;
}

const LEDGER_VERSION = 1;

const references = z.object({
  images: z.array(z.string()),
  documents: z.array(z.string()),
  assets: z.array(z.string()),
});
const storedLedger = z.object({
  version: z.literal(LEDGER_VERSION),
  fingerprint: z.string(),
  distFolder: z.string(),
  complete: z.boolean(),
  others: references.optional(),
  /** Texts that pages share: translations of a page have the same alternates. */
  texts: z.array(z.string()),
  files: z.array(z.string()),
  keys: z.array(z.string()),
  bytes: z.array(z.int()),
  heads: z.array(z.int()),
  references: z.array(z.int()),
});

/** Undefined when there is none, or none that can be read: then everything is rendered. */
export function readLedger(file: string): PageLedger | undefined {
  const stored = parseLedger(file);
  if (!stored) return undefined;
  const { texts, files, keys, bytes, heads, references: refers, fingerprint, distFolder, complete, others } = stored;
  const pages = new Map(
    files.map((name, i) => [
      name,
      {
        key: keys[i] || undefined,
        bytes: bytes[i] ?? -1,
        head: texts[heads[i] ?? -1] ?? '',
        references: texts[refers[i] ?? -1] ?? '',
      },
    ]),
  );
  return { fingerprint, distFolder, complete, others, pages };
}

function parseLedger(file: string): z.output<typeof storedLedger> | undefined {
  try {
    return storedLedger.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Replaces the ledger at once: a reader sees the old one or the new one. */
export function writeLedger(file: string, { pages, ...rest }: PageLedger): void {
  const places = new Map<string, number>();
  const placeOf = (text: string): number => {
    const place = places.get(text) ?? places.size;
    places.set(text, place);
    return place;
  };
  const all = [...pages.values()];
  const stored: z.input<typeof storedLedger> = {
    version: LEDGER_VERSION,
    ...rest,
    files: [...pages.keys()],
    keys: all.map(({ key }) => key ?? ''),
    bytes: all.map(({ bytes }) => bytes),
    heads: all.map(({ head }) => placeOf(head)),
    references: all.map((page) => placeOf(page.references)),
    texts: [],
  };
  stored.texts = [...places.keys()];
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(stored));
  renameSync(`${file}.new`, file);
}

/** Makes the next build start from nothing. */
export function removeLedger(file: string): void {
  rmSync(file, { force: true });
}

/** What all files of a build refer to, each once. */
export function ledgerReferences({ pages, others }: Pick<PageLedger, 'pages' | 'others'>): FileReferences {
  const all = {
    images: new Set(others?.images),
    documents: new Set(others?.documents),
    assets: new Set(others?.assets),
  };
  for (const text of new Set([...pages.values()].map((page) => page.references))) {
    const found = JSON.parse(text) as FileReferences;
    for (const kind of ['images', 'documents', 'assets'] as const)
      for (const place of found[kind]) all[kind].add(place);
  }
  return { images: [...all.images], documents: [...all.documents], assets: [...all.assets] };
}

/** Heads of all pages, by their root-relative paths. */
export function ledgerHeads({ pages }: Pick<PageLedger, 'pages'>): Map<string, PageHead> {
  const heads = new Map<string, PageHead>();
  for (const [file, { head }] of pages) {
    if (head === '') continue;
    const { canonical, ...rest } = JSON.parse(head) as PageHead & { canonical?: string };
    heads.set(`/${file}`.replace(/(^|\/)index\.html$/, '$1'), { canonical, ...rest });
  }
  return heads;
}
