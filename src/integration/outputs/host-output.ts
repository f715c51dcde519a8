import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileAt, placeOf } from '../../catalogue/addresses/base.ts';
import { findRedirects, type Redirect } from '../../loaders/index.ts';
import { hostFiles, hostsFolder } from '../hosts/host-files.ts';
import { REDIRECTS_NAME } from '../hosts/redirects-file.ts';
import { renderMovedPage } from '../hosts/render-moved-page.ts';
import type { Output, OutputContext } from './output.ts';

/**
 * What the host has to know: the headers of the files, and where pages have moved to. Hosts that can't be told of that
 * get a small page for each.
 */
export const hostOutput: Output = {
  name: 'host',
  update: (context) => {
    const { settings, put } = context;
    const redirects = readRedirects(context);
    const { inSite, besideSite, links } = hostFiles(settings, redirects);
    for (const [file, text] of Object.entries(inSite)) put(file, text);
    if (settings.options.host === 'none') for (const redirect of redirects) putMovedPage(context, redirect);
    const table = Object.fromEntries(redirects.map(({ from, to }) => [from, to]));
    writeBeside(hostsFolder(settings), { ...besideSite, [REDIRECTS_NAME]: `${JSON.stringify(table)}\n` });
    for (const [name, target] of Object.entries(links ?? {}))
      linkFolder(path.join(hostsFolder(settings), name), target);
  },
};

function readRedirects({ settings, snapshot, languages, listing, isPage, warn }: OutputContext): Redirect[] {
  const source = { snapshot, options: settings.options, languages: languages.map(({ code }) => code), warn };
  return findRedirects(source, listing, (pathname) => isPage(fileOf(pathname)));
}

function putMovedPage({ settings, ui, put }: OutputContext, { from, to }: Redirect): void {
  const [, language = ''] = placeOf(to).split('/');
  put(fileOf(from), () => renderMovedPage(ui(language), new URL(to, settings.siteUrl).href), to);
}

const fileOf = (pathname: string): string => `${fileAt(pathname)}index.html`;

/** Files for the owner's own server, and nothing else: what another host has left is taken away. */
function writeBeside(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!(name in files)) rmSync(path.join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    if (readText(file) !== text) writeFileSync(file, text);
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
