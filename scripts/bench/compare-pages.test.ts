import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { comparePages } from './compare-pages.ts';

const PAGE = '/de-de/p/band/';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sortiment-compare-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Makes the page; undefined leaves it out. */
function maker(name: string, html: string | undefined) {
  const distFolder = path.join(folder, name);
  mkdirSync(path.join(distFolder, PAGE), { recursive: true });
  const file = path.join(distFolder, PAGE, 'index.html');
  if (html === undefined) rmSync(file, { force: true });
  else writeFileSync(file, html);
  return { name, distFolder };
}

const compare = (ours: string | undefined, peer: string | undefined) => () =>
  comparePages([maker('ours', ours), maker('hugo', peer)], [PAGE]);

it('takes characters and references to them as the same, and does not look into the head', () => {
  const ours = `<head>1</head><body>"A" &amp; B's &lt;i&gt;</body>`;
  expect(compare(ours, `<head>2</head><body>&#34;A&quot; &#38; B&#39;s &#60;i&#62;</body>`)).not.toThrow();
});

it.each([
  ['a text', '<body>1,5 m</body>', '<body>1.5 m</body>'],
  ['white space', '<body><i>a</i> <i>b</i></body>', '<body><i>a</i><i>b</i></body>'],
  ['a tag for its text', '<body>&lt;b&gt;</body>', '<body><b></body>'],
  ['the end', '<body>1</body>', '<body>12</body>'],
  ['a page that is not there', '<body>1</body>', undefined],
])('tells %s as a difference', (_, ours, peer) => {
  expect(compare(ours, peer)).toThrow(/\/de-de\/p\/band\/ as hugo makes it is not the page of ours/);
});

it('tells when there is no page to compare with', () => {
  expect(compare(undefined, undefined)).toThrow('ours has not made /de-de/p/band/.');
});
