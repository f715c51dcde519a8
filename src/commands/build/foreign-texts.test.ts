import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createProduct } from '#snapshot/testing/fill-snapshot.ts';
import { addPodcast } from '#sync/testing/test-podcast.ts';
import { createMedia, createPost, startTestUpstream, TOKEN, type TestUpstream } from '#sync/testing/test-upstream.ts';
import { foreignHtml } from '#e2e/foreign-html.ts';
import { HOSTILE_HTML } from '#e2e/hostile-html.ts';
import { launchBrowser } from '#e2e/launch-browser.ts';
import { listHtmlPages } from '#e2e/list-html-pages.ts';
import { copyProject, type FinishedCommand, type ProjectCopy, type RunningCommand } from '#e2e/project-copy.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let upstream: TestUpstream;
let project: ProjectCopy;
let server: RunningCommand | undefined;
let sync: FinishedCommand;

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const COVER = 'wp-block-cover__image-background has-parallax';
const paint = (background: string) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background } })
    .png()
    .toBuffer();

/** HTML of plug-ins, with third-party files and unsupported types. */
const textFrom = (origin: string): string => `
<p>Vorher</p>
<figure class="good"><img src="${PIXEL}" data-src="${origin}/uploads/a.png" alt="Dach"></figure>
<img src="${origin}/plugins/x/1x1.trans.gif" data-lazy-src="${origin}/uploads/b.png" alt="Zwei"><noscript><img src="${origin}/uploads/b.png" alt="Zwei"></noscript>
<div role="img" aria-label="Drei" class="${COVER}" style="background-image:url(${origin}/uploads/c.png)"></div>
<img src="${origin}/uploads/film.gif" alt="Film"><img src="${origin}/plugins/x/dot.gif" alt="">
<figure><img src="${origin}/uploads/plan.svg" alt="Plan"><figcaption>SVG</figcaption></figure>
<p><img src="${origin}/uploads/broken.jpg" alt=""> <img src="https://elsewhere.example/x.jpg" alt="Fremd"></p>
<a href="https://elsewhere.example/"><img src="https://elsewhere.example/y.jpg" alt="Logo"></a>
<video src="https://elsewhere.example/f.mp4" poster="https://elsewhere.example/p.jpg"></video>
<audio src="data:audio/mpeg;base64,AA"></audio><audio><source src="https://elsewhere.example/a.mp3"></audio>
<iframe src="about:blank" data-src="https://www.youtube.com/embed/abcdefghijk" title="Film"></iframe><iframe></iframe>
<div class="wp-block-file"><a href="${origin}/uploads/a.pdf">Datenblatt</a><a href="${origin}/uploads/a.pdf" class="wp-block-file__button" download>Herunterladen</a></div>
${foreignHtml('Wort')}${HOSTILE_HTML.join('\n')}`;

beforeAll(async () => {
  [project, upstream] = await Promise.all([copyProject(), startTestUpstream()]);
  const { origin } = upstream.server;
  const put = (name: string, body: Buffer, type: string) => upstream.files.set(name, { body, type });
  for (const name of ['a', 'b', 'c', 'd']) put(`/uploads/${name}.png`, await paint('#145a3c'), 'image/png');
  const frames = await Promise.all(['#a00', '#0a0', '#00a'].map(paint));
  put(
    '/uploads/film.gif',
    await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer(),
    'image/gif',
  );
  put('/plugins/x/dot.gif', Buffer.from(PIXEL.slice(PIXEL.indexOf(',') + 1), 'base64'), 'image/gif');
  put('/uploads/plan.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml');
  put('/uploads/a.pdf', Buffer.from('%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n'), 'application/pdf');
  const html = textFrom(origin);
  const content = { rendered: html, protected: false };
  const texts = { content, excerpt: { rendered: html, protected: false } };
  const caption = { rendered: `Bild <img src="https://elsewhere.example/c.png" alt="C"> ${HOSTILE_HTML.join('')}` };
  upstream.lists['media'] = [createMedia({ id: 5, source_url: `${origin}/uploads/d.png`, caption })];
  upstream.lists['posts'] = [
    createPost({ id: 7, slug: 'fremd', link: `${origin}/fremd/`, featured_media: 5, ...texts }),
  ];
  upstream.lists['pages'] = [
    createPost({ id: 8, slug: 'seite', link: `${origin}/seite/`, parent: 0, menu_order: 0, ...texts }),
  ];
  const podcast = addPodcast(upstream);
  const episode = podcast.add(9);
  Object.assign(episode.page, { content });
  const assortment = path.join(project.folder, 'content/assortment/haldenwerk.yaml');
  const gtins = [...new Set(readFileSync(assortment, 'utf8').match(/\b\d{13}\b/g))];
  upstream.products.clear();
  upstream.fillProducts(gtins);
  const [first = ''] = gtins;
  const images = { image: `${origin}/uploads/film.gif`, image_banner: 'https://elsewhere.example/b.jpg' };
  upstream.products.set(`${first}/de-de`, createProduct({ gtin: first, application: html, ...images }));
  const env = { PRODUCT_API_URL: origin, PRODUCT_API_TOKEN: TOKEN, PUBLISHING_URL: origin };
  sync = await project.run('sync', [], env);
  expect(sync.code, sync.stdout + sync.stderr).toBe(10);
  const build = await project.run('build', [], { ...env, SORTIMENT_OFFLINE: '1' });
  expect(build.code, build.stdout + build.stderr).toBe(0);
});
afterAll(async () => {
  await server?.stop();
  await upstream.close();
  await project.remove();
});

const dist = () => path.join(project.folder, 'dist');
const read = (page: string) => readFileSync(path.join(dist(), page.endsWith('/') ? `${page}index.html` : page), 'utf8');

/** Maps elements to the policy directive that allows their resources. */
const LOADED: Readonly<Record<string, string>> = {
  img: 'img-src',
  source: 'img-src',
  video: 'media-src',
  audio: 'media-src',
  track: 'media-src',
  iframe: 'frame-src',
  embed: 'object-src',
  object: 'object-src',
};

it('no page refers to media that its own policy blocks', async () => {
  let count = 0;
  for (const page of await listHtmlPages(dist())) {
    const html = read(page);
    const policy = /http-equiv="content-security-policy" content="([^"]*)"/i.exec(html)?.[1] ?? '';
    const directives = new Map(policy.split(';').map((one) => [one.trim().split(' ')[0], one]));
    for (const [tag, name = ''] of html.matchAll(/<(img|source|video|audio|track|iframe|embed|object)\b[^>]*>/g)) {
      const directive = directives.get(LOADED[name]) ?? directives.get('default-src') ?? '';
      for (const [, attribute, value = ''] of tag.matchAll(/\s(src|srcset|poster|data)="([^"]*)"/g)) {
        count += 1;
        const isOwn = value.startsWith('/') && !value.startsWith('//') && directive.includes("'self'");
        const isData = value.startsWith('data:') && directive.includes('data:') && attribute === 'src';
        expect(isOwn || isData, `${page}: ${tag}`).toBe(true);
      }
    }
  }
  expect(count).toBeGreaterThan(50);
});

it.each(['/de-de/journal/fremd/', '/de-de/seite/'])(
  '%s shows all that could be fetched, and says of the rest what it is',
  async (page) => {
    const html = read(page);
    const alts = [...html.matchAll(/<img\b[^>]*\salt="(Dach|Zwei|Drei|Film)"/g)].map(([, alt]) => alt);
    expect(alts).toEqual(['Dach', 'Zwei', 'Drei', 'Film']);
    for (const label of ['Plan', 'broken.jpg', 'Fremd', 'Film']) expect(html).toContain(`<strong>${label}</strong>`);
    expect(html).toContain('<a href="https://elsewhere.example/">Logo</a>');
    expect(html).toMatch(/>Datenblatt<\/a> <a [^>]*download[^>]*>Herunterladen</);
    expect(html).not.toMatch(/<figure[^>]*>\s*<\/figure>|1x1\.trans|<noscript/);
  },
);

it('counts what it can’t show in the report of the sync', () => {
  for (const line of [
    /1 post: content has 1 audio file, 3 images, 1 frame without a usable address, left out/,
    /1 product record: application has 1 audio file, 3 images, 1 frame without a usable address, left out/,
    /is not a PNG, JPEG, WebP, AVIF or GIF image, but SVG/,
    /answered 404/,
    /is not fetched: its host is neither an upstream nor in `mediaHosts`/,
  ])
    expect(sync.stdout).toMatch(line);
});

it('plays animations of texts and products as they are, and violates no policy in a browser', async () => {
  server = project.start('serve', ['--port', '0']);
  const [address = ''] = await server.printed(/http:\/\/(127\.0\.0\.1|localhost):\d+/);
  const film = upstream.files.get('/uploads/film.gif')?.body;
  const browser = await launchBrowser();
  try {
    for (const motion of ['no-preference', 'reduce'] as const) {
      const tab = await browser.newPage({ reducedMotion: motion });
      const blocked: string[] = [];
      tab.on('console', (message) => {
        if (/content security policy/i.test(message.text())) blocked.push(message.text());
      });
      const pages = await listHtmlPages(dist());
      const product = pages.find((name) => name.startsWith('/de-de/p/') && read(name).includes('.gif')) ?? '';
      for (const page of ['/de-de/journal/fremd/', product]) {
        await tab.goto(address + page);
        const shown = await tab.evaluate(async () => {
          const images = [...document.querySelectorAll<HTMLImageElement>('main img')];
          for (const image of images) image.loading = 'eager';
          await Promise.all(images.map((image) => image.decode()));
          return images.map((image) => image.currentSrc);
        });
        expect(
          shown.some((source) => source.endsWith('.gif')),
          page,
        ).toBe(motion === 'no-preference');
        for (const source of shown.filter((one) => one.endsWith('.gif')))
          expect(Buffer.from(await (await fetch(source)).arrayBuffer())).toEqual(film);
      }
      expect(blocked).toEqual([]);
      await tab.close();
    }
  } finally {
    await browser.close();
  }
});
