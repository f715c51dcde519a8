import { afterEach, expect, it, vi } from 'vitest';
import { cachedHtml } from './cached-html.ts';

afterEach(() => vi.unstubAllEnvs());

it('renders what pages of a site share once under each name', async () => {
  vi.stubEnv('DEV', false);
  const [site, other] = [{}, {}];
  const render = vi.fn(async () => `<footer>${render.mock.calls.length}</footer>`);
  expect(await cachedHtml(site, 'footer de-de', render)).toBe('<footer>1</footer>');
  expect(await cachedHtml(site, 'footer de-de', render)).toBe('<footer>1</footer>');
  expect(await cachedHtml(site, 'footer en-gb', render)).toBe('<footer>2</footer>');
  // As in a process that builds after every change.
  expect(await cachedHtml(other, 'footer de-de', render)).toBe('<footer>3</footer>');
});

it('keeps nothing while templates are worked on', async () => {
  vi.stubEnv('DEV', true);
  const site = {};
  const render = vi.fn(async () => String(render.mock.calls.length));
  expect(await cachedHtml(site, 'footer de-de', render)).toBe('1');
  expect(await cachedHtml(site, 'footer de-de', render)).toBe('2');
});

it('refuses what has a script: it would be missing on all pages but the first, or be there twice', async () => {
  vi.stubEnv('DEV', false);
  const rendered = Promise.resolve('<footer><script type="module" src="/_astro/a.js"></script></footer>');
  await expect(cachedHtml({}, 'footer de-de', () => rendered)).rejects.toThrow('footer de-de has a script');
});
