import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import { html } from 'hono/html';
import { z } from 'zod';
import { fileAt, placeOf } from '#catalogue/addresses/base.ts';
import type { Settings } from '#config/index.ts';
import { isSortimentError } from '#contracts/index.ts';
import { replaceFile } from '#files/index.ts';
import type { Ui } from '#i18n/index.ts';
import type { FileGenerator, GeneratorContext } from '../generator.ts';
import { findPastDocuments, findRedirects, type PastDocument, type Redirect } from '../redirects/index.ts';
import { rememberLeft } from '../removed-addresses.ts';
import { hostFiles, hostsFolder, type HostFiles } from './host-files.ts';

/** Its name in the folder of files for hosts. */
const REDIRECTS_NAME = 'redirects.json';

const redirectTable = z.record(z.string(), z.string());

/**
 * What the host has to know: the headers of the files, and where pages have moved to. Hosts that can't be told of that
 * get a small page for each.
 */
export const hosts: FileGenerator = {
  name: 'host',
  update: async (context) => {
    const { settings, put } = context;
    const { redirects, documents, files } = await chooseRedirects(context);
    for (const document of documents) putDocument(context, document);
    for (const [file, text] of Object.entries(files.inSite)) put(file, text);
    if (settings.options.host === 'none') for (const redirect of redirects) putMovedPage(context, redirect);
    const table = Object.fromEntries(redirects.map(({ from, to }) => [from, to]));
    await writeBeside(hostsFolder(settings), { ...files.besideSite, [REDIRECTS_NAME]: `${JSON.stringify(table)}\n` });
    for (const [name, target] of Object.entries(files.links ?? {}))
      linkFolder(path.join(hostsFolder(settings), name), target);
  },
};

interface Chosen {
  redirects: Redirect[];
  /** Documents that stay at their earlier addresses, as nothing can lead on from there. */
  documents: PastDocument[];
  files: HostFiles;
}

/**
 * All that have moved, or where the host doesn't take as many, those whose content has: lists come and go with the
 * values of products, and what they held is found on the list above.
 */
async function chooseRedirects(context: GeneratorContext): Promise<Chosen> {
  const { settings, source, productIndex, isPage, warn } = context;
  const isPath = (pathname: string) => isPage(fileOf(pathname));
  const past = findPastDocuments(source, productIndex);
  const replaced = past.flatMap(({ path: from, to }) => (to === undefined ? [] : { from, to }));
  const find = (left: readonly string[], led: readonly Redirect[]): Chosen => {
    const redirects = [...findRedirects(source, productIndex, isPath, left), ...led];
    const documents = led.length > 0 ? past.filter(({ to }) => to === undefined) : past;
    return { redirects, documents, files: hostFiles(settings, redirects) };
  };
  const left = await rememberLeft(settings, context.left.flatMap(pathOf), isPath);
  try {
    // A page can't lead on from the address of a PDF.
    return find(left, settings.options.host === 'none' ? [] : replaced);
  } catch (error) {
    if (left.length + replaced.length === 0 || !isSortimentError(error) || error.code !== 'HOST_LIMIT') throw error;
    warn(`${error.message} Removed lists are not redirected, and replaced documents keep their addresses.`);
    return find([], []);
  }
}

function putDocument({ settings, put }: GeneratorContext, { path: pathname, file, digest }: PastDocument): void {
  const bytes = path.join(settings.assetsFolder, file);
  if (existsSync(bytes)) put(fileAt(pathname), () => readFileSync(bytes), digest);
}

function putMovedPage({ settings, ui, put }: GeneratorContext, { from, to }: Redirect): void {
  const [, language = ''] = placeOf(to.startsWith('/') ? to : from).split('/');
  put(fileOf(from), () => renderMovedPage(ui(language), new URL(to, settings.siteUrl).href), to);
}

const INDEX = 'index.html';
const fileOf = (pathname: string): string => `${fileAt(pathname)}${INDEX}`;
const pathOf = (file: string): string[] => (file.endsWith(`/${INDEX}`) ? [`/${file.slice(0, -INDEX.length)}`] : []);

/** Files for the owner's own server, and nothing else: what another host has left is taken away. */
async function writeBeside(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!(name in files)) rmSync(path.join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    // A server that runs may read it at any moment.
    if (readText(file) !== text) await replaceFile(file, text);
  }
}

function linkFolder(place: string, target: string): void {
  mkdirSync(path.dirname(place), { recursive: true });
  symlinkSync(target, place, 'dir');
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** The page that a moved one leaves behind where the host can't lead on by itself. @param url Its new address, absolute. */
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

/** Where a build leaves the pages that have moved, for the local server and for scripts: `{from: to}`. */
export function redirectsFile(settings: Pick<Settings, 'home'>): string {
  return path.join(hostsFolder(settings), REDIRECTS_NAME);
}

/** @returns Where a path leads to, as the file says at that moment; a file that isn't there leads nowhere. */
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
