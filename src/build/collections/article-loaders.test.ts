import { describe, expect, it } from 'vitest';
import { defineConfig, type OptionsInput } from '#config/index.ts';
import type { PageEntry, PostEntry } from '#catalogue/entries/entries.ts';
import { snapshotLoaders } from './snapshot-loaders.ts';
import { createCollection } from '../../catalogue/testing/create-loader-context.ts';
import {
  byId,
  createPage,
  createPost,
  createTerm,
  languages,
  SITE,
  writeSnapshot,
  type SnapshotContent,
} from '../../catalogue/testing/write-snapshot.ts';

const german = createTerm({ id: 1, taxonomy: 'category', slug: 'deutsch' });
const english = createTerm({ id: 2, taxonomy: 'category', slug: 'english' });
const practice = createTerm({ id: 3, taxonomy: 'category', slug: 'practice', name: 'Practice', parent: 2 });
const tied = createTerm({ id: 4, taxonomy: 'tag', slug: 'translation-tapes' });
const windows = createTerm({ id: 5, taxonomy: 'tag', slug: 'windows', name: 'Windows' });

const PUBLISHING: OptionsInput['publishing'] = {
  language: [
    { by: 'category', terms: { deutsch: 'de-de', english: 'en-gb' } },
    { by: 'slug-prefix', prefixes: { 'en-': 'en-gb', 'fr-': 'fr-fr' } },
  ],
  translations: { tagPrefix: 'translation-', slugs: [['unternehmen', 'company']] },
};

const options = defineConfig({
  site: { name: 'Haldenwerk' },
  maker: { name: 'Haldenwerk GmbH', address: ['Am Lehmgraben 12'], email: 'kontakt@haldenwerk.example' },
  mainLanguage: 'de-de',
  publishing: PUBLISHING,
});

const base = (records: SnapshotContent['records'], assets: SnapshotContent['assets'] = []): SnapshotContent => ({
  records: {
    language: languages('de-de', 'en-gb'),
    site: [{ id: 'site', record: { name: 'Journal', description: '', url: SITE } }],
    category: byId(german, english, practice),
    tag: byId(tied, windows),
    author: byId({ id: 1, slug: 'redaktion', name: 'Redaktion', description: '', url: '' }),
    ...records,
  },
  assets,
});

async function load(content: SnapshotContent) {
  const folder = writeSnapshot(content);
  const posts = createCollection(folder);
  const pages = createCollection(folder);
  await posts.load(snapshotLoaders(options).posts);
  await pages.load(snapshotLoaders(options).pages);
  return {
    ids: [...posts.entries.keys(), ...pages.entries.keys()],
    post: (id: string) => posts.entries.get(id)?.data as PostEntry | undefined,
    page: (id: string) => pages.entries.get(id)?.data as PageEntry | undefined,
    warnings: [...posts.warnings, ...pages.warnings],
  };
}

describe('the language of a post', () => {
  it('is that of the first rule that matches, of its categories or those above them, else the main one', async () => {
    const { ids } = await load(
      base({
        post: byId(
          createPost({ id: 10, slug: 'kleben', categories: [1] }),
          createPost({ id: 11, slug: 'bonding', categories: [3] }),
          createPost({ id: 12, slug: 'en-tapes' }),
          createPost({ id: 13, slug: 'unmarked' }),
        ),
      }),
    );
    expect(ids).toEqual(['de-de/kleben', 'en-gb/bonding', 'en-gb/tapes', 'de-de/unmarked']);
  });

  it('leaves out what is in a language that is not built', async () => {
    const { ids } = await load(base({ post: byId(createPost({ id: 10, slug: 'fr-bandes' })) }));
    expect(ids).toEqual([]);
  });

  it('keeps both slugs whole where leaving out the prefix would make them one', async () => {
    const { ids } = await load(
      base({
        post: byId(createPost({ id: 10, slug: 'tapes', categories: [2] }), createPost({ id: 11, slug: 'en-tapes' })),
      }),
    );
    expect(ids).toEqual(['en-gb/tapes', 'en-gb/en-tapes']);
  });

  it('makes an address of any slug, and never the same one twice', async () => {
    const slugs = ['..%2f..%2fetc', '%00', 'a b', 'a/b', 'A/B', '', 'x"><script>'];
    const { ids } = await load(base({ post: byId(...slugs.map((slug, i) => createPost({ id: 10 + i, slug }))) }));
    expect(ids).toEqual(['-etc', '11', 'a-b', 'a-b-13', 'A-B-14', '15', 'x-script-'].map((slug) => `de-de/${slug}`));
  });

  it('stands for a title that is missing', async () => {
    const { post, page } = await load(
      base({
        post: byId(createPost({ id: 10, slug: 'untitled', title: '', excerpt: '' })),
        page: byId(createPage({ id: 20, slug: 'nameless', title: '' })),
      }),
    );
    expect([post('de-de/untitled')?.title, page('de-de/nameless')?.title]).toEqual(['untitled', 'nameless']);
  });

  it('does not mind slugs of other scripts', async () => {
    const slug = encodeURIComponent('en-клей').toLowerCase();
    const { ids, post } = await load(base({ post: byId(createPost({ id: 10, slug })) }));
    expect(ids).toEqual(['en-gb/клей']);
    expect(post('en-gb/клей')?.path).toBe('/en-gb/journal/клей/');
  });

  it('is not shown as a category, nor is a tag that ties translations', async () => {
    const { post } = await load(
      base({ post: byId(createPost({ id: 10, slug: 'x', categories: [2, 3], tags: [4, 5] })) }),
    );
    expect(post('en-gb/x')?.categories).toEqual([{ slug: 'practice', name: 'Practice' }]);
    expect(post('en-gb/x')?.tags).toEqual([{ slug: 'windows', name: 'Windows' }]);
    expect(post('en-gb/x')?.author).toBe('Redaktion');
  });
});

describe('translations', () => {
  it('are posts with a common tag, each naming all', async () => {
    const { post } = await load(
      base({
        post: byId(
          createPost({ id: 10, slug: 'fenster', categories: [1], tags: [4] }),
          createPost({ id: 11, slug: 'windows', categories: [2], tags: [4] }),
          createPost({ id: 12, slug: 'alone', categories: [2] }),
        ),
      }),
    );
    const both = { 'de-de': '/de-de/journal/fenster/', 'en-gb': '/en-gb/journal/windows/' };
    expect(post('de-de/fenster')?.translations).toEqual(both);
    expect(post('en-gb/windows')?.translations).toEqual(both);
    expect(post('en-gb/alone')?.translations).toEqual({ 'en-gb': '/en-gb/journal/alone/' });
  });

  it('are pages of one group, named with or without the prefix', async () => {
    const { page } = await load(
      base({ page: byId(createPage({ id: 20, slug: 'unternehmen' }), createPage({ id: 21, slug: 'en-company' })) }),
    );
    expect(page('en-gb/company')?.translations).toEqual({ 'de-de': '/de-de/unternehmen/', 'en-gb': '/en-gb/company/' });
  });
});

describe('pages', () => {
  it('stand below their parents, without prefixes, in the language of the page above', async () => {
    const { page } = await load(
      base({
        page: byId(
          createPage({ id: 20, slug: 'en-careers', parent: 21 }),
          createPage({ id: 21, slug: 'en-company' }),
          createPage({ id: 22, slug: 'team', parent: 20 }),
        ),
      }),
    );
    expect(page('en-gb/company/careers/team')).toMatchObject({
      path: '/en-gb/company/careers/team/',
      slugPath: 'company/careers/team',
      ancestors: ['en-gb/company', 'en-gb/company/careers'],
    });
  });

  it('survive a circle of parents', async () => {
    const { ids } = await load(
      base({
        page: byId(createPage({ id: 20, slug: 'a', parent: 21 }), createPage({ id: 21, slug: 'b', parent: 20 })),
      }),
    );
    expect(ids).toHaveLength(2);
  });

  it('do not take an address of the catalogue', async () => {
    const { ids, warnings } = await load(
      base({ page: byId(createPage({ id: 20, slug: 'products', title: 'Products' })) }),
    );
    expect(ids).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('"Products" is skipped: /de-de/products/')]);
  });

  it('whose page above is left out are named', async () => {
    const above = createPage({ id: 20, slug: 'products', title: 'Products' });
    const { ids, warnings } = await load(
      base({ page: byId(above, createPage({ id: 21, slug: 'tapes', title: 'Tapes', parent: 20 })) }),
    );
    expect(ids).toEqual(['de-de/tapes']);
    expect(warnings).toEqual([expect.stringContaining('Its child pages ("Tapes") move to the top level')]);
  });
});

/** The HTML of a post on a site with another post and a page. */
const loadHtml = (text: string, assets: SnapshotContent['assets'] = []) =>
  load(
    base(
      {
        post: byId(
          createPost({ id: 10, slug: 'kleben', html: text }),
          createPost({ id: 11, slug: 'en-tapes', link: `${SITE}/2026/11/en-tapes/` }),
        ),
        page: byId(createPage({ id: 20, slug: 'en-company' })),
      },
      assets,
    ),
  ).then(({ post }) => post('de-de/kleben')?.html);

const PHOTO = {
  kind: 'image' as const,
  digest: 'ab'.repeat(32),
  file: 'ab/c.jpg',
  mimeType: 'image/jpeg',
  width: 1600,
  height: 900,
};

/** An image of another host, and what pages show in its place. */
const foreignImage = (alt: string) =>
  `<img src="https://www.elsewhere.example/x.svg" alt="${alt}" id="user-content-x" />`;
const foreignCard = (label: string) =>
  `<a href="https://www.elsewhere.example/x.svg" data-embed="elsewhere.example">${label}</a>`;

describe('HTML', () => {
  it('leads to what names no address of its own by its slug', async () => {
    const link = 'http://[';
    const posts = [
      createPost({ id: 10, slug: 'a', html: '<p><a href="/b/">b</a></p>', link }),
      createPost({ id: 11, slug: 'b', link }),
    ];
    const { post } = await load(base({ post: byId(...posts) }));
    expect(post('de-de/a')?.html).toBe('<p><a href="/de-de/journal/b/">b</a></p>');
  });

  it.each([
    [`${SITE}/2026/11/en-tapes/`, '/en-gb/journal/tapes/'],
    [`${SITE}/2026/11/en-tapes`, '/en-gb/journal/tapes/'],
    [`http://www.journal.example/en-tapes/#norms`, '/en-gb/journal/tapes/#norms'],
    ['/en-tapes/', '/en-gb/journal/tapes/'],
    [`${SITE}/?p=11`, '/en-gb/journal/tapes/'],
    [`${SITE}/?page_id=20`, '/en-gb/company/'],
    [`${SITE}/`, '/de-de/'],
  ])('leads %s to %s', async (href, path) => {
    expect(await loadHtml(`<p><a href="${href}" target="_blank" rel="noopener">x</a></p>`)).toBe(
      `<p><a href="${path}">x</a></p>`,
    );
  });

  it.each([
    `${SITE}/category/english/`,
    `${SITE}/category/nothing/`,
    `${SITE}/1999/01/`,
    `${SITE}/?p=999`,
    `${SITE}/wp-login.php`,
    'http://www.journal.example/category/practice/',
    `${SITE}/unknown/`,
    'https://elsewhere.example/en-tapes/',
    '#norms',
    'mailto:a@b.example',
  ])('leaves %s', async (href) => {
    expect(await loadHtml(`<p><a href="${href}" rel="noopener">x</a></p>`)).toBe(
      `<p><a href="${href}" rel="noopener">x</a></p>`,
    );
  });

  const photo = PHOTO;

  it('marks images that were fetched, also in the sizes that publishing sites make', async () => {
    const text = `<img src="${SITE}/uploads/photo-1024x576.jpg" alt="A wall" srcset="x 2x" />`;
    expect(await loadHtml(text, [{ ...photo, url: `${SITE}/uploads/photo.jpg` }])).toBe(
      `<img src="${SITE}/uploads/photo-1024x576.jpg" alt="A wall" data-asset="abababababababab" width="1600" height="900" />`,
    );
  });

  const file = { kind: 'file' as const, digest: 'cd'.repeat(32), file: 'cd/ef.mp4', mimeType: 'video/mp4' };

  it('plays audio and video of which this site has a copy, with what belongs to it', async () => {
    const video =
      `<video src="${SITE}/film.mp4" poster="${SITE}/uploads/photo.jpg" controls preload="metadata" id="user-content-f">` +
      `<track src="${SITE}/de.vtt" srclang="de" label="Deutsch" /><track src="${SITE}/fehlt.vtt" /></video>`;
    const assets = [
      { ...photo, url: `${SITE}/uploads/photo.jpg` },
      { ...file, url: `${SITE}/film.mp4` },
      { ...file, url: `${SITE}/de.vtt`, digest: 'ef'.repeat(32), file: 'ef/ab.vtt', mimeType: 'text/vtt' },
    ];
    expect(await loadHtml(video, assets)).toBe(
      '<video src="/documents/cdcdcdcd-film.mp4" poster="/_images/abababababababab-1200.jpg" controls preload="metadata" ' +
        'id="user-content-f"><track src="/documents/efefefef-de.vtt" srclang="de" label="Deutsch" /></video>',
    );
    const sources = `<source src="${SITE}/fehlt.webm" type="video/webm" /><source src="${SITE}/film.mp4" />`;
    expect(await loadHtml(`<p>a</p><video controls preload="metadata">${sources}</video><p>b</p>`, assets)).toBe(
      '<p>a</p><video controls preload="metadata"><source src="/documents/cdcdcdcd-film.mp4" /></video><p>b</p>',
    );
  });

  it('leads to what plays elsewhere', async () => {
    expect(
      await loadHtml('<audio controls><source src="https://www.elsewhere.example/a.mp3?x=1" /></audio><p>b</p>'),
    ).toBe(
      '<a href="https://www.elsewhere.example/a.mp3?x=1" data-embed="elsewhere.example">' +
        'https://www.elsewhere.example/a.mp3?x=1</a><p>b</p>',
    );
  });

  it('leads to the copies of files that it has, and else to the files', async () => {
    const links = ['liste.xlsx', 'blatt.pdf', 'uploads/photo.jpg', 'fehlt.pdf'].map(
      (name) => `<a href="${SITE}/${name}" download>x</a>`,
    );
    const assets = [
      { ...photo, url: `${SITE}/uploads/photo.jpg` },
      { ...file, url: `${SITE}/liste.xlsx`, file: 'cd/ef.xlsx', mimeType: 'application/zip' },
      { ...file, url: `${SITE}/blatt.pdf`, kind: 'document' as const, file: 'cd/ef.pdf', mimeType: 'application/pdf' },
    ];
    expect(await loadHtml(links.join(''), assets)).toBe(
      [
        '/documents/cdcdcdcd-liste.xlsx',
        '/documents/cdcdcdcd-blatt.pdf',
        '/_images/abababababababab-1200.jpg',
        `${SITE}/fehlt.pdf`,
      ]
        .map((href) => `<a href="${href}" download>x</a>`)
        .join(''),
    );
  });

  it('leads to the same place in another text', async () => {
    const posts = [
      createPost({ id: 10, slug: 'a', html: `<p><a href="${SITE}/b/#Teil%202">b</a></p>` }),
      createPost({ id: 11, slug: 'b', html: '<h2 id="user-content-Teil-2">2</h2>' }),
    ];
    const { post } = await load(base({ post: byId(...posts) }));
    expect(post('de-de/a')?.html).toBe('<p><a href="/de-de/journal/b/#user-content-Teil-2">b</a></p>');
  });

  it('says of an embedded article of this site what its card shows, as it is now', async () => {
    const url = `${SITE}/uploads/photo.jpg`;
    const texts = { slug: 'photo', title: '', mimeType: 'image/jpeg', alt: 'A wall', caption: '', modified: '' };
    const posts = [
      createPost({ id: 10, slug: 'a', html: `<p><a href="${SITE}/b/" data-embed="journal.example">Old</a></p>` }),
      createPost({ id: 11, slug: 'b', title: 'New <title>', excerpt: 'In "short"', featuredMedia: 5 }),
    ];
    const records = { post: byId(...posts), media: byId({ id: 5, url, ...texts }) };
    const { post } = await load(base(records, [{ ...photo, url }]));
    expect(post('de-de/a')?.html).toBe(
      '<p><a href="/de-de/journal/b/" data-embed="here" data-excerpt="In &quot;short&quot;"' +
        ' data-asset="abababababababab" width="1600" height="900">New &lt;title&gt;</a></p>',
    );
  });

  it('leaves everything else as it is', async () => {
    const text = `<h2 id="a">A &amp; B – C</h2><figure class="wide"><figcaption>x</figcaption></figure><table><tbody><tr><td colspan="2">1 &lt; 2</td></tr></tbody></table>`;
    expect(await loadHtml(text)).toBe(text);
  });

  it('leads to images that were not fetched, which the page could not show', async () => {
    expect(
      await loadHtml(
        `<figure>${foreignImage('A &amp; B')}<figcaption>x</figcaption></figure><p>${foreignImage('')}</p>`,
      ),
    ).toBe(`<figure>${foreignCard('A &amp; B')}<figcaption>x</figcaption></figure><p>${foreignCard('x.svg')}</p>`);
    expect(await loadHtml(`<a href="https://elsewhere.example/">${foreignImage('Logo')}</a>`)).toBe(
      '<a href="https://elsewhere.example/">Logo</a>',
    );
    const film = '<video src="https://elsewhere.example/f.mp4" aria-label="Film" controls></video>';
    expect(await loadHtml(`<a href="https://elsewhere.example/">${film}</a>`)).toBe(
      '<a href="https://elsewhere.example/">Film</a>',
    );
  });

  it('shows nothing of an image of one pixel', async () => {
    const [url, pixel] = [`${SITE}/blank.gif`, { width: 1, height: 1, mimeType: 'image/gif' }];
    expect(await loadHtml(`<p>a<img src="${url}" alt="" /></p>`, [{ ...photo, url, ...pixel }])).toBe('<p>a</p>');
  });

  it('has no images in captions, and links into this site', async () => {
    const url = `${SITE}/uploads/photo.jpg`;
    const texts = { slug: 'photo', title: '', mimeType: 'image/jpeg', alt: 'A wall', modified: '' };
    const caption = `<a href="${SITE}/b/">B</a> <img src="${SITE}/x.png" alt="X" />`;
    const posts = [createPost({ id: 10, slug: 'a', featuredMedia: 5 }), createPost({ id: 11, slug: 'b' })];
    const records = { post: byId(...posts), media: byId({ id: 5, url, caption, ...texts }) };
    const { post } = await load(base(records, [{ ...photo, url }]));
    expect(post('de-de/a')?.featured?.caption).toBe(
      `<a href="/de-de/journal/b/">B</a> <a href="${SITE}/x.png" data-embed="journal.example">X</a>`,
    );
  });
});

describe('links to a publishing site with several addresses', () => {
  const CMS = 'http://cms.example:8080/wp';
  const MEDIA = { title: '', mimeType: '', alt: '', caption: '', modified: '' };
  const content = (html: string): SnapshotContent =>
    base(
      {
        site: [{ id: 'site', record: { name: '', description: '', url: SITE, addresses: [SITE, `${SITE}/wp`, CMS] } }],
        category: byId(german, english, { ...practice, link: `${SITE}/category/english/practice/` }),
        tag: byId(tied, { ...windows, link: `${CMS}/tag/windows/` }),
        author: byId({
          id: 1,
          slug: 'redaktion',
          link: `${SITE}/author/redaktion/`,
          name: 'Redaktion',
          description: '',
          url: '',
        }),
        post: byId(
          createPost({ id: 10, slug: 'kleben', html, tags: [5] }),
          createPost({
            id: 11,
            slug: 'en-tapes',
            link: `${SITE}/2026/11/en-tapes/`,
            html: '<p id="user-content-norms">x</p>',
          }),
          createPost({ id: 12, slug: 'en-practice', categories: [3], published: '2026-01-05T08:00:00Z' }),
        ),
        page: byId(createPage({ id: 20, slug: 'en-company' }), createPage({ id: 21, slug: 'front', link: `${SITE}/` })),
        media: byId(
          { id: 5, slug: 'blatt', link: `${SITE}/kleben/blatt/`, url: `${SITE}/uploads/blatt.pdf`, ...MEDIA },
          { id: 6, slug: 'photo', link: `${CMS}/photo/`, url: `${CMS}/uploads/photo.jpg`, ...MEDIA },
        ),
      },
      [
        { url: `${SITE}/uploads/blatt.pdf`, kind: 'document', digest: 'cd'.repeat(32), file: 'cd/ef.pdf' },
        { ...PHOTO, url: `${CMS}/uploads/photo.jpg` },
      ],
    );

  it.each([
    [`${CMS}/2026/11/en-tapes/`, '/en-gb/journal/tapes/'],
    [`${CMS}/?p=11`, '/en-gb/journal/tapes/'],
    [`${CMS}/index.php?p=11&utm_source=x`, '/en-gb/journal/tapes/'],
    [`${CMS}/?page_id=20`, '/en-gb/company/'],
    [`${CMS}/2026/11/en-tapes/?utm_source=x#norms`, '/en-gb/journal/tapes/#user-content-norms'],
    [`${CMS}/kleben/?p=2`, '/de-de/journal/kleben/'],
    ['https://cms.example:8080/wp/en-tapes', '/en-gb/journal/tapes/'],
    [`${SITE}/wp/?p=11`, '/en-gb/journal/tapes/'],
    [`${CMS}/?utm_campaign=x`, '/de-de/front/'],
    [`${SITE}/category/english/practice/`, '/en-gb/journal/category/practice/'],
    [`${CMS}/category/english/practice/page/2/`, '/en-gb/journal/category/practice/'],
    [`${CMS}/?cat=3`, '/en-gb/journal/category/practice/'],
    [`${SITE}/tag/windows`, '/de-de/journal/tag/windows/'],
    [`${SITE}/?tag=windows`, '/de-de/journal/tag/windows/'],
    [`${SITE}/author/redaktion/`, '/de-de/journal/author/redaktion/'],
    [`${SITE}/?author=1`, '/de-de/journal/author/redaktion/'],
    [`${SITE}/2026/11/`, '/de-de/journal/month/2026-11/'],
    [`${SITE}/2026/11/20/`, '/de-de/journal/month/2026-11/'],
    [`${SITE}/?m=20261120`, '/de-de/journal/month/2026-11/'],
    [`${SITE}/?s=Fenster+dicht`, '/de-de/search/?q=Fenster+dicht'],
    [`${SITE}/kleben/blatt/`, '/documents/cdcdcdcd-blatt.pdf'],
    [`${CMS}/?attachment_id=5`, '/documents/cdcdcdcd-blatt.pdf'],
    [`${SITE}/photo/`, '/_images/abababababababab-1200.jpg'],
    [`${SITE}/uploads/blatt.pdf`, '/documents/cdcdcdcd-blatt.pdf'],
  ])('leads %s to %s', async (href, path) => {
    const { post } = await load(content(`<p><a href="${href}">x</a></p>`));
    expect(post('de-de/kleben')?.html).toBe(`<p><a href="${path}">x</a></p>`);
  });

  it.each([
    'http://cms.example/wp/en-tapes/',
    'http://cms.example:8080/en-tapes/',
    `${CMS}/2026/01/`,
    `${SITE}/2026/`,
    `${SITE}/wp-admin/?p=11`,
    'ftp://journal.example/en-tapes/',
  ])('leaves %s', async (href) => {
    const { post } = await load(content(`<p><a href="${href}">x</a></p>`));
    expect(post('de-de/kleben')?.html).toBe(`<p><a href="${href}">x</a></p>`);
  });
});
