import { expect, it } from 'vitest';
import { absoluteUrl } from './site-paths.ts';

const SITE = new URL('https://haldenwerk.example:8443/');

it.each([
  '/',
  '/de-de/',
  '/de-de/p/diffrana-vario-75-9524010000016/',
  '/documents/1a2b3c4d-hw-10110-tds-de.pdf',
  '/_images/0123456789abcdef-640.avif',
  '/de-de/rss.xml',
  '/de-de/über-uns/',
  '/de-de/../en-gb/',
  '/a/./b',
  '/a/%2e%2e/b',
  '//elsewhere.example/a',
  '/a//b',
  '/a b?c=d#e',
  '/a\\b',
  '/a\n/b',
  '/a/b\n',
  '',
  'relative',
  'https://cdn.example/a.pdf',
])('writes %j as the parser of addresses does', (path) => {
  expect(absoluteUrl(path, SITE)).toBe(new URL(path, SITE).href);
});
