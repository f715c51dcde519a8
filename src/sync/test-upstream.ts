import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sendJson, startTestServer, type TestServer } from '../client/test-server.ts';
import { defineConfig, resolveSettings, type OptionsInput, type Settings, type Upstreams } from '../config/index.ts';
import type { ProductRecord } from '../contracts/product/index.ts';
import { createProduct } from '../snapshot/create-product.ts';
import { runSync } from './run-sync.ts';
import type { RunSyncOptions } from './sync-options.ts';
import type { SyncReport } from './sync-report.ts';

export const TOKEN = '5ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7';
export const GTINS = ['9524010000016', '9524010000023', '9524010000030', '0412345000018'];
export const LANGUAGES = ['de-de', 'en-gb'];

type Row = Record<string, unknown>;

/** Both interfaces on one loopback server, with data that a test may change and faults that it may put in. */
export interface TestUpstream {
  server: TestServer;
  /** `<gtin>/<language>` -> record. */
  products: Map<string, ProductRecord>;
  languages: unknown;
  /** Route below the REST root, such as `posts` -> rows. */
  lists: Record<string, Row[]>;
  /** Path -> file. */
  files: Map<string, { body: Buffer; type: string; headers?: Record<string, string> }>;
  /** Answers the n-th request (from 1) instead of the interfaces; returns false to let them. */
  fault: ((index: number, request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  settings: Settings;
  upstreams: Upstreams;
  sync(options?: Partial<RunSyncOptions>): Promise<SyncReport>;
  /** What the loggers were told. */
  log: string[];
  close(): Promise<void>;
}

export async function startTestUpstream(options: Partial<OptionsInput> = {}): Promise<TestUpstream> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sortiment-sync-'));
  const products = new Map(
    GTINS.flatMap((gtin) =>
      LANGUAGES.map((language): [string, ProductRecord] => [
        `${gtin}/${language}`,
        createProduct({ gtin, language, name: `Produkt ${gtin.slice(-4)}` }),
      ]),
    ),
  );
  const server = await startTestServer((request, response) => {
    if (upstream.fault?.(server.seen.length, request, response)) return;
    answer(upstream, request, response);
  });
  const config = defineConfig({
    site: { name: 'Test' },
    maker: { name: 'Test', address: ['Test'], email: 'test@test.example' },
    mainLanguage: 'de-de',
    assortment: () => GTINS.map((gtin) => ({ gtin, family: 'membranes' })),
    ...options,
    sync: { retries: 0, timeoutMs: 2000, ...options.sync },
  });
  const log: string[] = [];
  const say = (message: string) => void log.push(message);
  const upstream: TestUpstream = {
    server,
    products,
    languages: LANGUAGES,
    lists: { posts: [], pages: [], media: [], categories: [], tags: [], users: [] },
    files: new Map(),
    fault: undefined,
    settings: resolveSettings(folder, config, {}),
    upstreams: {
      product: { root: `${server.origin}/api/partner/v1/`, token: TOKEN },
      publishing: { siteUrl: server.origin, restRoot: 'detect', namespaces: 'detect' },
    },
    log,
    sync: (more = {}) =>
      runSync(upstream.settings, {
        upstreams: upstream.upstreams,
        logger: { debug: say, info: say, warn: say, error: say },
        environment: {},
        ...more,
      }),
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
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
  const record = upstream.products.get(`${gtin}/${url.searchParams.get('language')}`);
  if (record) sendJson(response, record);
  else sendJson(response, { detail: 'No Product matches the given query.' }, { status: 404 });
}

function answerPublishing(upstream: TestUpstream, response: ServerResponse, url: URL): void {
  const [, name = '', id] = url.pathname.replace('/wp-json/', '/').replace('/wp/v2', '').split('/');
  if (name === '') {
    sendJson(response, {
      name: 'Signal &amp; Noise',
      description: '',
      url: upstream.server.origin,
      home: upstream.server.origin,
      namespaces: ['oembed/1.0', 'wp/v2'],
    });
    return;
  }
  const rows = upstream.lists[name] ?? [];
  if (id) {
    const row = rows.find((candidate) => String(candidate['id']) === id);
    if (row) sendJson(response, row);
    else sendJson(response, { code: 'rest_post_invalid_id' }, { status: 404 });
    return;
  }
  const page = Number(url.searchParams.get('page'));
  const size = Number(url.searchParams.get('per_page'));
  const headers = { 'x-wp-total': String(rows.length), 'x-wp-totalpages': String(Math.ceil(rows.length / size)) };
  sendJson(response, rows.slice((page - 1) * size, page * size), { headers });
}

/** A row of the publishing interface's post list. */
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

/** A row of the media list. */
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
