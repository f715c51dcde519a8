import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { formatReport } from '#sync/report/format-report.ts';
import { createMedia, createPost, startTestUpstream, type TestUpstream } from '#sync/testing/test-upstream.ts';
import { languageCodes, entryData } from '#catalogue/read-model/with-snapshot.ts';
import { projectPosts } from '#catalogue/read-model/articles.ts';
import { inspectSite } from './inspect-site.ts';

/** Public URL of a site whose interface has another address. */
const HOME = 'https://www.example.com';

let upstream: TestUpstream;
beforeEach(async () => {
  upstream = await startTestUpstream({ assortment: () => [], mainLanguage: 'de-de' });
  delete upstream.upstreams.product;
  upstream.index = { home: HOME };
});
afterEach(() => upstream.close());

const sync = () => upstream.sync({ inspect: (snapshot) => inspectSite(upstream.settings, snapshot) });
const publish = (html: string) => {
  const content = { rendered: html, protected: false };
  upstream.lists['posts'] = [
    createPost({ id: 7, slug: 'start', link: `${HOME}/start/`, content }),
    createPost({ id: 13, slug: 'lazy', link: `${HOME}/lazy/` }),
  ];
};
const htmlOf = (id: number) =>
  upstream.read((snapshot) => {
    const { options } = upstream.settings;
    const source = { snapshot, options, languages: languageCodes(snapshot, options), warn: () => undefined };
    const posts = [...projectPosts(source)].map(entryData);
    return String(posts.find(({ sourceId }) => sourceId === id)?.['html']);
  });

it('counts links to the publishing site that lead to no page here, for each text and in every run', async () => {
  const { origin } = upstream.server;
  const links = [`${HOME}/lazy/`, `${origin}/lazy/`, `${origin}/?p=13`, `${HOME}/gone/`, `${origin}/wp-admin/`];
  publish([...links, 'https://elsewhere.example/', '#x'].map((href) => `<a href="${href}">x</a>`).join(' '));
  for (let run = 0; run < 2; run += 1) {
    const { warnings } = await sync();
    expect(warnings.filter(({ kind }) => kind === 'post')).toMatchObject([
      {
        field: 'content',
        count: 1,
        problem: 'has 2 links to the publishing site without a page on this one',
        examples: [`7: ${HOME}/gone/ ${origin}/wp-admin/`],
      },
    ]);
  }
  const paths = [...htmlOf(7).matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
  expect(paths.slice(0, 3)).toEqual(Array(3).fill('/de-de/journal/lazy/'));
});

it('has files that are named by the public address, or by the page that is about them', async () => {
  const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#145a3c' } })
    .png()
    .toBuffer();
  const pdf = Buffer.from('%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n');
  for (const name of ['a', 'b']) upstream.files.set(`/uploads/${name}.png`, { body: png, type: 'image/png' });
  for (const name of ['c', 'd']) upstream.files.set(`/uploads/${name}.pdf`, { body: pdf, type: 'application/pdf' });
  upstream.lists['media'] = [
    createMedia({ id: 1, source_url: `${HOME}/uploads/a.png`, link: `${HOME}/a/` }),
    createMedia({ id: 2, source_url: `${HOME}/uploads/c.pdf`, link: `${HOME}/start/c/`, mime_type: 'application/pdf' }),
  ];
  publish(
    `<img src="${HOME}/uploads/b.png" alt=""><a href="${HOME}/a/">x</a><a href="${HOME}/start/c/">x</a>` +
      `<a href="${HOME}/uploads/d.pdf">x</a>`,
  );
  const report = await sync();
  expect(report.assets).toMatchObject({ referenced: 4, fetched: 4, failed: 0, notAllowed: 0 });
  expect(report.warnings.filter(({ kind }) => kind === 'post')).toEqual([]);
  expect(htmlOf(7)).toMatch(
    /^<img src="[^"]*" alt="" data-asset="\w+" width="40" height="30" \/><a href="\/_images\/[^"]*">x<\/a> <a href="\/documents\/\w+-c\.pdf">x<\/a> <a href="\/documents\/\w+-d\.pdf">x<\/a>$/,
  );
});

it('counts images and frames without a usable address in every run', async () => {
  publish('<p>x</p><img src="data:image/gif;base64,R0lGODlhAQAB"><img><iframe src="about:blank"></iframe>');
  await sync();
  const report = await sync();
  expect(formatReport(report)).toContain(
    '1 post: content has 2 images, 1 frame without a usable address, left out\n' +
      '    7: data:image/gif;base64,R0lGODlhAQAB\n    -> Correct the address',
  );
});
