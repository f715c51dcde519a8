import sharp from 'sharp';
import { sendJson } from '#client/testing/test-server.ts';
import { recordedHeads, type RecordedHead } from '#contracts/seo/testing/recorded-heads.ts';
import { createPost, type TestUpstream } from './test-upstream.ts';

/** Heads of the test server. Tests change them as editors do. */
export interface TestHeads {
  heads: RecordedHead[];
  /** Further settings in the list of heads, by `<kind>/<id>`. */
  settings: Map<string, { is_cornerstone: boolean; breadcrumb_title: string; redirect: string }>;
  /** Modification date of a head, by `<kind>/<id>`; defaults to the distant past. */
  modified: Map<string, string>;
  /** Available routes: the list of all heads, and the route for one head. */
  routes: { list: boolean; one: boolean };
  /** Namespace in the server's index. */
  namespace: string;
  of(kind: RecordedHead['kind']): RecordedHead;
}

const TYPES: Readonly<Record<string, string>> = { tag: 'post_tag', author: 'user', episode: 'podcast' };
const LONG_AGO = '2026-01-01T00:00:00.000Z';

/** Adds recorded heads to the test server, and their rows. */
export async function addHeads(upstream: TestUpstream): Promise<TestHeads> {
  const { origin } = upstream.server;
  const test: TestHeads = {
    heads: recordedHeads(origin),
    settings: new Map(),
    modified: new Map(),
    routes: { list: true, one: true },
    namespace: 'seo/v1',
    of: (kind) => {
      const found = test.heads.find((head) => head.kind === kind);
      if (!found) throw new Error(`No head of a ${kind} was recorded.`);
      return found;
    },
  };
  upstream.namespaces.push('seo/v1');
  upstream.tagline = String(test.of('home').json['description']);
  const body = await sharp({ create: { width: 80, height: 120, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
  upstream.files.set('/uploads/2026/11/portrait.jpg', { body, type: 'image/jpeg' });
  for (const head of test.heads) addRow(upstream, head);
  const before = upstream.fault;
  upstream.fault = (index, request, response) => {
    const url = new URL(request.url ?? '/', origin);
    if (!url.pathname.startsWith(`/wp-json/${test.namespace}/`)) return before?.(index, request, response) ?? false;
    const noRoute = () => sendJson(response, { code: 'rest_no_route', data: { status: 404 } }, { status: 404 });
    if (url.pathname.endsWith('/heads') && test.routes.list) {
      const after = url.searchParams.get('modified_after') ?? '';
      const rows = test.heads.filter(
        (head) => head.status === 200 && (test.modified.get(nameOf(head)) ?? LONG_AGO) > after,
      );
      const headers = { 'x-wp-total': String(rows.length), 'x-wp-totalpages': '1' };
      sendJson(
        response,
        rows.map((head) => listed(head, test)),
        { headers },
      );
    } else if (url.pathname.endsWith('/get_head') && test.routes.one) {
      const address = url.searchParams.get('url');
      const head = test.heads.find((one) => one.url === address) ?? test.of('missing');
      const { json, status } = head;
      sendJson(response, { html: '', json, status }, { status });
    } else noRoute();
    return true;
  };
  return test;
}

function nameOf({ kind, id }: RecordedHead): string {
  return `${kind}/${id}`;
}

function listed(head: RecordedHead, { settings, modified }: TestHeads) {
  return {
    type: TYPES[head.kind] ?? head.kind,
    subtype: '',
    id: head.id,
    url: head.url,
    modified: modified.get(nameOf(head)) ?? LONG_AGO,
    head: head.json,
    settings: settings.get(nameOf(head)) ?? { is_cornerstone: false, breadcrumb_title: '', redirect: '' },
  };
}

/** Text that built-in templates add to a name. */
const AROUND = / Archives - Signal &amp; Noise$| - Signal &amp; Noise$|, Author at Signal &amp; Noise$/;

function addRow(upstream: TestUpstream, { kind, id, url, json }: RecordedHead): void {
  const slug = url.split('/').at(-2) ?? '';
  const name = String(json['title']).replace(AROUND, '');
  const description = String(json['og_description'] ?? '');
  const { categories, tags, sticky, format, ...shared } = createPost({
    id,
    slug,
    link: url,
    title: { rendered: name },
    excerpt: { rendered: `<p>${description}</p>`, protected: false },
  });
  const term = { id, slug, link: url, name, description, count: 1, meta: [] };
  if (kind === 'post') upstream.lists['posts']?.push({ ...shared, sticky, format, categories, tags });
  if (kind === 'page') upstream.lists['pages']?.push({ ...shared, type: 'page', parent: 0, menu_order: 0 });
  if (kind === 'category') upstream.lists['categories']?.push({ ...term, taxonomy: 'category', parent: 0 });
  if (kind === 'tag') upstream.lists['tags']?.push({ ...term, taxonomy: 'post_tag' });
  if (kind === 'author') upstream.lists['users']?.push({ id, slug, link: url, name, description, url: '' });
}
