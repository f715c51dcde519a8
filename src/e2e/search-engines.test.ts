import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, inject, it } from 'vitest';
import { auditSearch, readSitemap } from './audit-search.ts';
import { validateForGoogle, validateVocabulary } from '#catalogue/testing/validate-json-ld.ts';
import { listHtmlPages } from './list-html-pages.ts';
import { parsePage } from './parse-page.ts';

const dist = path.join(inject('projectFolder'), 'dist');
const siteUrl = inject('siteUrl');

const pages = await Promise.all(
  (await listHtmlPages(dist)).map(async (page) =>
    parsePage(page, await readFile(path.join(dist, page.endsWith('/') ? `${page}index.html` : page), 'utf8')),
  ),
);
const addresses = readSitemap(dist);

it('tells search engines of each page what it is, and of its translations what they tell of it', () => {
  const { problems, looked } = auditSearch(pages, addresses, siteUrl);
  expect(problems).toEqual([]);
  expect(Object.entries(looked).filter(([, count]) => count < 70)).toEqual([]);
});

it('says of every page in the sitemap what is right by the vocabulary of schema.org, and what Google asks of it', async () => {
  const listed = new Set(addresses.map(({ url }) => url));
  const shown = pages.filter(({ path: place }) => listed.has(siteUrl + place));
  expect(shown).toHaveLength(listed.size);
  const problems = shown.flatMap(({ path: place, nodes }) =>
    validateVocabulary(nodes).map((one) => `${place}: ${one}`),
  );
  for (const { path: place, nodes } of shown)
    problems.push(...(await validateForGoogle(nodes)).map((one) => `${place}: ${one}`));
  expect(problems).toEqual([]);
  const types = new Set(shown.flatMap(({ nodes }) => nodes.map((node) => node['@type'])));
  expect([...types]).toEqual(
    expect.arrayContaining(['ItemPage', 'Product', 'Article', 'PodcastEpisode', 'ProfilePage', 'Organization']),
  );
});

it('shows a product as its overlay says, and gives shared links what networks ask of products', () => {
  const page = pages.find(({ path: place }) => /^\/de-de\/p\/.*9524010000016\/$/.test(place));
  expect(page?.title).toBe('DIFFRANA Vario 75: feuchtevariable Dampfbremse · Haldenwerk');
  expect(page?.metas.get('description')?.[0]).toMatch(/^Die feuchtevariable Dampfbremse DIFFRANA Vario 75 /);
  expect(Object.fromEntries(page?.metas ?? [])).toMatchObject({
    'og:type': ['product'],
    'product:retailer_item_id': ['9524010000016'],
    'product:brand': ['Haldenwerk GmbH'],
    'product:availability': ['in stock'],
    'product:condition': ['new'],
    'product:price:amount': ['142.50'],
    'product:price:currency': ['EUR'],
  });
});

const pageAt = (place: string) => pages.find((page) => page.path === place);

it('shows what editors have set of a post and of a category, and hides nothing else of them', () => {
  const post = pageAt('/de-de/journal/luftdichtheitsebene-planen/');
  expect(post?.title).toBe('Luftdichtheitsebene planen in vier Schritten · Haldenwerk');
  expect(post?.metas.get('description')?.[0]).toMatch(/^Luftdichtheitsebene planen heißt, sie in jedem Schnitt /);
  expect(post?.canonicals).toEqual([`${siteUrl}/de-de/journal/luftdichtheitsebene-planen/`]);
  expect(post?.metas.get('og:type')).toEqual(['article']);
  // The page, the article and their owner: from the server, with URLs of this site.
  const ids = post?.nodes.map((node) => node['@id']) ?? [];
  expect(ids.every((id) => String(id).startsWith(`${siteUrl}/`))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(pageAt('/de-de/journal/holzfaser-und-sommerhitze/')?.metas.get('og:title')).toEqual([
    'Warum es unter Holzfaser kühl bleibt',
  ]);
  expect(pageAt('/de-de/journal/category/praxis/')?.metas.get('description')?.[0]).toMatch(
    /^Aus der Praxis der luftdichten Gebäudehülle/,
  );
});

it('says in all heads what the site says itself: its words, its pictures, one separator, texts that end', () => {
  const problems = pages.flatMap(({ path: place, lang = '', title, metas, nodes }) => {
    const descriptions = [...(metas.get('description') ?? []), ...(metas.get('og:description') ?? [])];
    const texts = [title, ...descriptions, ...(metas.get('og:title') ?? [])];
    const pictures = [...(metas.get('og:image') ?? []), ...(metas.get('twitter:image') ?? []), ...picturesIn(nodes)];
    const all = JSON.stringify([texts, [...metas], nodes]);
    return [
      pictures.some((address) => !address.startsWith(`${siteUrl}/`)) && 'shows a picture of another host',
      /avatar|query-input|CommentAction/.test(all) && 'has what only the publishing site has',
      lang !== 'en-GB' && /Archives [-·]|Articles by|"Home"|Reading time/.test(all) && 'speaks English',
      texts.some((text) => / [-–—:|] Haldenwerk$/.test(text)) && 'parts its title otherwise',
      descriptions.some((text) => text.length > 160 || text.includes('[…]')) && 'has a description that is cut off',
      lang.startsWith('fr') && texts.some((text) => /\S [;:!?»]/.test(text)) && 'may begin a line with a sign',
    ].flatMap((problem) => (problem === false ? [] : [`${place}: ${problem}`]));
  });
  expect(problems).toEqual([]);
});

/** Returns the image URLs in linked data. */
function picturesIn(value: unknown, isPicture = false): string[] {
  if (typeof value === 'string') return isPicture ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item: unknown) => picturesIn(item, isPicture));
  if (typeof value !== 'object' || value === null) return [];
  const isImage = '@type' in value && value['@type'] === 'ImageObject';
  return Object.entries(value).flatMap(([name, member]) => {
    const isAddress = isImage && /^(?:url|contentUrl)$/.test(name);
    return picturesIn(member, isAddress || (/^(?:image|logo|thumbnailUrl)$/.test(name) && !isReference(member)));
  });
}

function isReference(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

it('would not pass with a translation that is not told back, or a page that says it is another one', () => {
  const changed = pages.map((page) => {
    if (page.path === '/fr-fr/products/') return { ...page, alternates: [] };
    return page.path === '/de-de/' ? { ...page, canonicals: [`${siteUrl}/en-gb/`] } : page;
  });
  const { problems } = auditSearch(changed, addresses, siteUrl);
  expect(problems).toContain(`/de-de/products/: is not named by ${siteUrl}/fr-fr/products/ in the same way`);
  expect(problems).toContain(`/de-de/: gives ${siteUrl}/en-gb/ as its address`);
});

it('tells readers of each feed where it is', async () => {
  const feeds = (await readdir(dist, { recursive: true })).filter((file) => /(^|\/)(rss|changes)\.xml$/.test(file));
  expect(feeds.length).toBeGreaterThan(4);
  for (const language of ['de-de', 'en-gb', 'fr-fr']) {
    const atom = await readFile(path.join(dist, language, 'atom.xml'), 'utf8');
    expect(atom).toContain(`<link rel="self" type="application/atom+xml" href="${siteUrl}/${language}/atom.xml"/>`);
  }
  for (const file of feeds) {
    const [self] = /<atom:link [^>]*>/.exec(await readFile(path.join(dist, file), 'utf8')) ?? [];
    expect(self, file).toBe(`<atom:link href="${siteUrl}/${file}" rel="self" type="application/rss+xml"/>`);
  }
});

it('claims no more of privacy than is so: scripts run on some pages, and store nothing', async () => {
  const runs = pages.filter(({ scripts }) => scripts > 0);
  expect(runs.length).toBeGreaterThan(0);
  for (const page of pages.filter(({ path: place }) => place.endsWith('/privacy/'))) {
    const html = await readFile(path.join(dist, page.path, 'index.html'), 'utf8');
    expect(html).not.toMatch(/runs no script|kein Skript|aucun script/);
    expect(html).toMatch(/in your browser only|nur in Ihrem Browser|que dans votre navigateur/);
  }
});
