import { expect, it } from 'vitest';
import { interceptPages, isMiddlewareInert, toPageData, type BundledApp } from './intercept-pages.ts';

type OnRequest = (context: unknown, next: () => unknown) => unknown;

const isWithout = (onRequest: OnRequest | undefined): Promise<boolean> =>
  isMiddlewareInert({
    manifest: {
      routes: [],
      pageMap: new Map(),
      middleware: () => Promise.resolve(onRequest ? { onRequest } : {}),
    },
  });

it.each<[string, OnRequest | undefined, boolean]>([
  ['none', undefined, true],
  ["Astro's own, which hands pages on", (_, next) => next(), true],
  ['one that changes a page', () => new Response('other'), false],
  [
    'one that looks at the address',
    (context, next) => (Reflect.get(Object(context), 'url') as URL).href && next(),
    false,
  ],
  ['one that looks at it later', async (context) => (await Promise.resolve(context as { url: string })).url, false],
])('lets pages share what Astro makes only where no middleware can tell them apart: %s', async (_, onRequest, is) => {
  expect(await isWithout(onRequest)).toBe(is);
});

it('leaves to Astro what it may read from an address otherwise than a route has named it', () => {
  const locales = new Set(['de-de']);
  const params = { language: 'de-de', slug: 'a-1' };
  expect(toPageData('/de-de/p/a-1/', { params, props: { b: 1 } }, locales)).toEqual({ params, props: { b: 1 } });
  expect(toPageData('/de-de/list/', { params: { page: undefined } }, locales)).toEqual({
    params: { page: undefined },
    props: {},
  });
  expect(toPageData('/de-de/p/ä/', { params: { slug: 'ä' } }, locales)).toBeUndefined();
  expect(toPageData('/de-de/p/1/', { params: { slug: 1 } }, locales)).toBeUndefined();
  expect(toPageData('/xx/p/a-1/', { params }, locales)).toBeUndefined();
  expect(toPageData('/de-de/p/a-1/', undefined, locales)).toBeUndefined();
});

interface Shown {
  params: { slug: string };
}

/** The part of Astro that requests a page from a route's component; releases may differ. */
function openApp(renderByAstro: (slug: string) => string, renderLean: (slug: string) => string) {
  const component = 'src/pages/[slug].astro';
  const page = Object.assign(() => '', { moduleId: component, isAstroComponentFactory: true });
  const pageMap: BundledApp['manifest']['pageMap'] = new Map([
    [component, () => Promise.resolve({ page: () => ({ default: page }) })],
  ]);
  const app: BundledApp = {
    render: async (request) => {
      const params = { slug: new URL(request.url).pathname.slice(1) };
      const response = { status: 200, statusText: 'OK', headers: new Headers() };
      const result = { request, response, params, createAstro: () => Object.create({ params }) as object };
      const ours = (await pageMap.get(component)?.())?.page().default;
      return (await ours?.(result, {}, {})) as Response;
    },
    manifest: { routes: [{ routeData: { component } }], pageMap },
    setInternals: () => undefined,
    setOptions: () => undefined,
  };
  const slow: string[] = [];
  const caught = interceptPages(
    app,
    {
      renderToString: (result) => Promise.resolve(renderByAstro((result as Shown).params.slug)),
      renderLean: async (result) => renderLean((result as unknown as Shown).params.slug),
    },
    (_, difference) => void slow.push(difference),
  );
  const renderAll = async (slugs: readonly string[]): Promise<unknown[]> => {
    const texts: unknown[] = [];
    for (const slug of slugs) {
      const own = { params: { slug }, props: {} };
      const path = { pathname: `/${slug}`, type: 'page', component, props: {}, routeData: {}, own };
      texts.push(await caught.render(path, () => new Request(`https://site.example/${slug}`)));
    }
    return texts;
  };
  return { renderAll, slow, ways: () => Object.fromEntries(caught.takeWays()) };
}

const SLUGS = ['a', 'b', 'c', 'd', 'e', 'f'];
const FORMER = (slug: string): string => `<html>${slug}</html>`;
const NEWER = (slug: string): string => `<html>${slug}.</html>`;

it('renders lean, with any release of Astro that makes the same of the first pages', async () => {
  const { renderAll, slow, ways } = openApp(FORMER, FORMER);
  expect(await renderAll(SLUGS)).toEqual(SLUGS.map(FORMER));
  expect(slow).toEqual([]);
  expect(ways()).toEqual({ 'src/pages/[slug].astro: lean': 5 });
});

it('leaves all pages of a route to a release of Astro that makes something else of the first ones, and says so', async () => {
  const { renderAll, slow, ways } = openApp(NEWER, FORMER);
  expect(await renderAll(SLUGS)).toEqual(SLUGS.map(NEWER));
  expect(slow).toEqual(['/b has ".</html>" and not "</html>"']);
  // The page that was compared.
  expect(ways()).toEqual({ 'src/pages/[slug].astro: lean': 1 });
});

it('leaves single pages to Astro, and tells its error', async () => {
  const lean = (slug: string): string => {
    if (slug >= 'e') throw new Error('a promise');
    return FORMER(slug);
  };
  const byAstro = (slug: string): string => {
    if (slug === 'f') throw new Error('it is broken');
    return FORMER(slug);
  };
  const { renderAll, slow, ways } = openApp(byAstro, lean);
  expect(await renderAll(SLUGS.slice(0, -1))).toEqual(SLUGS.slice(0, -1).map(FORMER));
  await expect(renderAll(['f'])).rejects.toThrow('it is broken');
  expect(slow).toEqual([]);
  expect(ways()).toEqual({
    'src/pages/[slug].astro: lean': 3,
    'src/pages/[slug].astro: by Astro, because of a promise': 2,
  });
});

it("lets the pages of a route share what Astro makes where the first ones can't be rendered lean", async () => {
  const { renderAll, ways } = openApp(FORMER, () => {
    throw new Error('an island');
  });
  expect(await renderAll(SLUGS)).toEqual(SLUGS.map(FORMER));
  expect(ways()).toEqual({
    'src/pages/[slug].astro: by Astro, because of an island': 3,
    'src/pages/[slug].astro: by Astro, sharing': 2,
  });
});

it('renders the others lean where only the first has something that it can not be', async () => {
  const { renderAll, ways } = openApp(FORMER, (slug) => {
    if (slug === 'b') throw new Error('an island');
    return FORMER(slug);
  });
  expect(await renderAll(SLUGS)).toEqual(SLUGS.map(FORMER));
  expect(ways()).toEqual({
    'src/pages/[slug].astro: by Astro, because of an island': 1,
    'src/pages/[slug].astro: lean': 4,
  });
});
