import { expect, it } from 'vitest';
import { isWithoutMiddleware, ownOfPage } from './catch-pages.ts';

type OnRequest = (context: unknown, next: () => unknown) => unknown;

const isWithout = (onRequest: OnRequest | undefined): Promise<boolean> =>
  isWithoutMiddleware({
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
  expect(ownOfPage('/de-de/p/a-1/', { params, props: { b: 1 } }, locales)).toEqual({ params, props: { b: 1 } });
  expect(ownOfPage('/de-de/list/', { params: { page: undefined } }, locales)).toEqual({
    params: { page: undefined },
    props: {},
  });
  expect(ownOfPage('/de-de/p/ä/', { params: { slug: 'ä' } }, locales)).toBeUndefined();
  expect(ownOfPage('/de-de/p/1/', { params: { slug: 1 } }, locales)).toBeUndefined();
  expect(ownOfPage('/xx/p/a-1/', { params }, locales)).toBeUndefined();
  expect(ownOfPage('/de-de/p/a-1/', undefined, locales)).toBeUndefined();
});
