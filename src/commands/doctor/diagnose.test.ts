import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UpstreamProfile } from './probe-product-interface.ts';
import { defineConfig, resolveSettings, type Environment, type OptionsInput, type Settings } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import {
  byId,
  createHead,
  createPost,
  createProduct,
  languages,
  SITE,
  writeSnapshot,
} from '#catalogue/testing/write-snapshot.ts';
import { describeProfile } from './check-upstreams.ts';
import { checkNode, diagnose } from './diagnose.ts';
import { formatFindings, type Finding } from './finding.ts';

const TOKEN = 'c0ffee00'.repeat(5);
const GTIN = '9524010000016';

let server: Server;
let address: string;
let folder: string;
/** Maps paths to status and body; other paths return an HTML page with 404. */
let answers: Record<string, [number, unknown]>;

beforeAll(async () => {
  server = createServer((req, res) => {
    const [status, body] = answers[(req.url ?? '').split('?', 1)[0] ?? ''] ?? [404, undefined];
    const accepted = !req.url?.startsWith('/api/') || req.headers.authorization === `Token ${TOKEN}`;
    res.writeHead(accepted ? status : 401, { 'Content-Type': body === undefined ? 'text/html' : 'application/json' });
    res.end(body === undefined ? '<h1>No</h1>' : JSON.stringify(accepted ? body : { detail: 'Invalid token.' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sortiment-doctor-'));
  writeFileSync(path.join(folder, 'package.json'), '{"version":"0.1.0","engines":{"node":">=22.18"}}');
  mkdirSync(path.join(folder, 'content/assortment'), { recursive: true });
  writeFileSync(path.join(folder, 'content/assortment/range.csv'), `gtin\n${GTIN}\n`);
  answers = {
    '/api/partner/v1/language/': [200, ['de-de', 'en-gb']],
    [`/api/partner/v1/product/${GTIN}/`]: [200, createProduct()],
    '/wp-json/': [
      200,
      { name: 'Journal', description: '', url: address, home: address, namespaces: ['wp/v2', 'oembed/1.0'] },
    ],
  };
});

function settingsFor(environment: Partial<Environment> = {}, options: Partial<OptionsInput> = {}): Settings {
  const choices = defineConfig({
    site: { name: 'Haldenwerk' },
    maker: { name: 'Haldenwerk GmbH', address: ['Am Lehmgraben 12'], email: 'kontakt@haldenwerk.example' },
    mainLanguage: 'de-de',
    ...options,
  });
  const upstreams = { PRODUCT_API_URL: address, PRODUCT_API_TOKEN: TOKEN, PUBLISHING_URL: address };
  return resolveSettings(folder, choices, { ...upstreams, ...environment } as Environment);
}

const examine = async (settings: Settings): Promise<Record<string, Finding>> =>
  Object.fromEntries((await diagnose(async () => settings)).map((finding) => [finding.check, finding]));

const states = (findings: Record<string, Finding>): Record<string, string> =>
  Object.fromEntries(Object.values(findings).map(({ check, status }) => [check, status]));

describe('doctor', () => {
  it('finds nothing wrong where everything is set up', async () => {
    const findings = await examine(settingsFor());
    expect(states(findings)).toEqual({
      Node: 'ok',
      Configuration: 'ok',
      'GTIN list': 'ok',
      'Product interface': 'ok',
      Languages: 'ok',
      Token: 'ok',
      'A product': 'ok',
      Refusals: 'ok',
      'Unknown GTIN': 'warn',
      Translations: 'ok',
      Transfer: 'ok',
      Additions: 'ok',
      Clock: 'ok',
      'Publishing site': 'ok',
      Namespaces: 'ok',
      Snapshot: 'warn',
      'Built site': 'warn',
      Completeness: 'skip',
      'Texts of the site': 'skip',
      'Security contact': 'skip',
      Disk: 'ok',
    });
    expect(findings['Namespaces']?.message).toContain('core/v2 = wp/v2');
  });

  it('learns how the interface behaves', async () => {
    const settings = settingsFor();
    const findings = await examine(settings);
    expect(findings['Refusals']?.message).toBe('401 without a token, 401 for a bad one');
    expect(findings['Translations']?.message).toContain("isn't translated into en-gb");
    expect(findings['Additions']?.message).toBe('none');
    expect(JSON.stringify(findings)).not.toContain(TOKEN);
  });

  it('says which variable a hook lacks, also one that only the environment names', async () => {
    vi.stubEnv('SORTIMENT_HOOK_URL', address);
    try {
      const named = await examine(settingsFor({ SORTIMENT_HOOK_URL: address }));
      expect(named['Hooks']).toMatchObject({
        status: 'warn',
        message: '"default" is never called: SORTIMENT_HOOK_SECRET is not set',
      });
      const token = await examine(settingsFor({}, { hooks: [{ name: 'ci', type: 'gitlab', project: '1' }] }));
      expect(token['Hooks']).toMatchObject({ message: '"ci" is never called: SORTIMENT_HOOK_TOKEN is not set' });
      vi.stubEnv('SORTIMENT_HOOK_SECRET', `whsec_${Buffer.alloc(32).toString('base64')}`);
      const ready = await examine(settingsFor({ SORTIMENT_HOOK_URL: address }));
      expect(ready['Hooks']).toMatchObject({ status: 'ok', message: 'default (generic)' });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('says when the token is not accepted, without showing it', async () => {
    const findings = await examine(settingsFor({ PRODUCT_API_TOKEN: `${TOKEN}x` }));
    expect(findings['Token']).toMatchObject({ status: 'fail', hint: expect.stringContaining('PRODUCT_API_TOKEN') });
    expect(JSON.stringify(findings)).not.toContain(TOKEN);
  });

  it('shows what the site calls its namespaces, which it leaves, and fails for a name that it does not have', async () => {
    const index = { name: 'Journal', description: '', url: address, home: address };
    const namespaces = ['wp/v2', 'oembed/1.0', 'acme/v1', 'acme-pictures/v1'];
    const routes = { '/acme/v1/get_head': {}, '/acme-pictures/v1/attachmentinfo/(?P<id>[\\d]+)': {} };
    answers['/wp-json/'] = [200, { ...index, namespaces, routes }];
    expect((await examine(settingsFor()))['Namespaces']).toEqual({
      check: 'Namespaces',
      status: 'ok',
      message:
        'core/v2 = wp/v2, seo/v1 = acme/v1\nUnused namespaces of the publishing site: oembed/1.0, acme-pictures/v1 (thumbnails/v1).',
    });
    const wrong = await examine(settingsFor({ PUBLISHING_NAMESPACES: { 'seo/v1': 'gone/v1' } }));
    expect(wrong['Namespaces']).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('gone/v1, for seo/v1, is not among the namespaces of the site'),
      hint: expect.stringContaining('PUBLISHING_NAMESPACES'),
    });
    answers['/wp-json/'] = [200, { ...index, namespaces, routes: { ...routes, '/acme-pictures/v1/get_head': {} } }];
    expect((await examine(settingsFor()))['Namespaces']).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('seo/v1: acme-pictures/v1, acme/v1'),
      hint: expect.stringContaining('PUBLISHING_NAMESPACES'),
    });
  });

  it('says what is sent when there are a token and a user, and who is let in without a token', async () => {
    const account = { PRODUCT_API_USER: 'api', PRODUCT_API_PASSWORD: 'geheimnis' };
    const both = await examine(settingsFor(account));
    expect(both['Token']).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('for files on its host only'),
    });
    const alone = await examine(settingsFor({ ...account, PRODUCT_API_TOKEN: undefined }));
    expect(alone['Sign-in']).toMatchObject({ status: 'fail', hint: expect.stringContaining('PRODUCT_API_PASSWORD') });
    expect(JSON.stringify({ both, alone })).not.toContain('geheimnis');
  });

  it('says when nothing answers, or something else does', async () => {
    const away = await examine(
      settingsFor({ PRODUCT_API_URL: 'http://127.0.0.1:9', PUBLISHING_URL: 'http://127.0.0.1:9' }),
    );
    expect(away['Product interface']?.status).toBe('fail');
    expect(away['Publishing site']?.status).toBe('fail');
    answers = {};
    const wrong = await examine(settingsFor());
    expect(wrong['Product interface']?.hint).toContain('PRODUCT_API_URL');
    expect(wrong['Publishing site']?.hint).toContain('PUBLISHING_URL');
  });

  it('says when the list of languages is incomplete', async () => {
    answers['/api/partner/v1/language/'] = [200, { count: 3, next: null, results: ['de-de', 'en-gb'] }];
    expect((await examine(settingsFor()))['Languages']).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('has 2 entries, but announces 3'),
    });
  });

  it('says when a language is wanted that the interface does not list', async () => {
    const findings = await examine(settingsFor({}, { languages: ['de-de', 'it-it'] }));
    expect(findings['Languages']).toMatchObject({ status: 'fail', message: expect.stringContaining('it-it') });
  });

  it('names the place of a wrong GTIN', async () => {
    writeFileSync(path.join(folder, 'content/assortment/range.csv'), 'gtin\n9524010000017\n');
    const findings = await examine(settingsFor());
    expect(findings['GTIN list']).toMatchObject({ status: 'fail', message: expect.stringContaining('9524010000017') });
  });

  it('looks at the snapshot: its age, and hosts that may not be fetched from', async () => {
    writeSnapshot(
      {
        products: [{ language: 'de-de', record: createProduct() }],
        records: { language: languages('de-de') },
        assets: [{ url: 'https://cdn.example/a.png', kind: 'image' }],
      },
      folder,
    );
    const findings = await examine(settingsFor());
    expect(findings['Snapshot']?.message).toMatch(/last compared/);
    expect(findings['Media hosts']).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('cdn.example (1 file'),
    });
    const allowed = await examine(settingsFor({}, { mediaHosts: ['cdn.example'] }));
    expect(allowed['Media hosts']?.status).toBe('ok');
  });

  it('says that the pages are kept from search engines, and checks them nevertheless', async () => {
    const site = { name: 'Journal', description: '', url: SITE };
    const posts = [1, 2].map((id) => createPost({ id, slug: `p${id}`, title: 'Gleich' }));
    const heads = [
      createHead({ id: 'home/0', subject: { kind: 'home', id: 0 }, robots: ['noindex'] }),
      ...posts.map(({ id }) => createHead({ id: `post/${id}`, subject: { kind: 'post', id }, robots: ['noindex'] })),
    ];
    const records = {
      language: languages('de-de'),
      site: [{ id: 'site', record: site }],
      post: byId(...posts),
      head: byId(...heads),
    };
    writeSnapshot({ records }, folder);
    const findings = await examine(settingsFor());
    expect(findings['Search engines']).toMatchObject({
      status: 'warn',
      message: 'de-de: 3 of 3 pages (the home page too) are kept from search engines (noindex)',
      hint: expect.stringContaining('Settings, Reading'),
    });
    expect(findings['Page titles']?.message).toContain('2: same title as another page');
  });

  it('names links of local pages to what is gone, and writes names without entities', async () => {
    writeSnapshot({ records: { language: languages('de-de') } }, folder);
    mkdirSync(path.join(folder, 'content/pages/de-de'), { recursive: true });
    writeFileSync(path.join(folder, 'content/pages/de-de/home.mdx'), '[Bahnen](/de-de/products/membranes/)\n');
    const index = { description: '', url: address, home: address, namespaces: ['wp/v2'] };
    answers['/wp-json/'] = [200, { ...index, name: 'Signal &amp; Noise &#8211; Blog' }];
    const findings = await examine(settingsFor());
    expect(findings['Links']).toMatchObject({
      status: 'warn',
      message:
        'content/pages/de-de/home.mdx:1 links to /de-de/products/membranes/, a family that is not in the catalogue',
    });
    expect(findings['Publishing site']?.message).toContain('"Signal & Noise – Blog" answers');
    expect(formatFindings(Object.values(findings), { colours: false })).not.toMatch(/&\w+;|&#\d+;/);
  });

  it('keeps a product whose invalid field the sync leaves out, unless that is strict', async () => {
    answers[`/api/partner/v1/product/${GTIN}/`] = [200, createProduct({ price: 'auf Anfrage' })];
    expect((await examine(settingsFor()))['A product']?.status).toBe('ok');
    const strict = await examine(settingsFor({}, { sync: { invalidFields: 'strict' } }));
    expect(strict['A product']?.status).toBe('fail');
  });

  it('says when the built site is older than the snapshot', async () => {
    writeSnapshot({ records: { language: languages('de-de') }, digest: 'new' }, folder);
    mkdirSync(path.join(folder, 'dist'));
    const build = (digest: string) =>
      writeFileSync(
        path.join(folder, 'dist/build.json'),
        JSON.stringify({ digest, built: '2026-11-20T08:00:00Z', pages: 7 }),
      );
    build('old');
    expect((await examine(settingsFor()))['Built site']).toMatchObject({
      status: 'warn',
      hint: 'Run `npm run build`.',
    });
    build('new');
    expect((await examine(settingsFor()))['Built site']?.status).toBe('ok');
  });

  it('does not touch the network when it may not', async () => {
    const findings = await examine(settingsFor({ SORTIMENT_OFFLINE: true, PRODUCT_API_URL: 'http://127.0.0.1:9' }));
    expect(findings['Upstreams']?.status).toBe('skip');
    expect(findings['Snapshot']?.status).toBe('fail');
  });

  it('takes a broken configuration as a finding', async () => {
    const findings = await diagnose(() =>
      Promise.reject(new SortimentError('CONFIG_INVALID', 'langauges is not a known option', { hint: 'Correct it.' })),
    );
    expect(findings.at(-1)).toEqual({
      check: 'Configuration',
      status: 'fail',
      message: 'langauges is not a known option',
      hint: 'Correct it.',
    });
  });

  it('refuses a Node that is too old', async () => {
    expect((await checkNode(folder, '20.11.1')).status).toBe('fail');
    expect((await checkNode(folder, '22.17.9')).status).toBe('fail');
    expect((await checkNode(folder, '24.0.0')).status).toBe('ok');
  });
});

const createProfile = (changes: Partial<UpstreamProfile> = {}): UpstreamProfile => ({
  unauthorisedStatus: 401,
  badTokenStatus: 401,
  unknownProduct: 'json-404',
  unknownLanguage: 'refused',
  untranslated: [],
  validators: { etag: true, lastModified: false, notModified: true },
  head: true,
  additions: { list: true, export: false },
  gzip: true,
  ...changes,
});

describe('a profile', () => {
  it('of a good interface is fine throughout', () => {
    expect(describeProfile(createProfile({ clockSkewSeconds: 60 })).map(({ status }) => status)).not.toContain('warn');
  });

  it.each<[Partial<UpstreamProfile>, string, string]>([
    [{ badTokenStatus: 'other' }, 'Refusals', 'neither 401 nor 403 for a bad one'],
    [{ unknownProduct: 'html-404' }, 'Unknown GTIN', 'not in JSON'],
    [{ clockSkewSeconds: -61 }, 'Clock', '61 s behind this machine'],
    [{ deprecation: '2026-01-01T00:00:00.000Z' }, 'Deprecation', '2026-01-01'],
    [{ sunset: '2027-01-01T00:00:00.000Z' }, 'Sunset', '2027-01-01'],
  ])('with %o warns', (changes, check, text) => {
    const warnings = describeProfile(createProfile(changes)).filter(({ status }) => status === 'warn');
    expect(warnings).toMatchObject([{ check, message: expect.stringContaining(text), hint: expect.any(String) }]);
  });

  it.each<[Partial<UpstreamProfile>, string]>([
    [{ unauthorisedStatus: 403, badTokenStatus: 403 }, '403 without a token, 403 for a bad one'],
    [{ unauthorisedStatus: 'accepted' }, 'the product without a token'],
    [{ validators: { etag: false, lastModified: false, notModified: false } }, 'no validators'],
    [{ additions: { list: true, export: true } }, 'a product list and an export'],
    [{ unknownLanguage: 'fallback', untranslated: ['fr-fr'] }, 'in another language'],
  ])('with %o says so', (changes, text) => {
    const messages = describeProfile(createProfile(changes)).map(({ message }) => message);
    expect(messages.join('\n')).toContain(text);
  });
});

it('writes findings as a table with what to do', () => {
  const findings: Finding[] = [
    { check: 'Node', status: 'ok', message: '24.21.0' },
    { check: 'Token', status: 'fail', message: '401', hint: 'Set PRODUCT_API_TOKEN.' },
  ];
  expect(formatFindings(findings, { colours: false })).toBe(
    [
      'ok    Node   24.21.0',
      'fail  Token  401',
      '             -> Set PRODUCT_API_TOKEN.',
      '',
      '1 passed, 0 warnings, 1 failed',
    ].join('\n'),
  );
});
