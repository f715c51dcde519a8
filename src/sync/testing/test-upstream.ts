import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sendJson, startFakeServer, type TestServer } from '#client/testing/test-server.ts';
import { defineConfig, resolveSettings, type OptionsInput, type Settings, type Upstreams } from '#config/index.ts';
import { gtinCheckDigit } from '#contracts/index.ts';
import type { ProductRecord } from '#contracts/product/index.ts';
import { createProduct } from '#snapshot/testing/fill-snapshot.ts';
import { openSnapshot, type Snapshot } from '#snapshot/index.ts';
import { runSync } from '../run-sync.ts';
import type { RunSyncOptions } from '../sync-options.ts';
import type { SyncReport } from '../report/sync-report.ts';

export const TOKEN = '5ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7';
export const GTINS = ['9524010000016', '9524010000023', '9524010000030', '0412345000018'];
export const LANGUAGES = ['de-de', 'en-gb'];

/** Creates GTINs with valid check digits. */
export function createGtins(count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const digits = `9524${String(i).padStart(8, '0')}`;
    return `${digits}${gtinCheckDigit(digits)}`;
  });
}

type Row = Record<string, unknown>;

/** Both interfaces on one loopback server. Tests can change its data and inject faults. */
export interface TestUpstream {
  server: TestServer;
  /** `<gtin>/<language>` -> record. */
  products: Map<string, ProductRecord>;
  languages: unknown;
  /** Route below the REST root, such as `posts` -> rows. */
  lists: Record<string, Row[]>;
  /** Description of the publishing site. */
  tagline: string;
  /** Namespaces in its index. */
  namespaces: string[];
  /** Overrides for members of its index. */
  index: Row;
  /** Route patterns in its index. A site may hide them. */
  routes: string[];
  /** Path -> file. */
  files: Map<string, { body: Buffer; type: string; headers?: Record<string, string> }>;
  /** Handles the n-th request (from 1) instead of the interfaces. Returns false to pass it on. */
  fault: ((index: number, request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** If set, the interface has a list with these modification dates (`<gtin>/<language>`), and an export. */
  modified: Map<string, string> | undefined;
  /** Sends an ETag with each record, and 304 if it matches. */
  validators: boolean;
  /** Adds a product for each GTIN and language. */
  fillProducts(gtins: readonly string[]): void;
  settings: Settings;
  upstreams: Upstreams;
  sync(options?: Partial<RunSyncOptions>): Promise<SyncReport>;
  /** Calls a function with the snapshot opened for reading. */
  read<T>(readFrom: (snapshot: Snapshot) => T): T;
  /** Restores a copy of a snapshot, and deletes files of later runs. */
  restore(file: string): Promise<void>;
  /** Logged messages. */
  log: string[];
  close(): Promise<void>;
}

export async function startTestUpstream(options: Partial<OptionsInput> = {}): Promise<TestUpstream> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sortiment-sync-'));
  const server = await startFakeServer((request, response) => {
    if (upstream.fault?.(server.seen.length, request, response)) return;
    answer(upstream, request, response);
  });
  const config = defineConfig({
    site: { name: 'Test' },
    maker: { name: 'Test', address: ['Test'], email: 'test@test.example' },
    mainLanguage: 'de-de',
    assortment: () => GTINS.map((gtin) => ({ gtin, family: 'membranes' })),
    ...options,
    sync: { retries: 0, timeoutMs: 20_000, ...options.sync },
  });
  const log: string[] = [];
  const addLine = (message: string) => void log.push(message);
  const upstream: TestUpstream = {
    server,
    products: new Map(),
    languages: LANGUAGES,
    lists: { posts: [], pages: [], media: [], categories: [], tags: [], users: [] },
    tagline: '',
    namespaces: ['oembed/1.0', 'wp/v2'],
    index: {},
    routes: [],
    files: new Map(),
    fault: undefined,
    modified: undefined,
    validators: false,
    fillProducts: (gtins) => {
      for (const gtin of gtins) {
        for (const language of LANGUAGES) {
          const record = createProduct({ gtin, language, name: `Produkt ${gtin.slice(-4)}` });
          upstream.products.set(`${gtin}/${language}`, record);
        }
      }
    },
    settings: resolveSettings(folder, config, {}),
    upstreams: {
      product: { root: `${server.origin}/api/partner/v1/`, token: TOKEN },
      publishing: { siteUrl: server.origin, restRoot: 'detect', namespaces: {} },
    },
    log,
    sync: (more = {}) =>
      runSync(upstream.settings, {
        upstreams: upstream.upstreams,
        logger: { debug: addLine, info: addLine, warn: addLine, error: addLine },
        environment: {},
        ...more,
      }),
    read: (readFrom) => {
      const snapshot = openSnapshot(upstream.settings.snapshotPath, { readOnly: true });
      try {
        return readFrom(snapshot);
      } finally {
        snapshot.close();
      }
    },
    restore: async (file) => {
      const { snapshotPath } = upstream.settings;
      for (const suffix of ['', '-wal', '-shm', '.staging', '.staging-wal', '.staging-shm']) {
        await rm(snapshotPath + suffix, { force: true });
      }
      await copyFile(file, snapshotPath);
    },
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  upstream.fillProducts(GTINS);
  return upstream;
}

function answer(upstream: TestUpstream, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', upstream.server.origin);
  const file = upstream.files.get(url.pathname);
  if (file) {
    response.writeHead(200, { 'content-type': file.type, 'content-length': file.body.length, ...file.headers });
    response.end(request.method === 'HEAD' ? undefined : file.body);
  } else if (url.pathname.startsWith('/api/partner/v1/')) answerProduct(upstream, request, response, url);
  else if (url.pathname.startsWith('/wp-json/')) answerPublishing(upstream, response, url);
  else response.writeHead(404, { 'content-type': 'text/html' }).end('<!doctype html><h1>Not Found</h1>');
}

function answerProduct(upstream: TestUpstream, request: IncomingMessage, response: ServerResponse, url: URL): void {
  if (request.headers.authorization !== `Token ${TOKEN}`) {
    sendJson(response, { detail: 'Invalid token.' }, { status: 401 });
    return;
  }
  const [resource, gtin] = url.pathname.slice('/api/partner/v1/'.length).split('/');
  if (resource === 'language') {
    sendJson(response, upstream.languages);
    return;
  }
  if (upstream.modified && answerAddition(upstream, upstream.modified, response, url)) return;
  const record = upstream.products.get(`${gtin}/${url.searchParams.get('language')}`);
  if (!record) {
    sendJson(response, { detail: 'No Product matches the given query.' }, { status: 404 });
    return;
  }
  const etag = `"${createHash('sha256').update(JSON.stringify(record)).digest('hex')}"`;
  if (upstream.validators && request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
  else sendJson(response, record, { headers: upstream.validators ? { etag } : {} });
}

/** Serves the index of the additions, the list and the export. */
function answerAddition(
  upstream: TestUpstream,
  modified: ReadonlyMap<string, string>,
  response: ServerResponse,
  url: URL,
): boolean {
  const path = url.pathname.slice('/api/partner/v1/'.length);
  if (path === '') {
    sendJson(response, { product: 'x', product_list: 'x', language: 'x', export: 'x' });
  } else if (path === 'product/') {
    const rows = [...upstream.products.keys()].map((key) => {
      const [gtin = '', language = ''] = key.split('/');
      return { gtin, language, modified: modified.get(key) ?? '2026-11-20T10:00:00Z' };
    });
    const size = Number(url.searchParams.get('page_size'));
    const page = Number(url.searchParams.get('page'));
    const next = page * size < rows.length ? `${url.origin}${url.pathname}?page=${page + 1}` : null;
    const results = rows.slice((page - 1) * size, page * size);
    sendJson(response, { count: rows.length, next, previous: null, results });
  } else if (path === 'export/') {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.end([...upstream.products.values()].map((record) => `${JSON.stringify(record)}\n`).join(''));
  } else return false;
  return true;
}

function answerPublishing(upstream: TestUpstream, response: ServerResponse, url: URL): void {
  const [, name = ''] = url.pathname.replace('/wp-json/', '/').replace('/wp/v2', '').split('/');
  if (name === '') {
    const index = {
      name: 'Signal &amp; Noise',
      description: upstream.tagline,
      url: upstream.server.origin,
      home: upstream.server.origin,
      namespaces: upstream.namespaces,
      routes: Object.fromEntries(upstream.routes.map((pattern) => [pattern, {}])),
      ...upstream.index,
    };
    sendJson(response, index, { headers: { date: 'Sat, 21 Nov 2026 09:40:00 GMT' } });
    return;
  }
  const rows = upstream.lists[name] ?? [];
  const found = rows.filter((row) => isWanted(row, url.searchParams));
  const page = Number(url.searchParams.get('page') ?? 1);
  const size = Number(url.searchParams.get('per_page'));
  const headers = { 'x-wp-total': String(found.length), 'x-wp-totalpages': String(Math.ceil(found.length / size)) };
  const fields = url.searchParams.get('_fields')?.split(',');
  const shown = found.slice((page - 1) * size, page * size).map((row) => (fields ? pick(row, fields) : row));
  sendJson(response, shown, { headers });
}

function isWanted(row: Row, query: URLSearchParams): boolean {
  const include = query.get('include')?.split(',');
  if (include && !include.includes(String(row['id']))) return false;
  const after = query.get('modified_after');
  return !after || Date.parse(`${String(row['modified_gmt'])}Z`) > Date.parse(after);
}

function pick(row: Row, fields: readonly string[]): Row {
  return Object.fromEntries(fields.filter((field) => field in row).map((field) => [field, row[field]]));
}

/** Creates a row of the post list. */
export function createPost(changes: Row = {}): Row {
  return {
    id: 7,
    date: '2026-11-20T10:00:00',
    date_gmt: '2026-11-20T09:00:00',
    guid: { rendered: 'https://site.example/?p=7' },
    modified: '2026-11-21T10:00:00',
    modified_gmt: '2026-11-21T09:00:00',
    slug: 'luftdicht',
    status: 'publish',
    type: 'post',
    link: 'https://site.example/luftdicht/',
    title: { rendered: 'Luft &#8211; dicht' },
    content: { rendered: '<p class="wp-block-paragraph">Text</p>\n', protected: false },
    excerpt: { rendered: '<p>Kurz [&hellip;]</p>\n', protected: false },
    author: 1,
    featured_media: 0,
    comment_status: 'open',
    ping_status: 'open',
    sticky: false,
    template: '',
    format: 'standard',
    meta: { _seo_title: 'Titel', footnotes: '' },
    categories: [1],
    tags: [],
    ...changes,
  };
}

/** Creates a row of the media list. */
export function createMedia(changes: Row = {}): Row {
  const {
    content: _content,
    excerpt: _excerpt,
    sticky: _sticky,
    format: _format,
    categories,
    tags,
    ...shared
  } = createPost();
  void categories;
  void tags;
  return {
    ...shared,
    id: 20,
    status: 'inherit',
    type: 'attachment',
    slug: 'bild',
    title: { rendered: 'Bild' },
    meta: [],
    description: { rendered: '' },
    caption: { rendered: '<p>Unterschrift</p>' },
    alt_text: 'Ein Bild',
    media_type: 'image',
    mime_type: 'image/png',
    media_details: {},
    post: null,
    source_url: 'https://site.example/uploads/bild.png',
    ...changes,
  };
}
