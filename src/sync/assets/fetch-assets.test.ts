import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFakeServer, type TestServer } from '#client/testing/test-server.ts';
import { MAX_ANIMATION_BYTES } from '#contracts/media-file.ts';
import { animatedPng } from '#files/testing/animated-png.ts';
import { toImageAsset } from '#catalogue/read-model/assets.ts';
import { createProduct } from '#snapshot/testing/fill-snapshot.ts';
import { openSnapshot, type StoredAsset } from '#snapshot/index.ts';
import { formatReport } from '../report/format-report.ts';
import { createMedia, createPost, GTINS, startTestUpstream, type TestUpstream } from '../testing/test-upstream.ts';

const PDF = Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n', 'latin1');
const image = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 20, g: 90, b: 60 } } });

let upstream: TestUpstream;
let elsewhere: TestServer;
beforeEach(async () => {
  upstream = await startTestUpstream({ sync: { recheckMediaHours: 0 } });
  elsewhere = await startFakeServer((_, response) => void response.writeHead(404).end());
});
afterEach(async () => {
  await elsewhere.close();
  await upstream.close();
});

const at = (name: string) => upstream.server.origin + name;
const put = (name: string, body: Buffer, type: string, headers: Record<string, string> = {}) =>
  upstream.files.set(name, { body, type, headers });
const name = (fields: Record<string, unknown>) =>
  upstream.products.set(`${GTINS[0]}/de-de`, createProduct({ name: 'Produkt 0016', ...fields }));

function asset(url: string): StoredAsset | undefined {
  return upstream.read((snapshot) => snapshot.asset(url, /\.pdf/.test(url) ? 'document' : 'image'));
}
const bytesOf = (stored: StoredAsset | undefined) =>
  readFileSync(path.join(upstream.settings.assetsFolder, stored?.file ?? 'nothing'));

/** Within the first 1,024 bytes, where PDF readers look for the header. */
const HEADED = {
  'a line end': '\r\n',
  'a byte order mark': '\u00ef\u00bb\u00bf',
  'a mail header': 'From: <shop@acme.example>\r\nContent-Type: application/pdf\r\n\r\n',
  'much white space': ' '.repeat(1019),
};
it.each(Object.entries(HEADED))('takes a PDF behind %s, and serves it as it is', async (_, before) => {
  const body = Buffer.concat([Buffer.from(before, 'latin1'), PDF]);
  put('/a.pdf', body, 'application/pdf');
  name({ datasheet: at('/a.pdf') });
  expect((await upstream.sync()).warnings).toEqual([]);
  expect(asset(at('/a.pdf'))).toMatchObject({ mimeType: 'application/pdf', reachable: true });
  expect(bytesOf(asset(at('/a.pdf')))).toEqual(body);
});

it.each([
  ['a ZIP', Buffer.concat([Buffer.from('504b0304140000000000', 'hex'), PDF]), /application\/zip/],
  ['a page', Buffer.concat([Buffer.from('<html><script>x()</script>'), PDF]), /HTML/],
  [
    'a part of a page',
    Buffer.concat([Buffer.from('\u00ef\u00bb\u00bf \n<script>x()</script>', 'latin1'), PDF]),
    /unknown type/,
  ],
  ['a program', Buffer.concat([Buffer.from('4d5a9000', 'hex'), PDF]), /application/],
  ['a late header', Buffer.concat([Buffer.alloc(1020, ' '), PDF]), /unknown type/],
])('takes no PDF for what is something else too: %s', async (_, body, problem) => {
  put('/a.pdf', body, 'application/pdf');
  name({ datasheet: at('/a.pdf') });
  expect((await upstream.sync()).warnings).toMatchObject([{ problem: expect.stringMatching(problem) }]);
  expect(asset(at('/a.pdf'))).toMatchObject({ file: undefined, details: { rejected: 1 } });
});

it('fetches images and documents, told by their bytes, and keeps them by their digest', async () => {
  const png = await image(40, 30).png().toBuffer();
  put('/media/a.png', png, 'application/octet-stream', {
    etag: '"1"',
    'last-modified': 'Fri, 20 Nov 2026 10:00:00 GMT',
  });
  put('/media/a.pdf', PDF, 'application/pdf');
  name({ image: at('/media/a.png'), datasheet: at('/media/a.pdf') });
  const report = await upstream.sync();
  expect(report.assets).toEqual({
    referenced: 2,
    fetched: 2,
    unchanged: 0,
    failed: 0,
    notAllowed: 0,
    bytes: png.length + PDF.length,
  });
  expect(asset(at('/media/a.png'))).toMatchObject({
    kind: 'image',
    mimeType: 'image/png',
    width: 40,
    height: 30,
    bytes: png.length,
    etag: '"1"',
    lastModified: '2026-11-20T10:00:00.000Z',
    reachable: true,
    file: expect.stringMatching(/^[0-9a-f]{2}\/[0-9a-f]{62}\.png$/),
  });
  expect(bytesOf(asset(at('/media/a.png')))).toEqual(png);
  expect(bytesOf(asset(at('/media/a.pdf')))).toEqual(PDF);
});

describe('animations', () => {
  const colours = ['#a00', '#0a0', '#00a'];
  const frames = (width = 40) =>
    Promise.all(
      colours.map((background) =>
        sharp({ create: { width, height: 30, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );

  it('are known by their frames: GIF, WebP and animated PNG', async () => {
    const film = sharp(await frames(), { join: { animated: true } });
    put('/a.gif', await film.clone().gif().toBuffer(), 'image/gif');
    put('/a.webp', await film.clone().webp().toBuffer(), 'image/webp');
    put('/a.png', animatedPng(await image(40, 30).png().toBuffer(), 3), 'image/png');
    put('/still.gif', await image(40, 30).gif().toBuffer(), 'image/gif');
    name({
      application: ['a.gif', 'a.webp', 'a.png', 'still.gif'].map((file) => `<img src="${at(`/${file}`)}">`).join(''),
    });
    expect((await upstream.sync()).assets).toMatchObject({ fetched: 4, failed: 0 });
    const found = ['/a.gif', '/a.webp', '/a.png', '/still.gif'].map((file) => asset(at(file)));
    expect(found.map((one) => [one?.mimeType, one?.details, one?.width, one?.height])).toEqual([
      ['image/gif', { frames: 3 }, 40, 30],
      ['image/webp', { frames: 3 }, 40, 30],
      ['image/png', { frames: 3 }, 40, 30],
      ['image/gif', { frames: 1 }, 40, 30],
    ]);
    const shown = upstream.read((snapshot) =>
      ['/a.gif', '/a.webp', '/a.png', '/still.gif'].map(
        (file) => toImageAsset(snapshot, at(file), { alt: '' })?.animation,
      ),
    );
    expect(shown).toEqual(['gif', 'webp', 'png', undefined]);
  });

  it('that are too large are stills, and every run says so', async () => {
    const film = await sharp(await frames(), { join: { animated: true } })
      .gif()
      .toBuffer();
    put('/a.gif', Buffer.concat([film, Buffer.alloc(MAX_ANIMATION_BYTES)]), 'image/gif', { etag: '"1"' });
    name({ image: at('/a.gif') });
    for (let run = 0; run < 2; run += 1) {
      expect((await upstream.sync()).warnings).toMatchObject([
        {
          kind: 'asset',
          problem: expect.stringMatching(/^is an animation of 80\d+ bytes, so only its first frame is shown/),
        },
      ]);
      upstream.settings.options.sync.recheckMediaHours = 24;
    }
    expect(upstream.read((snapshot) => toImageAsset(snapshot, at('/a.gif'), { alt: '' }))).not.toHaveProperty(
      'animation',
    );
  });

  it('of an earlier version are fetched again, to be counted', async () => {
    put(
      '/a.gif',
      await sharp(await frames(), { join: { animated: true } })
        .gif()
        .toBuffer(),
      'image/gif',
      { etag: '"1"' },
    );
    name({ image: at('/a.gif') });
    upstream.settings.options.sync.recheckMediaHours = 24;
    await upstream.sync();
    const snapshot = openSnapshot(upstream.settings.snapshotPath);
    snapshot.database.exec('UPDATE assets SET details = NULL');
    snapshot.close();
    await upstream.sync();
    expect(asset(at('/a.gif'))?.details).toEqual({ frames: 3 });
  });
});

it('measures images upright', async () => {
  put('/a.jpg', await image(40, 30).withMetadata({ orientation: 6 }).jpeg().toBuffer(), 'image/jpeg');
  name({ image: at('/a.jpg') });
  await upstream.sync();
  expect(asset(at('/a.jpg'))).toMatchObject({ width: 30, height: 40 });
});

it('fetches the publishing site’s media, and the original behind a sized copy', async () => {
  const png = await image(10, 10).png().toBuffer();
  for (const file of ['/uploads/bild.png', '/uploads/anders.png']) put(file, png, 'image/png');
  upstream.lists['media'] = [createMedia({ source_url: at('/uploads/bild.png') })];
  upstream.lists['posts'] = [
    createPost({
      link: at('/post/'),
      content: {
        rendered: '<img src="/uploads/bild-1024x768.png"><img src="../uploads/anders.png">',
        protected: false,
      },
    }),
  ];
  const report = await upstream.sync();
  expect(report.assets).toMatchObject({ referenced: 2, fetched: 2 });
  expect(upstream.server.seen.filter(({ url }) => url.includes('1024x768'))).toEqual([]);
});

it('keeps a URL that one product names as a picture and another as a document as both', async () => {
  put('/ds-1.pdf', PDF, 'application/pdf');
  name({ datasheet: at('/ds-1.pdf') });
  const wrong = GTINS[1] ?? '';
  upstream.products.set(`${wrong}/de-de`, createProduct({ gtin: wrong, name: 'Produkt 0023', image: at('/ds-1.pdf') }));
  const report = await upstream.sync();
  expect(report.assets).toMatchObject({ referenced: 2, fetched: 1, failed: 1 });
  const { document, image, broken, owners } = upstream.read((snapshot) => ({
    document: snapshot.asset(at('/ds-1.pdf'), 'document'),
    image: snapshot.asset(at('/ds-1.pdf'), 'image'),
    broken: snapshot.brokenDocuments(),
    owners: (['document', 'image'] as const).map((kind) => snapshot.assetOwners({ url: at('/ds-1.pdf'), kind })),
  }));
  expect(bytesOf(document)).toEqual(PDF);
  expect(document).toMatchObject({ reachable: true });
  expect(image).toMatchObject({ reachable: false, file: undefined });
  expect(broken).toEqual([]);
  expect(owners).toEqual([[GTINS[0]], [wrong]]);
  expect(report.warnings).toMatchObject([{ sample: { wire: expect.stringContaining(`product/${wrong}/de-de`) } }]);
});

describe('a later run', () => {
  it('asks conditionally, and keeps what has not changed', async () => {
    const png = await image(40, 30).png().toBuffer();
    put('/a.png', png, 'image/png', { etag: '"1"' });
    name({ image: at('/a.png') });
    const first = await upstream.sync();
    upstream.fault = (_, request, response) => {
      if (request.headers['if-none-match'] !== '"1"') return false;
      response.writeHead(304).end();
      return true;
    };
    const second = await upstream.sync();
    expect(second).toMatchObject({ changed: false, digest: first.digest, assets: { unchanged: 1, bytes: 0 } });
    await rm(upstream.settings.assetsFolder, { recursive: true });
    expect(await upstream.sync()).toMatchObject({ changed: false, assets: { unchanged: 1, bytes: png.length } });
    expect(bytesOf(asset(at('/a.png')))).toEqual(png);
  });

  it('sees other bytes behind the same address', async () => {
    put('/a.pdf', PDF, 'application/pdf');
    name({ datasheet: at('/a.pdf') });
    await upstream.sync();
    put('/a.pdf', Buffer.concat([PDF, PDF]), 'application/pdf');
    expect(await upstream.sync()).toMatchObject({
      changed: true,
      changes: [
        { kind: 'asset', id: at('/a.pdf'), change: 'changed', fields: [{ field: 'content' }] },
        { kind: 'product', id: GTINS[0], change: 'changed', fields: [{ field: 'datasheet' }] },
      ],
      alarms: [],
    });
  });

  it('keeps a published declaration of performance until its changed bytes are accepted', async () => {
    const other = Buffer.concat([PDF, PDF]);
    put('/dop.pdf', PDF, 'application/pdf');
    name({ declaration_of_performance: at('/dop.pdf?signature=1') });
    const published = await upstream.sync();
    const before = asset(at('/dop.pdf'));
    put('/dop.pdf', other, 'application/pdf');
    const report = await upstream.sync();
    expect(report).toMatchObject({ changed: false, digest: published.digest });
    expect(report.alarms).toMatchObject([
      { kind: 'declaration-changed', url: at('/dop.pdf'), gtins: [GTINS[0]], before: before?.digest },
    ]);
    const accept = report.alarms[0]?.accept ?? '';
    expect(formatReport(report)).toMatch(new RegExp(`declaration of performance.*--accept ${accept}`, 'i'));
    expect(bytesOf(asset(at('/dop.pdf')))).toEqual(PDF);
    // The alarm repeats until resolved, even while the source is unreachable.
    upstream.files.delete('/dop.pdf');
    expect((await upstream.sync()).alarms).toEqual(report.alarms);
    await expect(upstream.sync({ accept: '0123456789abcdef' })).rejects.toMatchObject({
      code: 'CHANGES_REFUSED',
      message: expect.stringContaining(accept),
    });
    expect(bytesOf(asset(at('/dop.pdf')))).toEqual(PDF);
    put('/dop.pdf', other, 'application/pdf');
    const accepted = await upstream.sync({ accept });
    expect(accepted).toMatchObject({ changed: true, alarms: [] });
    expect(bytesOf(asset(at('/dop.pdf')))).toEqual(other);
    expect(
      upstream.read((snapshot) =>
        snapshot.earlierDocuments({
          gtin: GTINS[0] ?? '',
          language: 'de-de',
          field: 'declaration_of_performance',
          url: at('/dop.pdf'),
        }),
      ),
    ).toMatchObject([{ digest: before?.digest }]);
    expect((await upstream.sync()).alarms).toEqual([]);
  });

  it('waits no longer for a declaration that its source has put back, and accepts several at once', async () => {
    for (const file of ['/a.pdf', '/b.pdf']) put(file, Buffer.concat([PDF, Buffer.from(file)]), 'application/pdf');
    name({ declaration_of_performance: at('/a.pdf') });
    const second = createProduct({ gtin: GTINS[1] ?? '', name: 'B', declaration_of_performance: at('/b.pdf') });
    upstream.products.set(`${GTINS[1]}/de-de`, second);
    await upstream.sync();
    for (const file of ['/a.pdf', '/b.pdf']) put(file, Buffer.concat([PDF, PDF, Buffer.from(file)]), 'application/pdf');
    const [first, other] = (await upstream.sync()).alarms;
    expect(first?.acceptAll).toBe(other?.acceptAll);
    put('/b.pdf', Buffer.concat([PDF, Buffer.from('/b.pdf')]), 'application/pdf');
    expect((await upstream.sync()).alarms.map(({ url }) => url)).toEqual([at('/a.pdf')]);
    put('/b.pdf', Buffer.concat([PDF, PDF, Buffer.from('/b.pdf')]), 'application/pdf');
    const accepted = await upstream.sync({ accept: first?.acceptAll ?? '' });
    expect(accepted).toMatchObject({ alarms: [], changed: true });
    expect(bytesOf(asset(at('/b.pdf')))).toHaveLength(2 * PDF.length + '/b.pdf'.length);
  });

  it('counts a changed file as a change of every product that names it', async () => {
    const shared = at('/sds.pdf');
    put('/sds.pdf', PDF, 'application/pdf');
    name({ safety_datasheet: shared });
    const other = createProduct({ gtin: GTINS[1] ?? '', name: 'B', safety_datasheet: shared });
    upstream.products.set(`${GTINS[1]}/de-de`, other);
    await upstream.sync();
    put('/sds.pdf', Buffer.concat([PDF, PDF]), 'application/pdf');
    const at2 = new Date(Date.now() + 60_000);
    const report = await upstream.sync({ now: () => at2 });
    const products = report.changes.filter(({ kind }) => kind === 'product');
    expect(products).toMatchObject(
      [GTINS[0], GTINS[1]].map((id) => ({ id, change: 'changed', fields: [{ field: 'safety_datasheet' }] })),
    );
    for (const gtin of [GTINS[0], GTINS[1]])
      expect(upstream.read((snapshot) => snapshot.product(gtin ?? '', 'de-de')?.changedAt)).toBe(at2.toISOString());
  });

  it('keeps declarations of performance that a product named before', async () => {
    const other = Buffer.concat([PDF, PDF]);
    put('/dop-1.pdf', PDF, 'application/pdf');
    put('/dop-2.pdf', other, 'application/pdf');
    const earlier = (declared: string | undefined) =>
      upstream.read((snapshot) =>
        snapshot
          .earlierDocuments({
            gtin: GTINS[0] ?? '',
            language: 'de-de',
            field: 'declaration_of_performance',
            url: declared === undefined ? undefined : at(declared),
          })
          .map(({ url, bytes }) => [url, bytes]),
      );
    name({ declaration_of_performance: at('/dop-1.pdf?signature=1') });
    await upstream.sync();
    name({ declaration_of_performance: at('/dop-1.pdf?signature=2'), price: 2 });
    await upstream.sync();
    expect(earlier('/dop-1.pdf')).toEqual([]);
    name({ declaration_of_performance: at('/dop-2.pdf') });
    await upstream.sync();
    expect(earlier('/dop-2.pdf')).toEqual([[at('/dop-1.pdf'), PDF.length]]);
    put('/dop-2.pdf', PDF, 'application/pdf');
    await upstream.sync({ accept: (await upstream.sync()).alarms[0]?.accept ?? '' });
    expect(earlier('/dop-2.pdf')).toEqual([
      [at('/dop-2.pdf'), other.length],
      [at('/dop-1.pdf'), PDF.length],
    ]);
    name({ declaration_of_performance: '' });
    await upstream.sync();
    expect(earlier(undefined)).toHaveLength(3);
    const stored = upstream.read((snapshot) => [...snapshot.storedFiles()].map(({ url, kind }) => [kind, url]));
    expect(stored.toSorted()).toEqual(['/dop-1.pdf', '/dop-2.pdf', '/dop-2.pdf'].map((path) => ['document', at(path)]));
  });

  it('doesn’t ask for what it has just asked for, unless a record that names it has changed', async () => {
    upstream.settings.options.sync.recheckMediaHours = 1;
    put('/a.pdf', PDF, 'application/pdf');
    name({ datasheet: at('/a.pdf') });
    const asked = () => upstream.server.seen.splice(0).filter(({ url }) => url === '/a.pdf').length;
    await upstream.sync();
    expect(asked()).toBe(1);
    expect((await upstream.sync()).assets).toMatchObject({ referenced: 1, unchanged: 1 });
    expect(asked()).toBe(0);
    name({ datasheet: at('/a.pdf'), price: 3 });
    await upstream.sync();
    expect(asked()).toBe(1);
    await upstream.sync({ now: () => new Date(Date.now() + 3_700_000) });
    expect(asked()).toBe(1);
    await rm(upstream.settings.assetsFolder, { recursive: true });
    await upstream.sync({ now: () => new Date(Date.now() + 3_800_000) });
    expect(asked()).toBe(1);
  });

  it('keeps the last good copy of what fails, and tells of it', async () => {
    put('/a.pdf', PDF, 'application/pdf');
    name({ datasheet: at('/a.pdf') });
    const first = await upstream.sync();
    upstream.files.delete('/a.pdf');
    const report = await upstream.sync();
    expect(report).toMatchObject({ changed: false, digest: first.digest, assets: { failed: 1 } });
    expect(report.warnings).toMatchObject([
      { kind: 'asset', problem: 'answered 404 Not Found', sample: { id: at('/a.pdf') } },
    ]);
    expect(asset(at('/a.pdf'))).toMatchObject({ reachable: false, problem: 'answered 404 Not Found' });
    expect(bytesOf(asset(at('/a.pdf')))).toEqual(PDF);
    const broken = () => upstream.read((snapshot) => snapshot.brokenDocuments());
    expect(broken()).toEqual([{ url: at('/a.pdf'), problem: 'answered 404 Not Found', gtins: [GTINS[0]] }]);
    expect(asset(at('/a.pdf'))?.details).toBeUndefined();
    put('/a.pdf', Buffer.from('<!doctype html><h1>Moved'), 'application/pdf');
    await upstream.sync();
    expect(asset(at('/a.pdf'))).toMatchObject({ problem: 'is not a PDF, but HTML', details: { rejected: 1 } });
    expect(bytesOf(asset(at('/a.pdf')))).toEqual(PDF);
    put('/a.pdf', PDF, 'application/pdf');
    await upstream.sync();
    expect(asset(at('/a.pdf'))).toMatchObject({ reachable: true, details: undefined });
    expect(broken()).toEqual([]);
  });

  it('forgets what no record names any more', async () => {
    put('/a.pdf', PDF, 'application/pdf');
    name({ datasheet: at('/a.pdf') });
    await upstream.sync();
    name({ datasheet: '' });
    await upstream.sync();
    expect(asset(at('/a.pdf'))).toBeUndefined();
  });
});

describe('what is not taken over', () => {
  const svg = Buffer.from(
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  );
  it.each([
    ['an SVG', svg, 'image/svg+xml', /SVG, which is not supported/],
    ['HTML that says it is an image', Buffer.from('<!doctype html><p>x'), 'image/png', /but HTML/],
    ['a PDF that says it is an image', PDF, 'image/png', /but application\/pdf/],
    ['nothing', Buffer.alloc(0), 'image/png', /but empty/],
    ['half a file', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'image/png', /damaged|unknown type/],
  ])('%s', async (_, body, type, problem) => {
    put('/a.png', body, type);
    name({ image: at('/a.png') });
    const report = await upstream.sync();
    expect(report.assets).toMatchObject({ fetched: 0, failed: 1 });
    expect(report.warnings).toMatchObject([{ kind: 'asset', problem: expect.stringMatching(problem) }]);
    expect(asset(at('/a.png'))).toMatchObject({ file: undefined, reachable: false });
  });

  it('an image with more pixels than anybody needs', async () => {
    const bomb = await image(11_000, 11_000).png({ compressionLevel: 9 }).toBuffer();
    put('/a.png', bomb, 'image/png');
    name({ image: at('/a.png') });
    expect((await upstream.sync()).warnings).toMatchObject([{ problem: 'has more than 100000000 pixels' }]);
  });

  it('more bytes than the options allow', async () => {
    upstream.settings.options.sync.maxMediaBytes = 2000;
    put('/a.pdf', Buffer.concat([PDF, Buffer.alloc(5000)]), 'application/pdf');
    name({ datasheet: at('/a.pdf') });
    expect((await upstream.sync()).warnings).toMatchObject([{ problem: 'the body is larger than 2000 bytes' }]);
  });

  it.each([
    ['with', true],
    ['without', false],
  ])(
    'what is too large, before its body comes, and asks for it again only when it is another one: %s a length',
    async (_, hasLength) => {
      upstream.settings.options.sync.maxMediaBytes = 2000;
      const methods = () => upstream.server.seen.filter(({ url }) => url === '/a.pdf').map(({ method }) => method);
      const body = Buffer.concat([PDF, Buffer.alloc(500_000)]);
      let sent = body;
      let etag = '"1"';
      upstream.fault = (__, request, response) => {
        if (request.url !== '/a.pdf') return false;
        response.writeHead(200, { etag, ...(hasLength && { 'content-length': sent.length }) });
        response.end(request.method === 'HEAD' ? undefined : sent);
        return true;
      };
      name({ datasheet: at('/a.pdf') });
      const reports = [await upstream.sync(), await upstream.sync()];
      const warning = { sample: { id: at('/a.pdf') }, problem: 'the body is larger than 2000 bytes' };
      for (const { warnings, bytes } of reports) {
        expect(warnings).toMatchObject([warning]);
        expect(bytes).toBeLessThan(300_000);
      }
      expect(methods()).toEqual(['GET', 'HEAD']);

      upstream.settings.options.sync.recheckMediaHours = 1;
      expect((await upstream.sync()).warnings).toMatchObject([warning]);
      expect(methods()).toEqual(['GET', 'HEAD']);

      upstream.settings.options.sync.recheckMediaHours = 0;
      [sent, etag] = [PDF, '"2"'];
      expect((await upstream.sync()).warnings).toEqual([]);
      expect(methods()).toEqual(['GET', 'HEAD', 'HEAD', 'GET']);
      expect(bytesOf(asset(at('/a.pdf')))).toEqual(PDF);
    },
  );

  it('anything of a host that nobody has named, also by a redirect', async () => {
    upstream.fault = (_, request, response) => {
      if (request.url !== '/moved.pdf') return false;
      response.writeHead(302, { location: `${elsewhere.origin}/a.pdf` }).end();
      return true;
    };
    name({ datasheet: `${elsewhere.origin}/a.pdf`, image: at('/moved.pdf') });
    const report = await upstream.sync();
    expect(report.assets).toMatchObject({ notAllowed: 1, failed: 1 });
    const { host } = new URL(elsewhere.origin);
    const advice = expect.stringContaining('Add the host to `mediaHosts`');
    expect(report.warnings).toMatchObject([
      { problem: expect.stringContaining('is not fetched'), advice },
      { problem: `answered 302 Found to ${host}, which is neither an upstream nor in \`mediaHosts\``, advice },
    ]);
    expect(elsewhere.seen).toEqual([]);
  });
});

it('a host that the options name is as good as an upstream', async () => {
  elsewhere.answer = (_, response) => void response.writeHead(200).end(PDF);
  upstream.settings.options.mediaHosts = [new URL(elsewhere.origin).host];
  name({ datasheet: `${elsewhere.origin}/a.pdf` });
  expect((await upstream.sync()).assets).toMatchObject({ fetched: 1 });
  expect(elsewhere.seen[0]?.headers.authorization).toBeUndefined();
});

it('a host that has stopped answering isn’t waited for again and again', async () => {
  const posts = Array.from({ length: 40 }, (_, i) => `<img src="http://127.0.0.1:9/${i}.png">`).join('');
  upstream.settings.options.mediaHosts = ['127.0.0.1:9'];
  upstream.settings.options.sync.concurrency = 2;
  upstream.lists['posts'] = [createPost({ content: { rendered: posts, protected: false } })];
  const report = await upstream.sync();
  expect(report.assets).toMatchObject({ referenced: 40, failed: 40 });
  expect(report.warnings.map(({ problem, count }) => [problem, count])).toEqual([
    ['no server answers there (ECONNREFUSED)', expect.any(Number)],
    ['was not requested: its host has stopped responding', expect.any(Number)],
  ]);
  expect(report.warnings[0]?.count).toBeLessThan(10);
});

it('with `documents: link` only the head of a document is asked for', async () => {
  upstream.settings.options.documents = 'link';
  put('/a.pdf', PDF, 'application/pdf', { 'last-modified': 'Fri, 20 Nov 2026 10:00:00 GMT' });
  name({ datasheet: at('/a.pdf') });
  await upstream.sync();
  expect(upstream.server.seen.find(({ url }) => url === '/a.pdf')?.method).toBe('HEAD');
  expect(asset(at('/a.pdf'))).toMatchObject({
    digest: undefined,
    bytes: PDF.length,
    lastModified: '2026-11-20T10:00:00.000Z',
    reachable: true,
  });
  expect(existsSync(upstream.settings.assetsFolder)).toBe(false);
  put('/a.pdf', PDF, 'application/pdf', { 'last-modified': 'Sat, 21 Nov 2026 10:00:00 GMT' });
  expect(await upstream.sync()).toMatchObject({
    changed: true,
    changes: [
      { kind: 'asset', change: 'changed' },
      { kind: 'product', change: 'changed' },
    ],
  });
});

const file = (place: string) => upstream.read((snapshot) => snapshot.asset(at(place), 'file'));
const write = (html: string) => {
  upstream.lists['posts'] = [createPost({ link: at('/post/'), content: { rendered: html, protected: false } })];
};

describe('files that texts play and link to', () => {
  const MP3 = Buffer.concat([
    Buffer.from('ID3\u0003\0\0\0\0\0\u000a', 'latin1'),
    Buffer.alloc(10),
    Buffer.from([0xff, 0xfb, 0x90, 0x64]),
    Buffer.alloc(413),
  ]);
  const ZIP = Buffer.from('504b0506000000000000000000000000000000000000', 'hex');
  it('are fetched from the owner’s hosts, told by their bytes', async () => {
    put('/a.mp3', MP3, 'audio/mpeg');
    put('/de.vtt', Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nHallo\n'), 'text/vtt');
    put('/liste.csv', Buffer.from('a;b\n1;2\n'), 'text/csv');
    put('/ds.pdf', PDF, 'application/pdf');
    write(
      '<audio src="/a.mp3"></audio><video src="https://foreign.example/f.mp4"><track src="/de.vtt"></video>' +
        '<a href="/liste.csv">CSV</a><a href="ds.pdf?x=1">PDF</a><a href="/ds.pdf">PDF</a><a href="https://foreign.example/x.pdf">F</a>',
    );
    const { assets, warnings } = await upstream.sync();
    expect(warnings.map(({ problem }) => problem)).toEqual(['answered 404 Not Found']);
    expect(assets).toMatchObject({ referenced: 5, fetched: 4, notAllowed: 0 });
    expect([file('/a.mp3'), file('/de.vtt'), file('/liste.csv')]).toMatchObject([
      { mimeType: 'audio/mpeg', file: expect.stringMatching(/\.mp3$/) },
      { mimeType: 'text/vtt', file: expect.stringMatching(/\.vtt$/) },
      { mimeType: 'text/csv', file: expect.stringMatching(/\.csv$/) },
    ]);
    expect(bytesOf(asset(at('/ds.pdf')))).toEqual(PDF);
  });

  it.each([
    [
      '/a.mp3',
      Buffer.from('<!doctype html><script>x()</script>'),
      'is neither audio nor video nor subtitles, but HTML',
    ],
    ['/a.txt', Buffer.from('<!doctype html><script>x()</script>'), 'is not a .txt file, but HTML'],
    [
      '/a.csv',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      'is not a .csv file, but SVG, which is not supported',
    ],
    ['/a.docx', PDF, 'is not a .docx file, but application/pdf'],
    ['/a.zip', Buffer.alloc(0), 'is not a .zip file, but empty'],
  ])(
    '%s is left where it is when its bytes are others, and the warning names the post',
    async (place, body, problem) => {
      put(place, body, 'application/octet-stream');
      write(place === '/a.mp3' ? `<audio src="${place}"></audio>` : `<a href="${place}">x</a>`);
      expect((await upstream.sync()).warnings).toMatchObject([
        { problem, sample: { id: at(place), wire: 'used by post/7 “Luft – dicht”' } },
      ]);
      expect(file(place)).toMatchObject({ file: undefined, reachable: false });
    },
  );

  it('stay where they are with `documents: link`, but for what is played', async () => {
    upstream.settings.options.documents = 'link';
    put('/a.mp3', MP3, 'audio/mpeg');
    put('/a.zip', ZIP, 'application/zip');
    write('<audio src="/a.mp3"></audio><a href="/a.zip">x</a>');
    expect((await upstream.sync()).assets).toMatchObject({ referenced: 1, fetched: 1 });
  });

  it('in texts of products are those of the interface, also by relative addresses', async () => {
    const png = await image(10, 10).png().toBuffer();
    put('/media/skizze.png', png, 'image/png');
    put('/api/partner/v1/liste.csv', Buffer.from('a;b\n'), 'text/csv');
    name({ application: '<p><img src="/media/skizze.png"><a href="liste.csv">Liste</a></p>' });
    expect((await upstream.sync()).assets).toMatchObject({ referenced: 2, fetched: 2, notAllowed: 0 });
    const record = upstream.read((snapshot) => snapshot.product(GTINS[0] ?? '', 'de-de')?.record);
    expect(record?.application).toBe(
      `<p><img src="${at('/media/skizze.png')}" alt="" /><a href="${at('/api/partner/v1/liste.csv')}">Liste</a></p>`,
    );
  });
});
