import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import { html } from 'hono/html';
import { z } from 'zod';
import { outputPath, stripBasePath } from '#catalogue/addresses/site-paths.ts';
import type { Settings } from '#config/index.ts';
import { isSortimentError } from '#contracts/index.ts';
import { replaceFile } from '#files/replace-file.ts';
import type { Ui } from '#i18n/index.ts';
import type { FileGenerator, GeneratorContext } from '../generator.ts';
import { findPastDocuments, findRedirects, type PastDocument, type Redirect } from '../redirects/index.ts';
import { hostFiles, hostsFolder, type HostFiles } from './host-files.ts';

const removedPaths = z.array(z.string());

/** Maximum number of paths. The oldest are evicted. */
const MAX_ADDRESSES = 5000;

/**
 * Records the paths of removed pages. Paths of lists can't be reconstructed from the snapshot.
 * @param gone Paths removed by this build.
 * @returns All removed paths, the latest first.
 */
async function recordRemovedPaths(
  { home }: Pick<Settings, 'home'>,
  gone: readonly string[],
  isPage: (pathname: string) => boolean,
): Promise<string[]> {
  const file = path.join(home, 'left-addresses.json');
  const previous = readAddresses(file);
  const left = [...new Set([...gone, ...previous])].filter((pathname) => !isPage(pathname)).slice(0, MAX_ADDRESSES);
  if (left.join() !== previous.join()) await replaceFile(file, `${JSON.stringify(left)}\n`);
  return left;
}

/** An unreadable file is treated as empty, because only redirects of removed lists are lost. */
function readAddresses(file: string): string[] {
  try {
    return removedPaths.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return [];
  }
}

/** File name in the folder of host files. */
const REDIRECTS_NAME = 'redirects.json';

const redirectTable = z.record(z.string(), z.string());

/** Generates the configuration of the host with headers and redirects. Hosts without redirects get a page for each. */
export const hosts: FileGenerator = {
  name: 'host',
  update: async (context) => {
    const { settings, put } = context;
    const { redirects, documents, files } = await chooseRedirects(context);
    for (const document of documents) writeDocument(context, document);
    for (const [file, text] of Object.entries(files.inSite)) put(file, text);
    if (settings.options.host === 'none') for (const redirect of redirects) writeMovedPage(context, redirect);
    const table = Object.fromEntries(redirects.map(({ from, to }) => [from, to]));
    await writeHostFolder(hostsFolder(settings), {
      ...files.besideSite,
      [REDIRECTS_NAME]: `${JSON.stringify(table)}\n`,
    });
    for (const [name, target] of Object.entries(files.links ?? {}))
      linkFolder(path.join(hostsFolder(settings), name), target);
  },
};

interface RedirectPlan {
  redirects: Redirect[];
  /** Documents preserved at their earlier paths, because they can't redirect. */
  documents: PastDocument[];
  files: HostFiles;
}

/**
 * Returns all redirects. If they exceed the host's limit, redirects of removed lists are omitted, because the lists
 * above them have the same products.
 */
async function chooseRedirects(context: GeneratorContext): Promise<RedirectPlan> {
  const { settings, source, productIndex, isPage, warn } = context;
  const isPath = (pathname: string) => isPage(fileOf(pathname));
  const past = findPastDocuments(source, productIndex);
  const replaced = past.flatMap(({ path: from, to }) => (to === undefined ? [] : { from, to }));
  const find = (left: readonly string[], documentRedirects: readonly Redirect[]): RedirectPlan => {
    const redirects = [...findRedirects(source, productIndex, isPath, left), ...documentRedirects];
    const documents = documentRedirects.length > 0 ? past.filter(({ to }) => to === undefined) : past;
    return { redirects, documents, files: hostFiles(settings, redirects) };
  };
  const left = await recordRemovedPaths(settings, context.left.flatMap(pathOf), isPath);
  try {
    // A redirect page can't replace a PDF.
    return find(left, settings.options.host === 'none' ? [] : replaced);
  } catch (error) {
    if (left.length + replaced.length === 0 || !isSortimentError(error) || error.code !== 'HOST_LIMIT') throw error;
    warn(`${error.message} Removed lists are not redirected, and replaced documents keep their URLs.`);
    return find([], []);
  }
}

function writeDocument({ settings, put }: GeneratorContext, { path: pathname, file, digest }: PastDocument): void {
  const bytes = path.join(settings.assetsFolder, file);
  if (existsSync(bytes)) put(outputPath(pathname), () => readFileSync(bytes), digest);
}

function writeMovedPage({ settings, ui, put }: GeneratorContext, { from, to }: Redirect): void {
  const [, language = ''] = stripBasePath(to.startsWith('/') ? to : from).split('/');
  put(fileOf(from), () => renderMovedPage(ui(language), new URL(to, settings.siteUrl).href), to);
}

const INDEX = 'index.html';
const fileOf = (pathname: string): string => `${outputPath(pathname)}${INDEX}`;
const pathOf = (file: string): string[] => (file.endsWith(`/${INDEX}`) ? [`/${file.slice(0, -INDEX.length)}`] : []);

/** Writes the files for self-hosted servers, and removes files of other hosts. */
async function writeHostFolder(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!(name in files)) rmSync(path.join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    // Replaces files atomically, because a running server may read them at any time.
    if (readText(file) !== text) await replaceFile(file, text);
  }
}

function linkFolder(link: string, target: string): void {
  mkdirSync(path.dirname(link), { recursive: true });
  symlinkSync(target, link, 'dir');
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Renders the redirect page of a moved page, for hosts without redirects. @param url New absolute URL. */
export function renderMovedPage(ui: Ui, url: string): string {
  const page = html`<!doctype html>
    <html lang="${ui.lang}" dir="${ui.dir}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta http-equiv="refresh" content="0; url=${url}" />
        <link rel="canonical" href="${url}" />
        <title>${ui.t('moved.title')}</title>
      </head>
      <body>
        <main>
          <h1>${ui.t('moved.title')}</h1>
          <p><a href="${url}">${ui.t('moved.link')}</a></p>
        </main>
      </body>
    </html> `;
  return String(page);
}

/** Returns the path of the redirect table `{from: to}`, which the local server and scripts read. */
export function redirectsFile(settings: Pick<Settings, 'home'>): string {
  return path.join(hostsFolder(settings), REDIRECTS_NAME);
}

/** @returns Looks up the target of a path. Rereads a changed file. A missing file has no redirects. */
export function readRedirects(file: string): (pathname: string) => string | undefined {
  let read: { mark: string; table: ReadonlyMap<string, string> } = { mark: '', table: new Map() };
  return (pathname) => {
    const stats = statSync(file, { throwIfNoEntry: false });
    const mark = stats ? `${stats.mtimeMs} ${stats.size}` : '';
    if (mark !== read.mark) read = { mark, table: stats ? readTable(file) : new Map() };
    return read.table.get(pathname);
  };
}

function readTable(file: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(redirectTable.parse(JSON.parse(readFileSync(file, 'utf8')))));
}
