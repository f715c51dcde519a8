import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import sharp from 'sharp';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeServer } from '#client/testing/test-server.ts';
import { inspectSite } from '#commands/checks/inspect-site.ts';
import { createProduct } from '#snapshot/testing/fill-snapshot.ts';
import { lockSnapshot } from '#snapshot/index.ts';
import { formatReport } from './report/format-report.ts';
import {
  createMedia,
  createPost,
  GTINS,
  createGtins,
  startTestUpstream,
  TOKEN,
  type TestUpstream,
} from './testing/test-upstream.ts';

let upstream: TestUpstream;
beforeEach(async () => {
  upstream = await startTestUpstream({ hooks: [{ name: 'site' }] });
});
afterEach(() => upstream.close());

const [FIRST = '', SECOND = ''] = GTINS;

const at = (iso: string) => ({ now: () => new Date(iso) });

const failure = (options?: Parameters<TestUpstream['sync']>[0]): Promise<Error & { code: string; hint: string }> =>
  upstream.sync(options).then(
    () => {
      throw new Error('It did not fail.');
    },
    (error: unknown) => error as Error & { code: string; hint: string },
  );

/** A post whose every text begins alike. */
const secret = (modified_gmt: string, words: string) =>
  createPost({
    modified_gmt,
    title: { rendered: `Geheimtitel ${words}` },
    excerpt: { rendered: `Geheimauszug ${words}`, protected: false },
    // Long enough to need overflow pages of the database.
    content: { rendered: `<p>Geheimtext ${words} ${'und mehr Geheimes '.repeat(2000)}</p>`, protected: false },
    meta: { _seo_title: `Geheimmeta ${words}` },
  });

describe('a first run', () => {
  it('takes over products in every language, in the order of the assortment', async () => {
    const report = await upstream.sync();
    expect(report).toMatchObject({
      changed: true,
      previousDigest: undefined,
      problems: [],
      counts: { product: { 'de-de': { added: 4 }, 'en-gb': { added: 4 } }, language: { '': { added: 2 } } },
    });
    upstream.read((snapshot) => {
      expect(snapshot.digest()).toBe(report.digest);
      expect([...snapshot.products()].map(({ gtin, language }) => `${gtin} ${language}`)).toEqual(
        GTINS.flatMap((gtin) => [`${gtin} de-de`, `${gtin} en-gb`]),
      );
      expect(snapshot.product(FIRST, 'de-de')).toMatchObject({
        family: 'membranes',
        position: 0,
        record: { width: '1.500' },
      });
      expect(snapshot.languages()).toMatchObject([{ code: 'de-de', name: 'Deutsch (Deutschland)' }, { code: 'en-gb' }]);
      expect(snapshot.families()).toMatchObject([{ id: 'membranes' }]);
      expect(snapshot.sources().map(({ name }) => name)).toEqual(['product', 'publishing']);
    });
  });

  it('takes over what the publishing site shows to everybody, sanitised', async () => {
    upstream.lists['posts'] = [
      createPost({
        id: 1,
        content: {
          rendered: '<p onclick="x()">Text <a href="/kontakt/">hier</a><script>x</script></p>',
          protected: false,
        },
      }),
      createPost({ id: 2, content: { rendered: '', protected: true } }),
      createPost({ id: 3, status: 'private' }),
      { ...createPost({ id: 4 }), slug: 17 },
    ];
    upstream.lists['pages'] = [createPost({ id: 5, type: 'page', parent: 0, menu_order: 3 })];
    upstream.lists['media'] = [createMedia()];
    upstream.lists['categories'] = [
      { id: 1, link: '', name: 'Bau &amp; Technik', slug: 'bau', taxonomy: 'category', parent: 0 },
    ];
    upstream.lists['users'] = [{ id: 1, name: 'Redaktion', url: '', description: '', link: '', slug: 'redaktion' }];
    const report = await upstream.sync();
    expect(report.problems).toMatchObject([{ kind: 'post', field: 'slug', count: 1, sample: { id: '4', wire: '17' } }]);
    upstream.read((snapshot) => {
      expect(snapshot.site()).toMatchObject({ name: 'Signal & Noise', url: upstream.server.origin });
      expect([...snapshot.records('post')]).toMatchObject([
        {
          id: 1,
          title: 'Luft – dicht',
          html: '<p>Text <a href="https://site.example/kontakt/">hier</a></p>',
          excerpt: '',
          published: '2026-11-20T09:00:00Z',
          categories: [1],
        },
      ]);
      expect([...snapshot.records('page')]).toMatchObject([{ id: 5, menuOrder: 3 }]);
      expect([...snapshot.records('media')]).toMatchObject([
        { id: 20, caption: '<p>Unterschrift</p>', alt: 'Ein Bild' },
      ]);
      expect([...snapshot.records('category'), ...snapshot.records('tag')]).toMatchObject([
        { id: 1, taxonomy: 'category', name: 'Bau & Technik' },
      ]);
      expect([...snapshot.records('author')]).toMatchObject([{ name: 'Redaktion' }]);
    });
  });

  it('goes without authors where the site keeps them to itself', async () => {
    upstream.fault = (_, request, response) => {
      if (!request.url?.includes('/users')) return false;
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"rest_user_cannot_view"}');
      return true;
    };
    expect((await upstream.sync()).warnings).toMatchObject([{ kind: 'author', count: 1 }]);
  });

  it('works with either upstream alone', async () => {
    const { product, publishing } = upstream.upstreams;
    await upstream.sync({ upstreams: { ...(publishing && { publishing }) } });
    upstream.read((snapshot) => expect([...snapshot.products()]).toEqual([]));
    const report = await upstream.sync({ upstreams: { ...(product && { product }) } });
    expect(report.counts.product).toBeDefined();
    upstream.read((snapshot) => expect(snapshot.site()?.name).toBe('Signal & Noise'));
    expect(await failure({ upstreams: {} })).toMatchObject({ code: 'UPSTREAM_MISSING' });
  });
});

describe('the answers of the product interface', () => {
  it('a JSON 404 in one language means that there is no such translation', async () => {
    upstream.products.delete(`${FIRST}/en-gb`);
    const report = await upstream.sync();
    expect(report.warnings).toMatchObject([{ kind: 'product', count: 1, sample: { id: FIRST, language: 'en-gb' } }]);
    upstream.read((snapshot) => expect(snapshot.product(FIRST, 'en-gb')).toBeUndefined());
  });

  it('a record in another language is kept as a fallback, under the language that was asked for', async () => {
    upstream.products.set(`${FIRST}/en-gb`, createProduct({ gtin: FIRST, language: 'de-de' }));
    await upstream.sync();
    upstream.read((snapshot) => {
      expect(snapshot.product(FIRST, 'en-gb')).toMatchObject({ language: 'en-gb', record: { language: 'de-de' } });
    });
  });

  it('bad records are quarantined, all of them named at once, and the last good ones stay', async () => {
    await upstream.sync();
    upstream.settings.options.sync.invalidFields = 'strict';
    upstream.products.set(`${FIRST}/de-de`, createProduct({ gtin: FIRST, price: 'viel' }));
    upstream.products.set(`${SECOND}/de-de`, createProduct({ gtin: SECOND, price: 'wenig', name: '' }));
    upstream.products.set(`${SECOND}/en-gb`, createProduct({ gtin: FIRST, language: 'en-gb' }));
    const report = await upstream.sync();
    expect(report.changed).toBe(false);
    expect(report.problems.toSorted((a, b) => a.field.localeCompare(b.field))).toMatchObject([
      { field: 'gtin', count: 1, sample: { id: SECOND, language: 'en-gb', wire: `"${FIRST}"` } },
      { field: 'name', count: 1, sample: { id: SECOND, wire: '""' } },
      { field: 'price', count: 2, sample: { id: FIRST, language: 'de-de', wire: '"viel"' } },
    ]);
    expect(report.invalidRecords).toEqual({ count: 3, withLastGood: 3 });
    expect(formatReport(report)).toMatch(
      /2 product records: price is not a number with a decimal point\n +9524010000016 de-de: "viel"\n +9524010000023 de-de: "wenig"\n +-> /,
    );
    upstream.read((snapshot) => expect(snapshot.product(FIRST, 'de-de')?.record.price).toBe(142.5));
  });

  it('an invalid optional field keeps its last good value, with its date in a warning, as long as it is invalid', async () => {
    upstream.validators = true;
    await upstream.sync(at('2026-11-20T08:00:00Z'));
    const key = `${FIRST}/de-de`;
    const good = upstream.products.get(key);
    const invalid = { ...good, price: 'viel', width: '', attributes: 'siehe Blatt', application: 7 };
    upstream.products.set(key, invalid as never);
    upstream.products.set(`${SECOND}/de-de`, createProduct({ gtin: SECOND, name: 'Produkt', price: 'wenig' }));
    const isKept = expect.stringMatching(/ of 2026-11-20 stays$/);
    for (const day of ['21', '22', '23']) {
      // The second run is answered by 304; in the third the rest of the record changes.
      if (day === '23') upstream.products.set(key, { ...invalid, intro: 'Neu' } as never);
      const report = await upstream.sync(at(`2026-11-${day}T08:00:00Z`));
      expect(report.problems).toEqual([]);
      const warnings = report.warnings.toSorted((a, b) => a.field.localeCompare(b.field));
      expect(warnings, day).toMatchObject([
        {
          field: 'application',
          examples: [`${FIRST} de-de: 7; ${JSON.stringify(good?.application)} of 2026-11-20 stays`],
        },
        { field: 'attributes', examples: [isKept] },
        {
          field: 'price',
          count: 2,
          problem: expect.stringContaining('so its last good value stays'),
          examples: [`${FIRST} de-de: "viel"; 142.5 of 2026-11-20 stays`, isKept],
        },
        { field: 'width', examples: [`${FIRST} de-de: ""; "1.500" of 2026-11-20 stays`] },
      ]);
    }
    upstream.read((snapshot) => expect(snapshot.product(FIRST, 'de-de')?.record).toEqual({ ...good, intro: 'Neu' }));
    upstream.fillProducts([FIRST, SECOND]);
    expect((await upstream.sync()).warnings).toEqual([]);
  });

  it('an invalid field without a last good value, of this language and this interface, is left out', async () => {
    const [key, english] = [`${FIRST}/de-de`, `${FIRST}/en-gb`];
    upstream.products.set(key, createProduct({ gtin: FIRST, price: 'viel' }));
    upstream.products.set(english, createProduct({ gtin: FIRST, language: 'de-de', intro: 'Deutsch' }));
    const left = expect.objectContaining({ field: 'price', problem: expect.stringContaining('the field is left out') });
    expect((await upstream.sync()).warnings).toContainEqual(left);
    upstream.products.set(english, createProduct({ gtin: FIRST, language: 'en-gb', intro: ['?'] as never }));
    await upstream.sync();
    upstream.read((snapshot) => {
      expect(snapshot.product(FIRST, 'de-de')?.record).not.toHaveProperty('price');
      expect(snapshot.product(FIRST, 'en-gb')?.record).not.toHaveProperty('intro');
    });
    const other = await startTestUpstream();
    other.products.set(english, createProduct({ gtin: FIRST, language: 'en-gb', application: 7 as never }));
    await upstream.sync({ upstreams: other.upstreams });
    upstream.read((snapshot) => expect(snapshot.product(FIRST, 'en-gb')?.record).not.toHaveProperty('application'));
    await other.close();
  });

  it('an invalid field that a product can do without may be left out, with a warning as long as it is invalid', async () => {
    upstream.settings.options.sync.invalidFields = 'drop';
    upstream.validators = true;
    await upstream.sync();
    const key = `${FIRST}/de-de`;
    const record = { ...upstream.products.get(key), price: 'viel', width: '', datasheet: '/files/d.pdf' };
    Reflect.deleteProperty(record, 'availability');
    upstream.products.set(key, record as never);
    upstream.products.set(`${SECOND}/de-de`, createProduct({ gtin: SECOND, name: 'Produkt', price: 'wenig' }));
    const expected = [
      { field: 'availability', examples: [`${FIRST} de-de`] },
      { field: 'datasheet', examples: [`${FIRST} de-de: "/files/d.pdf"`] },
      { field: 'price', count: 2, examples: [`${FIRST} de-de: "viel"`, `${SECOND} de-de: "wenig"`] },
      { field: 'width', examples: [`${FIRST} de-de: ""`] },
    ];
    // The second run is answered by 304, the third goes on where another one has ended.
    for (const round of [1, 2, 3]) {
      const stop = new AbortController();
      upstream.fault = () => (round === 3 && upstream.log.push('x') > 7 ? (stop.abort(), true) : false);
      if (round === 3) await upstream.sync({ signal: stop.signal }).catch(() => undefined);
      upstream.fault = undefined;
      const report = await upstream.sync();
      expect(report.problems).toEqual([]);
      const warnings = report.warnings.filter(({ kind }) => kind === 'product');
      expect(
        warnings.toSorted((a, b) => a.field.localeCompare(b.field)),
        `round ${round}`,
      ).toMatchObject(expected.map((group) => ({ ...group, advice: expect.stringContaining('product interface') })));
      if (round === 1) expect(formatReport(report)).toContain('price 142.5 -> nothing');
    }
    upstream.read((snapshot) => {
      const stored = snapshot.product(FIRST, 'de-de')?.record;
      expect(stored).toMatchObject({ availability: 'unknown', datasheet: `${upstream.server.origin}/files/d.pdf` });
      expect(stored).not.toHaveProperty('price');
    });
    upstream.fillProducts([FIRST, SECOND]);
    expect((await upstream.sync()).warnings).toEqual([]);
  });

  it('prices that are left out count as lost', async () => {
    upstream.settings.options.sync.invalidFields = 'drop';
    await upstream.sync();
    for (const gtin of GTINS) upstream.products.set(`${gtin}/de-de`, createProduct({ gtin, price: 'auf Anfrage' }));
    expect(await failure()).toMatchObject({
      code: 'CHANGES_REFUSED',
      message: expect.stringContaining('4 of 8 products would lose their price'),
    });
  });

  it('nothing but bad records is a failure that shows them', async () => {
    for (const [key, record] of upstream.products) upstream.products.set(key, { ...record, gtin: '4012345678902' });
    const error = await failure();
    expect(error.code).toBe('PRODUCTS_UNUSABLE');
    expect(error.message).toMatch(
      /8 product records: gtin is not a GTIN-13 with a valid check digit\n +9524010000016 de-de: "4012345678902"/,
    );
    expect(existsSync(upstream.settings.snapshotPath)).toBe(false);
  });

  it('drift is a warning: an unknown availability, an unknown field', async () => {
    upstream.products.set(`${FIRST}/de-de`, { ...createProduct({ availability: 'soon' }), extra: 1 } as never);
    const report = await upstream.sync();
    expect(report.problems).toEqual([]);
    expect(report.warnings.map(({ field }) => field)).toEqual(['extra', 'availability']);
  });

  it('what it means for the files of the project is in its report: dead links, languages without texts', async () => {
    const { root } = upstream.settings;
    mkdirSync(path.join(root, 'content/pages/de-de'), { recursive: true });
    upstream.languages = ['de-de', 'sv-se'];
    const links = '[da](/de-de/products/membranes/) [weg](/de-de/products/tapes/)';
    writeFileSync(path.join(root, 'content/pages/de-de/home.mdx'), links);
    const report = await upstream.sync({ inspect: (snapshot) => inspectSite(upstream.settings, snapshot) });
    expect(report.warnings).toMatchObject([
      { kind: 'product', count: 4, sample: { language: 'sv-se' } },
      { kind: 'local', examples: ['content/pages/de-de/home.mdx:1: /de-de/products/tapes/'] },
      { kind: 'language', examples: ['sv-se: content/strings/sv.json'] },
    ]);
    expect(formatReport(report)).toContain('1 link: the family that it links to is not in the catalogue');
  });

  it('the pages that are left from the demo are one warning, however many links they have', async () => {
    const { root } = upstream.settings;
    const languages = ['de-de', 'en-gb'];
    for (const language of languages) {
      const links = Array.from({ length: 5 }, (_, i) => `[x](/${language}/products/family-${i}/)`).join('\n');
      mkdirSync(path.join(root, 'content/pages', language), { recursive: true });
      writeFileSync(path.join(root, `content/pages/${language}/home.mdx`), links);
    }
    cpSync('content/strings', path.join(root, 'content/strings'), { recursive: true });
    const report = await upstream.sync({ inspect: (snapshot) => inspectSite(upstream.settings, snapshot) });
    expect(report.warnings).toMatchObject([
      { kind: 'local-page', examples: languages.map((language) => `content/pages/${language}/home.mdx`) },
    ]);
    expect(formatReport(report)).toContain(
      '2 local pages: links only to families and products that are not in the catalogue',
    );
  });

  it('an announced end of the interface is told once', async () => {
    upstream.fault = (_, request, response) => {
      if (request.url?.includes('/product/')) response.setHeader('sunset', 'Fri, 01 Jan 2027 00:00:00 GMT');
      return false;
    };
    expect((await upstream.sync()).warnings).toMatchObject([
      {
        kind: 'source',
        count: 1,
        problem: 'announces that it will end (2027-01-01T00:00:00.000Z)',
        sample: { id: upstream.server.origin },
      },
    ]);
  });

  it('HTML of products is sanitised like any other', async () => {
    upstream.products.set(
      `${FIRST}/de-de`,
      createProduct({ application: '<p class="x">A<script>alert(1)</script></p>' }),
    );
    await upstream.sync();
    upstream.read((snapshot) => expect(snapshot.product(FIRST, 'de-de')?.record.application).toBe('<p>A</p>'));
  });

  it('validators are sent back, and a 304 is as good as the record', async () => {
    let conditional = 0;
    upstream.fault = (_, request, response) => {
      if (!request.url?.includes('/product/')) return false;
      if (request.headers['if-none-match']) {
        conditional += 1;
        response.writeHead(304).end();
      } else {
        const key = /product\/(\d+)\/\?language=(.+)/.exec(request.url);
        response.writeHead(200, { 'content-type': 'application/json', etag: '"1"' });
        response.end(JSON.stringify(upstream.products.get(`${key?.[1]}/${key?.[2]}`)));
      }
      return true;
    };
    const first = await upstream.sync();
    const second = await upstream.sync();
    expect(conditional).toBe(8);
    expect(second).toMatchObject({ changed: false, digest: first.digest });
  });

  it('a language that the interface doesn’t list is refused by name', async () => {
    upstream.settings.options.languages = ['de-de', 'xx-xx'];
    expect(await failure()).toMatchObject({
      code: 'LANGUAGE_UNKNOWN',
      message: expect.stringMatching(/xx-xx.*de-de, en-gb/),
    });
    upstream.settings.options.languages = ['en-gb'];
    expect((await upstream.sync()).counts.product).toEqual({ 'en-gb': { added: 4, changed: 0, removed: 0 } });
  });
});

/** A first run that is stopped when some records were read; then every price changes. */
async function stopThenChange(): Promise<void> {
  const stop = new AbortController();
  upstream.fault = (index) => {
    if (index > 7) stop.abort();
    return false;
  };
  expect(await failure({ signal: stop.signal })).toMatchObject({ code: 'SYNC_STOPPED' });
  upstream.fault = undefined;
  for (const [key, record] of upstream.products) upstream.products.set(key, { ...record, price: 999 });
}
const prices = () =>
  upstream.read((snapshot) => [...snapshot.products()].map(({ record }) => record.price).filter((it) => it !== 999));

describe('a later run', () => {
  it('sees what has changed since a run that ended early has read it, where the server has validators', async () => {
    upstream.validators = true;
    await stopThenChange();
    const report = await upstream.sync();
    expect(report.uncompared.count).toBe(0);
    expect(prices()).toEqual([]);
  });

  it('says of what time the records are that it could not compare, and the next one compares them', async () => {
    await stopThenChange();
    const report = await upstream.sync();
    expect(report.resumed).toBeGreaterThan(0);
    expect(report.uncompared).toEqual({ count: report.resumed, asOf: expect.stringMatching(/^20.*Z$/) });
    expect(prices()).toHaveLength(report.resumed);
    const { asOf = '' } = report.uncompared;
    expect(formatReport(report)).toContain(`as of ${asOf}, when the interrupted sync read`);
    expect((await upstream.sync()).uncompared).toEqual({ count: 0, asOf: undefined });
    expect(prices()).toEqual([]);
  });

  it('after a week reads posts, pages and media whole as well, whose content changes without their date', async () => {
    upstream.lists['posts'] = [createPost()];
    upstream.lists['media'] = [createMedia()];
    await upstream.sync(at('2026-11-21T10:00:00Z'));
    upstream.lists['posts'] = [createPost({ content: { rendered: '<p>The latest posts</p>', protected: false } })];
    upstream.lists['media'] = [createMedia({ alt_text: 'Another text' })];
    expect(await upstream.sync(at('2026-11-28T09:00:00Z'))).toMatchObject({ changed: false });
    const report = await upstream.sync(at('2026-11-28T10:00:00Z'));
    expect(report.changes.map(({ kind }) => kind).toSorted()).toEqual(['media', 'post']);
    expect(await upstream.sync(at('2026-11-28T11:00:00Z'))).toMatchObject({ changed: false });
  });

  it('in which nothing has changed writes nothing but when it looked', async () => {
    upstream.lists['posts'] = [createPost()];
    const first = await upstream.sync();
    const second = await upstream.sync();
    expect(second).toMatchObject({
      changed: false,
      digest: first.digest,
      previousDigest: first.digest,
      changes: [],
      counts: {},
    });
    upstream.read((snapshot) => {
      expect(snapshot.runs().map(({ changed }) => changed)).toEqual([false, true]);
      expect(snapshot.database.prepare('SELECT count(*) AS n FROM outbox').get()).toEqual({ n: 1 });
      expect(snapshot.takenAt()).toBe(first.startedAt);
      expect(snapshot.product(FIRST, 'de-de')?.changedAt).toBe(first.startedAt);
      expect(snapshot.known(FIRST, 'de-de')?.checkedAt).toBe(second.startedAt);
    });
    expect(formatReport(second)).toMatch(
      /^Unused namespaces of the publishing site: oembed\/1\.0\.\nUnchanged: nothing changed; .* digest [0-9a-f]{12}\.$/,
    );
  });

  it('names product, language and field of a changed price', async () => {
    await upstream.sync();
    upstream.products.set(
      `${FIRST}/de-de`,
      createProduct({ name: 'DIFFRANA Vario 75', price: '149.90', length: '50.000' }),
    );
    const report = await upstream.sync();
    expect(report).toMatchObject({
      changed: true,
      counts: { product: { 'de-de': { added: 0, changed: 1, removed: 0 } } },
      changes: [
        {
          kind: 'product',
          id: FIRST,
          language: 'de-de',
          change: 'changed',
          fields: [
            { field: 'name', before: 'Produkt 0016', after: 'DIFFRANA Vario 75' },
            { field: 'price', before: 142.5, after: '149.90' },
          ],
        },
      ],
    });
    expect(formatReport(report)).toMatch(
      /^changed 9524010000016 de-de DIFFRANA Vario 75: name "Produkt 0016" -> "DIFFRANA Vario 75", price 142\.5 -> 149\.90\n/,
    );
  });

  it('archives what the interface has said for long enough to be gone, and takes it back', async () => {
    const { digest } = await upstream.sync(at('2026-11-20T08:00:00Z'));
    const record = upstream.products.get(`${FIRST}/en-gb`);
    upstream.products.delete(`${FIRST}/en-gb`);
    for (const [hour, runs] of [
      ['09', 1],
      ['10', 2],
      ['11', 3],
    ] as const) {
      const waiting = await upstream.sync(at(`2026-11-20T${hour}:00:00Z`));
      expect(waiting).toMatchObject({
        changed: false,
        awaitedRemovals: [{ gtin: FIRST, language: 'en-gb', since: '2026-11-20T09:00:00.000Z', runs }],
      });
    }
    const report = await upstream.sync(at('2026-11-21T09:00:00Z'));
    expect(report.changes).toMatchObject([{ id: FIRST, language: 'en-gb', change: 'removed', name: 'Produkt 0016' }]);
    upstream.read((snapshot) => {
      expect([...snapshot.archivedProducts()]).toMatchObject([{ gtin: FIRST, language: 'en-gb', state: 'gone' }]);
    });
    expect(await upstream.sync(at('2026-11-21T10:00:00Z'))).toMatchObject({ changed: false, awaitedRemovals: [] });
    if (record) upstream.products.set(`${FIRST}/en-gb`, record);
    expect(await upstream.sync()).toMatchObject({ digest, changes: [{ change: 'added', id: FIRST }] });
  });

  it('believes a single 404 only after it was repeated: one that heals starts anew', async () => {
    upstream.settings.options.sync.confirmRemovals = { runs: 2, hours: 0 };
    await upstream.sync();
    const record = upstream.products.get(`${FIRST}/en-gb`);
    for (let round = 0; round < 3; round += 1) {
      upstream.products.delete(`${FIRST}/en-gb`);
      expect(await upstream.sync()).toMatchObject({ changed: false, awaitedRemovals: [{ runs: 1 }] });
      if (record) upstream.products.set(`${FIRST}/en-gb`, record);
      expect(await upstream.sync()).toMatchObject({ changed: false, awaitedRemovals: [] });
    }
  });

  it('archives at once what our own list no longer names', async () => {
    await upstream.sync();
    upstream.settings.options.assortment = () => GTINS.slice(1).map((gtin) => ({ gtin, family: 'membranes' }));
    expect((await upstream.sync()).counts.product).toEqual({
      'de-de': { added: 0, changed: 0, removed: 1 },
      'en-gb': { added: 0, changed: 0, removed: 1 },
    });
  });

  it('refuses to remove a large part, unless exactly that is accepted, once', async () => {
    await upstream.sync();
    upstream.settings.options.sync.confirmRemovals = { runs: 1, hours: 0 };
    for (const language of ['de-de', 'en-gb'])
      for (const gtin of [FIRST, SECOND]) upstream.products.delete(`${gtin}/${language}`);
    const error = await failure();
    expect(error).toMatchObject({
      code: 'CHANGES_REFUSED',
      message: expect.stringContaining('4 of 8 product records would be removed (at most 3)'),
    });
    upstream.read((snapshot) => expect([...snapshot.products()]).toHaveLength(8));
    const accept = /--accept ([0-9a-f]+)/.exec(error.hint)?.[1] ?? '';
    upstream.products.delete(`${GTINS[2]}/de-de`);
    expect(await failure({ accept })).toMatchObject({ code: 'CHANGES_REFUSED' });
    upstream.products.set(`${GTINS[2]}/de-de`, createProduct({ gtin: GTINS[2], name: 'Produkt 0030' }));
    expect((await upstream.sync({ accept })).counts.product?.['de-de']).toMatchObject({ removed: 2 });
  });

  it('refuses another catalogue, and says that it is one', async () => {
    await upstream.sync();
    const other = await startTestUpstream({ assortment: () => createGtins(4).map((gtin) => ({ gtin })) });
    other.products.clear();
    other.fillProducts(createGtins(4));
    upstream.settings.options.assortment = other.settings.options.assortment;
    await expect(upstream.sync({ upstreams: other.upstreams })).rejects.toMatchObject({
      code: 'CHANGES_REFUSED',
      message: expect.stringContaining(`was read from ${upstream.server.origin}/api/partner/v1/, and this run from`),
    });
    await other.close();
  });

  it('removes a post when the site no longer shows it, and not when a list has only skipped it', async () => {
    upstream.lists['posts'] = [createPost({ id: 1 }), createPost({ id: 2, slug: 'zwei' })];
    await upstream.sync();
    upstream.fault = (_, request, response) => {
      if (!/\/posts\?/.test(request.url ?? '') || request.url?.includes('include')) return false;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify([createPost({ id: 1 })]));
      return true;
    };
    expect(await upstream.sync()).toMatchObject({ changed: false });
    upstream.fault = undefined;
    upstream.lists['posts'] = [createPost({ id: 1 })];
    expect((await upstream.sync()).changes).toMatchObject([{ kind: 'post', id: '2', change: 'removed' }]);
    upstream.read((snapshot) => expect([...snapshot.records('post')].map(({ id }) => id)).toEqual([1]));
  });

  it('removes a post that has got a password', async () => {
    upstream.lists['posts'] = [createPost()];
    await upstream.sync();
    const modified_gmt = '2026-11-21T09:35:00';
    upstream.lists['posts'] = [createPost({ content: { rendered: '', protected: true }, modified_gmt })];
    expect((await upstream.sync()).changes).toMatchObject([{ kind: 'post', change: 'removed' }]);
    upstream.read((snapshot) => expect([...snapshot.records('post')]).toEqual([]));
  });

  it.each([
    ['withdrawn', []],
    ['protected', [createPost({ content: { rendered: '', protected: true }, modified_gmt: '2026-11-21T09:50:00' })]],
  ])('leaves no text of a post that is %s in the file of the snapshot', async (_, after) => {
    const { snapshotPath } = upstream.settings;
    const fileText = () =>
      readdirSync(path.dirname(snapshotPath))
        .filter((file) => file.startsWith(path.basename(snapshotPath)))
        .map((file) => readFileSync(path.join(path.dirname(snapshotPath), file), 'latin1'))
        .join('');
    const others = [1, 2, 3].map((id) => createPost({ id: id + 100, slug: `bleibt-${id}` }));
    for (const [modified, words] of [
      ['2026-11-21T09:10:00', 'eins'],
      ['2026-11-21T09:35:00', 'zwei'],
    ] as const) {
      upstream.lists['posts'] = [secret(modified, words), ...others];
      expect((await upstream.sync()).changed).toBe(true);
    }
    expect(fileText()).toContain('Geheimtext zwei');
    upstream.lists['posts'] = [...after, ...others];
    expect((await upstream.sync()).changes).toMatchObject([{ kind: 'post', id: '7', change: 'removed' }]);
    expect(fileText()).not.toMatch(/Geheim/);
    upstream.read((snapshot) => expect([...snapshot.records('post')].map(({ id }) => id)).toEqual([101, 102, 103]));

    upstream.lists['posts'] = [secret('2026-11-21T09:55:00', 'drei'), ...others];
    expect((await upstream.sync()).changes).toMatchObject([{ kind: 'post', id: '7', change: 'added' }]);
    expect(fileText()).toContain('Geheimtext drei');
  });

  it('names another run that is under way', async () => {
    const lock = lockSnapshot(upstream.settings.snapshotPath);
    expect(await failure()).toMatchObject({ code: 'SYNC_RUNNING' });
    lock.release();
    expect(upstream.server.seen).toEqual([]);
    await upstream.sync();
  });

  it('can be stopped, and then nothing was written', async () => {
    const stop = new AbortController();
    upstream.fault = (index) => {
      if (index < 5) return false;
      stop.abort();
      return true;
    };
    expect(await failure({ signal: stop.signal })).toMatchObject({ code: 'SYNC_STOPPED' });
    expect(existsSync(upstream.settings.snapshotPath)).toBe(false);
  });

  it('tells how far it is', async () => {
    const told: string[] = [];
    await upstream.sync({ progress: ({ stage, done, total }) => void told.push(`${stage} ${done}/${total}`) });
    expect(told).toContain('products 8/8');
  });
});

const jpeg = (background: string) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .jpeg()
    .toBuffer();

describe('a full read', () => {
  it('finds what validators, dates and ages deny, of the source that it is for', async () => {
    const image = `${upstream.server.origin}/media/a.jpg`;
    upstream.files.set('/media/a.jpg', { body: await jpeg('teal'), type: 'image/jpeg' });
    upstream.lists['posts'] = [createPost({ id: 1 })];
    upstream.lists['media'] = [createMedia({ mime_type: 'image/jpeg', source_url: image })];
    upstream.modified = new Map();
    await upstream.sync();

    upstream.products.set(`${FIRST}/de-de`, createProduct({ gtin: FIRST, name: 'Still geändert' }));
    upstream.files.set('/media/a.jpg', { body: await jpeg('red'), type: 'image/jpeg' });
    // A post's text under an old date.
    upstream.lists['posts'] = [createPost({ id: 1, title: { rendered: 'Still geändert' } })];
    expect(await upstream.sync()).toMatchObject({ changed: false });
    expect((await upstream.sync({ full: ['product'] })).changes.map(({ kind }) => kind)).toEqual(['product']);
    const { changes } = await upstream.sync({ full: ['publishing'] });
    expect(changes.map(({ kind }) => kind).toSorted()).toEqual(['asset', 'post']);
  });

  it('sends no validators, and takes nothing over from a run that ended early', async () => {
    upstream.validators = true;
    await upstream.sync();
    const stop = new AbortController();
    upstream.server.seen.length = 0;
    upstream.fault = (index) => index > 7 && (stop.abort(), true);
    await failure({ signal: stop.signal });
    upstream.fault = undefined;
    upstream.server.seen.length = 0;
    const report = await upstream.sync({ full: ['product', 'publishing'] });
    expect(report).toMatchObject({ changed: false, resumed: 0 });
    const records = upstream.server.seen.filter(({ url }) => url.includes('/product/9') || url.includes('/product/0'));
    expect(records).toHaveLength(8);
    expect(records.filter(({ headers }) => headers['if-none-match'])).toEqual([]);
  });
});

describe('a user and a password', () => {
  const account = { user: 'stage', password: 'geheim:nis' };
  const sent = `Basic ${Buffer.from('stage:geheim:nis').toString('base64')}`;
  const isSecret = /geheim|c3RhZ2U6/;
  let png: Buffer;
  beforeAll(async () => {
    png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
  });

  /** Everything but the product interface with a token is behind HTTP Basic, as on a staging server. */
  const askForAccount = (isExempt: (path: string) => boolean = () => false) => {
    upstream.fault = (_, request, response) => {
      if (isExempt(request.url ?? '') || request.headers.authorization === sent) return false;
      response.writeHead(401, { 'content-type': 'application/json', 'www-authenticate': 'Basic' });
      response.end(JSON.stringify({ detail: `No: ${request.headers.authorization}` }));
      return true;
    };
  };

  it('reach everything on the origin of the upstream, no other host, and no report, log or file', async () => {
    const cdn = await startFakeServer(
      (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(png),
    );
    const { origin } = upstream.server;
    upstream.files.set('/media/a.png', { body: png, type: 'image/png' });
    upstream.files.set('/media/away.png', { body: Buffer.from(''), type: 'image/png' });
    upstream.settings.options.mediaHosts = [new URL(cdn.origin).host];
    const media = { mime_type: 'image/png', media_type: 'image' };
    upstream.lists['posts'] = [createPost()];
    upstream.lists['media'] = ['/media/a.png', '/media/away.png'].map((path, i) =>
      createMedia({ ...media, id: 20 + i, slug: `b${i}`, source_url: origin + path }),
    );
    upstream.lists['media'].push(createMedia({ ...media, id: 30, slug: 'c', source_url: `${cdn.origin}/c.png` }));
    askForAccount((path) => path.startsWith('/api/'));
    const { fault } = upstream;
    upstream.fault = (index, request, response) => {
      if (fault?.(index, request, response)) return true;
      if (request.url !== '/media/away.png') return false;
      response.writeHead(302, { location: `${cdn.origin}/away.png` }).end();
      return true;
    };
    const { product, publishing } = upstream.upstreams;
    if (!product || !publishing) throw new Error('An upstream is missing.');
    upstream.upstreams = { product, publishing: { ...publishing, account } };
    const report = await upstream.sync();
    expect(report).toMatchObject({ assets: { fetched: 3, failed: 0 }, unreachable: [] });
    expect(report.counts['post']).toEqual({ '': { added: 1, changed: 0, removed: 0 } });
    // An account may see users who have published nothing.
    const users = upstream.server.seen.filter(({ url }) => url.includes('/users?'));
    expect(users.map(({ url }) => url)).toEqual([expect.stringContaining('has_published_posts=true')]);
    for (const { url, headers } of upstream.server.seen) {
      expect(headers.authorization, url).toBe(url.startsWith('/api/') ? `Token ${TOKEN}` : sent);
    }
    expect(cdn.seen.map(({ url, headers }) => [url, headers.authorization]).toSorted()).toEqual([
      ['/away.png', undefined],
      ['/c.png', undefined],
    ]);
    await cdn.close();
    expect(JSON.stringify(report) + upstream.log.join('\n') + formatReport(report)).not.toMatch(isSecret);
    for (const file of filesBelow(upstream.settings.home))
      expect(readFileSync(file, 'latin1'), file).not.toMatch(isSecret);
  });

  it('read the product interface too; beside a token only its files', async () => {
    const { product } = upstream.upstreams;
    if (!product) throw new Error('An upstream is missing.');
    upstream.upstreams = { product: { root: product.root, account } };
    upstream.fault = (_, request) => {
      if (request.headers.authorization !== sent) return false;
      request.headers.authorization = `Token ${TOKEN}`;
      return false;
    };
    expect((await upstream.sync()).counts.product?.['de-de']).toMatchObject({ added: 4 });

    upstream.files.set('/media/a.png', { body: png, type: 'image/png' });
    upstream.products.set(`${FIRST}/de-de`, createProduct({ image: `${upstream.server.origin}/media/a.png` }));
    askForAccount((path) => path.startsWith('/api/'));
    upstream.upstreams = { product: { ...product, account } };
    expect(await upstream.sync()).toMatchObject({ assets: { fetched: 1, failed: 0 } });
  });

  it('are in no error, however deep one looks', async () => {
    const { publishing } = upstream.upstreams;
    if (!publishing) throw new Error('An upstream is missing.');
    upstream.fault = (_, request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ detail: `No: ${request.headers.authorization}, geheim:nis` }));
      return true;
    };
    const error = await failure({ upstreams: { publishing: { ...publishing, account } } });
    expect(error).toMatchObject({ code: 'UPSTREAM_UNAUTHORISED', hint: expect.stringContaining('PUBLISHING_USER') });
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toMatch(isSecret);
  });

  it('in received addresses are left out wherever they stand, and written nowhere', async () => {
    const bad = 'https://stage:geheimnis@host.example';
    upstream.products.set(
      `${FIRST}/de-de`,
      createProduct({ datasheet: `${bad}/d.pdf`, application: `<p><a href="${bad}/p">x</a></p>` }),
    );
    upstream.products.set(`${SECOND}/de-de`, createProduct({ gtin: SECOND, price: `${bad}/price` }));
    upstream.lists['posts'] = [
      createPost({
        link: `${bad}/luftdicht/`,
        content: {
          rendered: `<p><a href="${bad}/a">x</a> <a href="https://stage:geheimnis&#64;host.example/b">y</a>
            <img src="${bad}/c.png"></p><map><area href="${bad}/g"></map><iframe src="${bad}/d"></iframe><video src="${bad}/e.mp4" poster="${bad}/f"></video>`,
          protected: false,
        },
      }),
      createPost({ id: 8, slug: [`${bad}/slug`] }),
    ];
    upstream.lists['media'] = [createMedia({ source_url: `${bad}/c.png` })];
    upstream.lists['users'] = [
      { id: 1, name: 'Redaktion', url: `${bad}/me`, description: '', link: `${bad}/redaktion/`, slug: 'redaktion' },
    ];
    const stop = new AbortController();
    upstream.fault = (_, request) => (request.url?.includes('/users') && stop.abort(), false);
    await upstream.sync({ signal: stop.signal }).catch(() => undefined);
    const texts = () => filesBelow(upstream.settings.home).map((file) => readFileSync(file, 'latin1'));
    expect(texts().join('')).toContain('host.example/d.pdf');
    expect(texts().join('')).not.toContain('geheimnis');
    upstream.fault = undefined;
    const report = await upstream.sync();
    expect(report.warnings).toContainEqual(
      expect.objectContaining({ field: 'datasheet', problem: expect.stringContaining('a user name or password') }),
    );
    upstream.read((snapshot) => {
      expect(snapshot.product(FIRST, 'de-de')?.record.datasheet).toBe('https://host.example/d.pdf');
      const [post] = [...snapshot.records('post')];
      expect(post?.link).toBe('https://host.example/luftdicht/');
      for (const path of ['a', 'b', 'd', 'e.mp4']) expect(post?.html).toContain(`"https://host.example/${path}"`);
    });
    expect(JSON.stringify(report) + upstream.log.join('\n') + formatReport(report)).not.toContain('geheimnis');
    expect(texts().join('')).not.toContain('geheimnis');
  });
});

describe('the token', () => {
  it('goes to the product interface alone, and is in no report, log or file', async () => {
    upstream.lists['posts'] = [createPost()];
    upstream.products.set(
      `${FIRST}/de-de`,
      createProduct({
        image: `${upstream.server.origin}/api/partner/v1x/a.png`,
        datasheet: `${upstream.server.origin}/media/a.pdf`,
      }),
    );
    const report = await upstream.sync();
    for (const { url, headers } of upstream.server.seen) {
      expect(headers.authorization, url).toBe(url.startsWith('/api/partner/v1/') ? `Token ${TOKEN}` : undefined);
    }
    expect(upstream.server.seen.some(({ url }) => url === '/media/a.pdf')).toBe(true);
    expect(JSON.stringify(report) + upstream.log.join('\n') + formatReport(report)).not.toContain(TOKEN);
    for (const file of filesBelow(upstream.settings.home)) expect(readFileSync(file).includes(TOKEN), file).toBe(false);
  });

  it('is in no error, however deep one looks', async () => {
    upstream.fault = (_, request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ detail: `No: ${request.headers.authorization}` }));
      return true;
    };
    const error = await failure();
    expect(error).toMatchObject({ code: 'UPSTREAM_UNAUTHORISED', hint: expect.stringContaining('PRODUCT_API_TOKEN') });
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain(TOKEN);
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}
