import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { setBasePath } from '#catalogue/addresses/site-paths.ts';
import { startSiteServer, type SiteServer } from './start-site-server.ts';

const dist = mkdtempSync(path.join(tmpdir(), 'sortiment-dist-'));
const put = (file: string, content: string | Buffer): void => {
  mkdirSync(path.dirname(path.join(dist, file)), { recursive: true });
  writeFileSync(path.join(dist, file), content);
};
put('index.html', '<h1>Start</h1>');
put('404.html', '<h1>Not here</h1>');
put('de-de/index.html', '<h1>Hallo</h1>');
put('de-de/rss.xml', '<rss/>');
put('_astro/site.abc123.css', 'body{}');
put('_images/0123456789abcdef-640.avif', Buffer.alloc(2000, 7));
put('documents/1a2b3c4d-sheet.pdf', '%PDF-1.7 and so on');
put('build.json', '{}');
put('01/09524010000016/index.html', '<h1>Links</h1>');
put('01/09524010000016/linkset.json', '{"linkset":[]}');
writeFileSync(path.join(dist, '..', 'outside.txt'), 'secret');
const redirectsFile = path.join(mkdtempSync(path.join(tmpdir(), 'sortiment-moved-')), 'redirects.json');

let server: SiteServer;
beforeAll(async () => {
  server = await startSiteServer({
    distFolder: dist,
    redirectsFile,
    host: '127.0.0.1',
    port: 0,
    services: [
      {
        claims: (pathname) => pathname.startsWith('/rest/'),
        listener: (_req, res) =>
          void res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"from":"service"}'),
      },
    ],
  });
});
afterAll(() => server.close());

const get = (pathname: string, init: RequestInit = {}) => fetch(server.url + pathname, { redirect: 'manual', ...init });

/** Sends the path unchanged; `fetch` would normalize it. */
function getRaw(
  pathname: string,
  headers: Record<string, string> | readonly string[] = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    request(server.url, { path: pathname, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

it.each(['/', '/rest/core/v2/posts'])('refuses several Host headers at %s', async (pathname) => {
  expect(await getRaw(pathname, ['Host', 'a.example', 'host', 'b.example'])).toMatchObject({ status: 400 });
  expect(await getRaw(pathname, ['Host', 'a.example'])).toMatchObject({ status: 200 });
});

/** Aborts the request in the middle of the response. */
function readFirstChunk(pathname: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(server.url + pathname, (answer) => {
      answer.once('data', () => asked.destroy()).once('close', () => resolve());
    });
    asked.on('error', reject).end();
  });
}

/** Returns the open files of this process, and so of the server. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      // The file of the listing itself.
      return [];
    }
  });
}

describe('the static server', () => {
  it.each([
    ['/', 'text/html; charset=utf-8'],
    ['/de-de/', 'text/html; charset=utf-8'],
    ['/de-de/rss.xml', 'application/xml; charset=utf-8'],
    ['/_astro/site.abc123.css', 'text/css; charset=utf-8'],
    ['/_images/0123456789abcdef-640.avif', 'image/avif'],
    ['/documents/1a2b3c4d-sheet.pdf', 'application/pdf'],
    ['/build.json', 'application/json; charset=utf-8'],
  ])('answers %s as %s', async (pathname, type) => {
    const answer = await get(pathname);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
  });

  it('lets hashed files be kept for ever, and asks for the rest each time', async () => {
    for (const pathname of [
      '/_astro/site.abc123.css',
      '/_images/0123456789abcdef-640.avif',
      '/documents/1a2b3c4d-sheet.pdf',
    ])
      expect((await get(pathname)).headers.get('cache-control')).toContain('immutable');
    for (const pathname of ['/', '/de-de/rss.xml', '/nothing/'])
      expect((await get(pathname)).headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
  });

  it('says when nothing changed', async () => {
    for (const pathname of ['/de-de/', '/_images/0123456789abcdef-640.avif']) {
      const etag = (await get(pathname)).headers.get('etag') ?? '';
      expect((await get(pathname, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    }
  });

  it('shows the site’s own page for what is not there, with that status', async () => {
    for (const pathname of ['/nothing/', '/de-de/p/nothing/', '/nothing.png']) {
      const answer = await get(pathname);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toBe('<h1>Not here</h1>');
    }
  });

  it('leads to the address with the slash, and never to another host', async () => {
    const answer = await get('/de-de?x=1');
    expect(answer.status).toBe(308);
    expect(answer.headers.get('location')).toBe('/de-de/?x=1');
    const sly = await getRaw('//de-de');
    expect(sly.headers['location'] ?? '/').toMatch(/^\/(?!\/)/);
  });

  it('compresses text as the browser accepts it', async () => {
    const { headers, body } = await getRaw('/de-de/', { 'Accept-Encoding': 'gzip, br' });
    expect(headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(body).toString()).toBe('<h1>Hallo</h1>');
    expect((await getRaw('/de-de/', { 'Accept-Encoding': 'br;q=0' })).headers['content-encoding']).toBeUndefined();
    expect(
      (await getRaw('/_images/0123456789abcdef-640.avif', { 'Accept-Encoding': 'br' })).headers['content-encoding'],
    ).toBeUndefined();
  });

  it('shows a page that was rebuilt meanwhile', async () => {
    put('de-de/fresh/index.html', 'before');
    expect(await (await get('/de-de/fresh/')).text()).toBe('before');
    put('de-de/fresh/index.html', 'after it');
    expect(await (await get('/de-de/fresh/')).text()).toBe('after it');
  });

  it('gives a part of a file, and ignores a range that makes no sense', async () => {
    const image = '/_images/0123456789abcdef-640.avif';
    const part = await get(image, { headers: { Range: 'bytes=0-99' } });
    expect(part.status).toBe(206);
    expect((await part.arrayBuffer()).byteLength).toBe(100);
    for (const range of ['bytes=9-2', 'bytes=a-b', 'bytes=-5', 'lines=1-2'])
      expect((await get(image, { headers: { Range: range } })).status).toBe(200);
    const beyond = await get(image, { headers: { Range: 'bytes=5000-' } });
    expect([beyond.status, beyond.headers.get('cache-control')]).toEqual([416, null]);
    for (const [condition, status] of [
      [part.headers.get('last-modified') ?? '', 206],
      ['Sat, 21 Nov 2020 10:00:00 GMT', 200],
      [part.headers.get('etag') ?? '', 200],
    ] as const)
      expect((await get(image, { headers: { Range: 'bytes=0-99', 'If-Range': condition } })).status).toBe(status);
  });

  it('says when a file changed last, and how long it is', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await get('/_images/0123456789abcdef-640.avif', { method });
      expect([headers.get('content-length'), headers.get('accept-ranges')]).toEqual(['2000', 'bytes']);
      expect(Date.parse(headers.get('last-modified') ?? '')).toBeGreaterThan(0);
    }
  });

  it('takes no folder for a file, whatever it is called', async () => {
    put('v1.2/index.html', '<h1>Version</h1>');
    put('v1.3/picture.avif', '');
    expect((await get('/v1.2')).headers.get('location')).toBe('/v1.2/');
    expect((await get('/v1.3')).status).toBe(404);
  });

  it.skipIf(process.platform === 'win32')(
    'goes on after what can’t be read: a socket, a pipe that nobody writes to',
    async () => {
      const socket = createServer();
      await new Promise<void>((resolve) => socket.listen(path.join(dist, 'a.webp'), resolve));
      execFileSync('mkfifo', [path.join(dist, 'b.webp')]);
      for (const pathname of ['/a.webp', '/b.webp']) {
        const answer = await get(pathname);
        expect([answer.status, answer.headers.get('cache-control')]).toEqual([503, null]);
      }
      expect((await get('/_images/0123456789abcdef-640.avif')).status).toBe(200);
      await new Promise((resolve) => socket.close(resolve));
    },
  );

  it.skipIf(process.platform !== 'linux')('keeps no file open that nobody reads to its end', async () => {
    put('documents/5e6f7a8b-film.mp4', Buffer.alloc(20 * 1024 * 1024));
    await Promise.all(Array.from({ length: 50 }, () => readFirstChunk('/documents/5e6f7a8b-film.mp4')));
    await vi.waitFor(() => expect(openFiles().filter((file) => file.startsWith(dist))).toEqual([]), 10_000);
  });

  it.each([
    '/../outside.txt',
    '/%2e%2e/outside.txt',
    '/..%2foutside.txt',
    '/de-de/..%5c..%5coutside.txt',
    '/%00',
    '/%',
    '/%c0%ae',
  ])('does not leave its folder for %s', async (pathname) => {
    const { status, body } = await getRaw(pathname);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body.toString()).not.toContain('secret');
  });

  it.skipIf(process.platform === 'win32')('follows no link out of its folder', async () => {
    const outside = path.join(dist, '..', 'outside');
    mkdirSync(outside, { recursive: true });
    writeFileSync(path.join(outside, 'index.html'), 'secret');
    writeFileSync(path.join(outside, 'secret.txt'), 'secret');
    put('inside/page.html', 'inside');
    symlinkSync(outside, path.join(dist, 'linked'));
    symlinkSync(path.join(outside, 'secret.txt'), path.join(dist, 'linked.txt'));
    symlinkSync(path.join(outside, 'index.html'), path.join(dist, 'inside', '404.html'));
    symlinkSync('inside', path.join(dist, 'alias'));
    for (const gone of ['/linked', '/linked/', '/linked/secret.txt', '/linked.txt', '/inside/none']) {
      const { status, body } = await getRaw(gone);
      expect([gone, status, body.toString()]).toEqual([gone, 404, '<h1>Not here</h1>']);
    }
    expect((await getRaw('/alias/page.html')).body.toString()).toBe('inside');
  });

  it('gives out no dot files but those of .well-known', async () => {
    for (const file of ['.hidden', '.git/config', 'de-de/.env', '.well-known/.secret', 'de-de/.well-known/a.txt'])
      put(file, 'secret');
    put('.well-known/security.txt', 'Contact: mailto:a@b.test');
    put('.well-known/traffic/index.html', 'advice');
    for (const hidden of [
      '/.hidden',
      '/.git/config',
      '/.git/',
      '/de-de/.env',
      '/.well-known/.secret',
      '/%2egit/config',
    ])
      expect((await getRaw(hidden)).status, hidden).toBe(404);
    expect((await getRaw('/de-de/.well-known/a.txt')).status).toBe(404);
    expect((await getRaw('/.well-known/security.txt')).body.toString()).toContain('Contact');
    expect((await getRaw('/.well-known/traffic')).status).toBe(308);
  });

  it('only reads', async () => {
    const answer = await get('/', { method: 'POST', body: 'x' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
    const head = await get('/', { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
  });

  it('hands a service the paths that it claims', async () => {
    expect(await (await get('/rest/core/v2/posts')).json()).toEqual({ from: 'service' });
  });

  it('says when its port is taken', async () => {
    const port = Number(new URL(server.url).port);
    await expect(startSiteServer({ distFolder: dist, host: '127.0.0.1', port })).rejects.toMatchObject({
      code: 'PORT_TAKEN',
      hint: expect.stringContaining(`--port ${port + 1}`),
    });
  });
});

describe('a page that has moved', () => {
  it('leads to its new place, as the last build says', async () => {
    expect((await get('/de-de/alt/')).status).toBe(404);
    writeFileSync(redirectsFile, JSON.stringify({ '/de-de/alt/': '/de-de/neü/' }));
    const answer = await get('/de-de/alt/?from=mail');
    expect([answer.status, answer.headers.get('location')]).toEqual([301, '/de-de/ne%C3%BC/?from=mail']);
  });
});

const linkType = async (query: string, accept = 'text/html'): Promise<string | null> =>
  (await get(`/01/09524010000016/${query}`, { headers: { accept } })).headers.get('content-type');

describe('a GS1 Digital Link', () => {
  it('is a page, and all links of the product for who asks for them', async () => {
    expect(await linkType('')).toBe('text/html; charset=utf-8');
    expect(await linkType('?linkType=linkset')).toBe('application/linkset+json');
    expect(await linkType('', 'application/linkset+json')).toBe('application/linkset+json');
  });
});

describe('a GS1 Digital Link with a lot or serial number', () => {
  it.each(['10/ABC-1', '21/%2F7?linkType=linkset', '22/A/10/B/21/C/', '235/x'])(
    'leads up to its GTIN: %s',
    async (rest) => {
      const answer = await get(`/01/09524010000016/${rest}`);
      const query = rest.includes('?') ? '?linkType=linkset' : '';
      expect([answer.status, answer.headers.get('location')]).toEqual([302, `/01/09524010000016/${query}`]);
    },
  );

  it('does so for no other key, and nowhere else', async () => {
    for (const path of ['/01/09524010000016/17/261231', '/01/9524010000016/10/A', '/de-de/01/09524010000016/10/A'])
      expect((await get(path)).status, path).toBe(404);
  });
});

describe('a site in a folder of its host', () => {
  let inFolder: SiteServer;
  beforeAll(async () => {
    setBasePath('/katalog/');
    inFolder = await startSiteServer({ distFolder: dist, host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    setBasePath('/');
    await inFolder.close();
  });
  const get = (pathname: string) => fetch(inFolder.url + pathname, { redirect: 'manual' });

  it('is served there, and nowhere else', async () => {
    expect(await (await get('/katalog/de-de/')).text()).toBe('<h1>Hallo</h1>');
    expect((await get('/katalog/build.json')).headers.get('access-control-allow-origin')).toBe('*');
    expect((await get('/katalog/_images/0123456789abcdef-640.avif')).headers.get('cache-control')).toContain(
      'immutable',
    );
    expect((await get('/de-de/')).status).toBe(404);
    const missing = await get('/katalog/nothing/');
    expect([missing.status, await missing.text()]).toEqual([404, '<h1>Not here</h1>']);
  });

  it.each([
    ['/', '/katalog/'],
    ['/katalog', '/katalog/'],
    ['/katalog/de-de?a=1', '/katalog/de-de/?a=1'],
  ])('leads from %s to %s', async (from, to) => {
    const answer = await get(from);
    expect([answer.status, answer.headers.get('location')]).toEqual([308, to]);
  });
});
