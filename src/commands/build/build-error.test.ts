import path from 'node:path';
import { expect, it } from 'vitest';
import { SortimentError } from '#contracts/index.ts';
import { toBuildError } from './build-error.ts';

const overlay = path.resolve('content/products/9524010000016.mdx');

/** As thrown by Astro, the bundler and the operating system. */
it.each<[string, Error, message: string, hint: RegExp]>([
  [
    'a word in an overlay that nobody knows',
    Object.assign(
      new Error(
        '**overlays** → **9524010000016** data does not match collection schema.\n\n  Unrecognized key: "succesor"',
      ),
      {
        hint: 'See https://docs.astro.build/en/guides/content-collections/ for more information on content schemas.',
        loc: { file: overlay, line: 0 },
      },
    ),
    'The build failed in content/products/9524010000016.mdx: Unrecognized key: "succesor"',
    /^Correct the error and build again/,
  ],
  [
    'broken YAML',
    Object.assign(new Error('unexpected end of the stream'), { loc: { file: overlay, line: 3 } }),
    'The build failed in content/products/9524010000016.mdx:3: unexpected end of the stream',
    /^Correct the error and build again/,
  ],
  [
    'a hint of Astro that helps',
    Object.assign(new Error('Could not import it.'), { hint: 'Is the path right?', id: 'src/pages/index.astro' }),
    'The build failed in src/pages/index.astro: Could not import it.',
    /^Is the path right\?$/,
  ],
  [
    'a full disk',
    Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', path: '/site/dist/a.html' }),
    'The build failed: the disk is full: "/site/dist/a.html".',
    /^Free disk space.*The snapshot is unchanged\.$/,
  ],
])('words %s', (_, error, message, hint) => {
  expect(toBuildError(error)).toMatchObject({ code: 'BUILD_FAILED', message, hint: expect.stringMatching(hint) });
});

it('leaves what is worded already', () => {
  const error = new SortimentError('SNAPSHOT_MISSING', 'There is no snapshot.', { hint: 'Run `npm run sync`.' });
  expect(toBuildError(error)).toBe(error);
});
