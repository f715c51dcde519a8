import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import { html } from 'hono/html';
import { z } from 'zod';
import { hostPath, outputPath, stripSitePath, sitePath } from '#catalogue/addresses/site-paths.ts';
import type { Settings, Host } from '#config/index.ts';
import { isSortimentError, SortimentError } from '#contracts/index.ts';
import { readPage } from '#files/built-files.ts';
import { replaceFile } from '#files/replace-file.ts';
import { createPageUi, labelBorrowedTexts, type Ui } from '#i18n/index.ts';
import type { FileGenerator, GeneratorContext } from '../generator.ts';
import {
  findPastDocuments,
  findRedirects,
  type PastDocument,
  type Redirect,
  encodeTarget,
} from '../redirects/redirects.ts';
import { DIGITAL_LINK_QUALIFIERS, homePath, missingPath } from '#catalogue/addresses/paths.ts';
import {
  headerRules,
  DEFAULT_CACHE_CONTROL,
  type HeaderRule,
  isGlobalRule,
  hasSegments,
  splitPattern,
} from './header-rules.ts';
import { writeCaddyFiles, writeNginxFiles } from './server-files.ts';

const MAX_REDIRECTS = 2048;

const MAX_BYTES = 20 * 1024;

/** Limits of hosts: rules without patterns, characters per rule, total bytes. */
const LIMITS: Partial<Record<Host, { rules: number; ruleCharacters?: number; bytes?: number }>> = {
  cloudflare: { rules: 2000, ruleCharacters: 1000 },
  netlify: { rules: 10_000 },
  gitlab: { rules: 1000, bytes: 64 * 1024 },
};

/** Rewrites requests for the links of a product by query parameter. Only Netlify supports it here. */
const digitalLinkRules = (): string[] =>
  ['linkset', 'all'].map(
    (type) => `${sitePath('/01/')}:gtin/ linkType=${type} ${sitePath('/01/')}:gtin/linkset.json 200!`,
  );

/**
 * Redirects links with a variant, lot or serial number to their GTIN (GS1 Digital Link, walk-up). There are no pages
 * below it.
 */
const walkUpRules = (): string[] =>
  DIGITAL_LINK_QUALIFIERS.map((key) => `${sitePath('/01/')}:gtin/${key}/* ${sitePath('/01/')}:gtin/ 302`);

/** Limits of Cloudflare. Netlify documents none. */
const MAX_RULES = 100;

const MAX_LINE_CHARACTERS = 2000;

interface HostFiles {
  /** Files in the site that its host reads but doesn't publish, by name. */
  inSite: Record<string, string>;
  /** Files for a self-hosted server outside the site, by name. */
  besideSite: Record<string, string>;
  /** Symbolic links to folders next to those files, by name. */
  links?: Record<string, string>;
}

/** Document root with the site below its base path. */
const ROOT_NAME = 'root';

/** Returns the folder of files for self-hosted servers. */
export function hostsFolder({ home }: Pick<Settings, 'home'>): string {
  return path.join(home, 'hosts');
}

/**
 * Creates the configuration of the chosen host: headers and redirects.
 * @throws SortimentError HOST_LIMIT if the host would ignore a part of it.
 */
export function hostFiles(
  settings: Pick<Settings, 'home' | 'distFolder' | 'siteUrl' | 'base' | 'options'>,
  redirects: readonly Redirect[],
  languages: readonly string[],
): HostFiles {
  const { siteUrl, distFolder } = settings;
  const { host } = settings.options;
  const rules = headerRules(siteUrl);
  const folder = hostsFolder(settings);
  const { base } = settings;
  // With a base path, the site is a folder below the document root.
  const root = path.join(folder, ROOT_NAME);
  const serverPaths = { siteUrl, rootFolder: base === '/' ? distFolder : root, hostsFolder: folder };
  const links = base === '/' ? {} : { [path.join(ROOT_NAME, base.slice(1, -1))]: distFolder };
  switch (host) {
    case 'cloudflare':
    case 'netlify':
      return {
        inSite: { _headers: writeHeadersFile(host, rules), _redirects: writeRedirectsFile(host, redirects, languages) },
        besideSite: {},
      };
    case 'gitlab':
      return { inSite: { _redirects: writeRedirectsFile(host, redirects, []) }, besideSite: {} };
    case 'vercel':
      return { inSite: { 'vercel.json': writeVercelFile(rules, redirects) }, besideSite: {} };
    case 'azure':
      return { inSite: { 'staticwebapp.config.json': writeAzureFile(rules, redirects) }, besideSite: {} };
    case 'nginx':
      return { inSite: {}, besideSite: writeNginxFiles(rules, redirects, languages, serverPaths), links };
    case 'caddy':
      return { inSite: {}, besideSite: writeCaddyFiles(rules, redirects, languages, serverPaths), links };
    case 'none':
      return { inSite: {}, besideSite: {} };
  }
}

/**
 * Creates the file `_headers` of Cloudflare and Netlify. Both join the values of several matching rules, so their
 * default caching header is omitted. Cloudflare needs an explicit removal of headers that apply to all pages.
 * @throws SortimentError HOST_LIMIT
 */
function writeHeadersFile(host: Host, rules: readonly HeaderRule[]): string {
  const everywhere = new Set(Object.keys(rules.find(isGlobalRule)?.headers ?? {}));
  const blocks = rules.map((rule) => {
    const { path, headers } = rule;
    const sent = Object.entries(headers).filter(([, value]) => value !== DEFAULT_CACHE_CONTROL);
    const lines = sent.flatMap(([name, value]) => {
      const replaces = host === 'cloudflare' && !isGlobalRule(rule) && name !== 'Cache-Control' && everywhere.has(name);
      return [...(replaces ? [`  ! ${name}`] : []), `  ${name}: ${value}`];
    });
    return [path, ...lines];
  });
  if (blocks.length > MAX_RULES) throw hostLimit(host, `${blocks.length} header rules (maximum ${MAX_RULES})`);
  rejectLong(host, 'a header', blocks.flat(), MAX_LINE_CHARACTERS);
  return blocks.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

/**
 * Creates the file `_redirects` of Cloudflare, Netlify and GitLab.
 * @throws SortimentError HOST_LIMIT
 */
function writeRedirectsFile(host: Host, redirects: readonly Redirect[], languages: readonly string[]): string {
  const lines = [
    ...(host === 'netlify' ? digitalLinkRules() : []),
    ...redirects.map(({ from, to }) => `${encodeURI(from)} ${encodeTarget(to)} 301`),
    // GitLab counts rules with patterns too, and has a low limit.
    ...(host === 'gitlab' ? [] : walkUpRules()),
    ...(host === 'netlify' ? languages.map((code) => `${homePath(code)}* ${missingPath(code)} 404`) : []),
  ];
  const text = lines.map((line) => `${line}\n`).join('');
  const { rules = Infinity, ruleCharacters = Infinity, bytes = Infinity } = LIMITS[host] ?? {};
  // Cloudflare counts rules with patterns separately.
  const counted = host === 'cloudflare' ? redirects.length : lines.length;
  if (counted > rules) throw hostLimit(host, `${counted} redirects (maximum ${rules})`);
  rejectLong(host, 'a redirect', lines, ruleCharacters);
  const size = Buffer.byteLength(text);
  if (size > bytes) throw hostLimit(host, `${size} bytes of redirects (maximum ${bytes})`);
  return text;
}

/**
 * Creates `staticwebapp.config.json`. Patterns end in `*` or `*.{json}`. Rules that need another pattern are omitted,
 * and their files lack these headers.
 * @throws SortimentError HOST_LIMIT
 */
function writeAzureFile(rules: readonly HeaderRule[], redirects: readonly Redirect[]): string {
  const all = rules.find(isGlobalRule)?.headers ?? {};
  const file = {
    // Only the first match applies.
    routes: [
      ...redirects.map(({ from, to }) => ({ route: encodeURI(from), redirect: encodeTarget(to), statusCode: 301 })),
      ...rules.flatMap((rule) => {
        const route = routeOf(rule);
        return route === undefined ? [] : [{ route, headers: rule.headers }];
      }),
    ],
    responseOverrides: { 404: { rewrite: hostPath('/404.html') } },
    globalHeaders: all,
    mimeTypes: {
      '.ndjson': 'application/x-ndjson',
      '.md': 'text/markdown; charset=utf-8',
      '.opus': 'audio/ogg',
      '.srt': 'application/x-subrip',
      '.vtt': 'text/vtt; charset=utf-8',
    },
    trailingSlash: 'always',
  };
  const text = `${JSON.stringify(file)}\n`;
  const size = Buffer.byteLength(text);
  if (size > MAX_BYTES)
    throw hostLimit('azure', `${size} bytes of rules with ${redirects.length} redirects (maximum ${MAX_BYTES})`);
  return text;
}

/** Returns the route of a rule. Undefined for global headers and unsupported patterns. */
function routeOf(rule: HeaderRule): string | undefined {
  if (hasSegments(rule.path)) return undefined;
  const [start, end] = splitPattern(rule.path);
  if (end === '') return isGlobalRule(rule) ? undefined : rule.path;
  return end.startsWith('.') && !end.includes('/') ? `${start}*.{${end.slice(1)}}` : undefined;
}

/**
 * Creates `vercel.json`. Vercel reads it from the published folder, or else from the project, to which it has to be
 * copied.
 * @throws SortimentError HOST_LIMIT
 */
function writeVercelFile(rules: readonly HeaderRule[], redirects: readonly Redirect[]): string {
  if (redirects.length > MAX_REDIRECTS)
    throw hostLimit('vercel', `${redirects.length} redirects (maximum ${MAX_REDIRECTS})`);
  const file = {
    $schema: 'https://openapi.vercel.sh/vercel.json',
    trailingSlash: true,
    redirects: [
      {
        source: `${sitePath('/01/')}:gtin(\\d{14})/(${DIGITAL_LINK_QUALIFIERS.join('|')})/(.*)`,
        destination: `${sitePath('/01/')}:gtin/`,
        statusCode: 302,
      },
      ...redirects.map(({ from, to }) => ({
        source: escapePattern(encodeURI(from)),
        destination: encodeTarget(to),
        statusCode: 301,
      })),
    ],
    rewrites: [
      // Requests for the linkset of a product.
      {
        source: `${sitePath('/01/')}:gtin(\\d{14})/`,
        has: [{ type: 'query', key: 'linkType', value: '(linkset|all)' }],
        destination: `${sitePath('/01/')}:gtin/linkset.json`,
      },
    ],
    headers: rules.flatMap(({ path, headers }) => {
      const sent = Object.entries(headers).filter(([, value]) => value !== DEFAULT_CACHE_CONTROL);
      return {
        source: escapePattern(path)
          .replace('\\*', '(.*)')
          .replaceAll(/\\(:\w)/g, '$1'),
        headers: sent.map(([key, value]) => ({ key, value })),
      };
    }),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** Escapes characters with a meaning in Vercel's patterns. */
function escapePattern(path: string): string {
  return path.replace(/[.:*+?(){}[\]|^$]/g, String.raw`\$&`);
}

/** @throws SortimentError HOST_LIMIT */
function rejectLong(host: Host, what: string, lines: readonly string[], max: number): void {
  const long = lines.find((line) => line.length > max);
  if (long === undefined) return;
  throw hostLimit(host, `${what} has ${long.length} characters (maximum ${max}): ${long.slice(0, 60)}…`);
}

/** Creates the error for a configuration that the host would reject or truncate. */
function hostLimit(host: Host, problem: string): SortimentError {
  return new SortimentError('HOST_LIMIT', `The site exceeds a limit of the host "${host}": ${problem}.`, {
    hint: "Choose a host without this limit, or set `host` in src/sortiment.config.ts to 'none', which generates redirect pages.",
  });
}

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
    if (settings.options.host === 'cloudflare')
      for (const { code } of context.languages) writeMissingPage(context, code);
    for (const [file, text] of Object.entries(files.inSite)) put(file, text);
    if (settings.options.host === 'none') for (const redirect of redirects) writeMovedPage(context, redirect);
    const table = Object.fromEntries(redirects.map(({ from, to }) => [from, to]));
    await writeHostFolder(hostsFolder(settings), {
      ...files.besideSite,
      [REDIRECTS_NAME]: `${JSON.stringify(table)}\n`,
    });
    for (const [name, target] of Object.entries(files.links ?? {})) {
      const link = path.join(hostsFolder(settings), name);
      mkdirSync(path.dirname(link), { recursive: true });
      symlinkSync(target, link, 'dir');
    }
  },
};

/**
 * Returns all redirects with their files, and the documents that stay at their earlier paths. If they exceed the host's
 * limit, redirects of removed lists are omitted, because the lists above them have the same products.
 */
async function chooseRedirects(context: GeneratorContext) {
  const { settings, source, productIndex, isPage, warn } = context;
  const languages = context.languages.map(({ code }) => code);
  const isPath = (pathname: string) => isPage(fileOf(pathname));
  const past = findPastDocuments(source, productIndex);
  const replaced = past.flatMap(({ path: from, to }) => (to === undefined ? [] : { from, to }));
  const find = (left: readonly string[], documentRedirects: readonly Redirect[]) => {
    const redirects = [...findRedirects(source, productIndex, isPath, left), ...documentRedirects];
    const documents = documentRedirects.length > 0 ? past.filter(({ to }) => to === undefined) : past;
    return { redirects, documents, files: hostFiles(settings, redirects, languages) };
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

/** Cloudflare shows the nearest `404.html` above a missing page. */
function writeMissingPage({ put, readPage }: GeneratorContext, language: string): void {
  const page = readPage(fileOf(missingPath(language)));
  if (page !== undefined) put(fileOf(homePath(language)).replace('index.html', '404.html'), page);
}

function writeMovedPage({ settings, ui, put }: GeneratorContext, { from, to }: Redirect): void {
  const [, language = ''] = stripSitePath(to.startsWith('/') ? to : from).split('/');
  put(fileOf(from), () => renderMovedPage(ui(language, createPageUi), new URL(to, settings.siteUrl).href), to);
}

const INDEX = 'index.html';
const fileOf = (pathname: string): string => `${outputPath(sitePath(stripSitePath(pathname)))}${INDEX}`;
/** Returns the path of a page of the catalogue, relative to it. */
const pathOf = (file: string): string[] => {
  const folder = outputPath(sitePath('/'));
  return file.startsWith(folder) && file.endsWith(`/${INDEX}`) ? [`/${file.slice(folder.length, -INDEX.length)}`] : [];
};

/** Writes the files for self-hosted servers, and removes files of other hosts. */
async function writeHostFolder(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!(name in files)) rmSync(path.join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    // Replaces files atomically, because a running server may read them at any time.
    if (readPage(folder, name) !== text) await replaceFile(path.join(folder, name), text);
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
  return labelBorrowedTexts(String(page), ui.dir);
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
    if (mark !== read.mark) {
      const table = stats ? redirectTable.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
      read = { mark, table: new Map(Object.entries(table)) };
    }
    return read.table.get(pathname);
  };
}
