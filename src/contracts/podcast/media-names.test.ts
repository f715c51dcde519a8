import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyrightLine, displayTitle, episodeMnemonic } from './episode-routes.ts';
import {
  addTrackingParams,
  publicFileAddress,
  parseTrackedPath,
  type TrackingMode,
  encodeFileName,
  FILE_TYPES,
  generateFileName,
  guessAsset,
  isMediaSlug,
  mediaFileAddress,
  mediaFileName,
} from './media-names.ts';

const asset = (extension: string, suffix = '') => ({ extension, suffix });
const MP3 = asset('mp3');
const LOW = asset('mp3', '-low');
const HIGH = asset('mp3', '-high');
const CHAPTERS = asset('chapters.txt');

describe('a name of a file', () => {
  it('has the slug, the suffix and the extension of its asset', () => {
    expect(mediaFileName('wn007', LOW)).toBe('wn007-low.mp3');
    expect(mediaFileName('season 1/wn007', CHAPTERS)).toBe('season 1/wn007.chapters.txt');
  });

  it('is percent-encoded in an address, but for its folders', () => {
    expect(mediaFileAddress('https://media.test/files', 'changed/ö x.mp3')).toBe(
      'https://media.test/files/changed/%C3%B6%20x.mp3',
    );
    expect(mediaFileAddress('https://media.test/', "a?b#c'(1)*!.mp3")).toBe(
      'https://media.test/a%3Fb%23c%27%281%29%2A%21.mp3',
    );
  });

  it('stays the same name in an address, whatever it is', () => {
    const letters = fc.constantFrom(...'aZ09-_.~/%&?#+ \'"()*!<>\\\n\u0000öß日', '🎧', '\uD800', '\uDC00');
    fc.assert(
      fc.property(fc.string({ unit: letters }), (name) => {
        const encoded = encodeFileName(name);
        expect(encoded).toMatch(/^(?:[\w.~/-]|%[\dA-F]{2})*$/);
        expect(decodeURIComponent(encoded)).toBe(name.toWellFormed());
      }),
    );
  });

  it.each([
    ['x.mp3', [MP3], MP3],
    ['x.mp3', [LOW], LOW],
    ['x-low.mp3', [MP3, LOW, HIGH], LOW],
    ['x.mp3', [LOW, MP3, HIGH], MP3],
    ['x.mp3', [HIGH, LOW], HIGH],
    ['x.chapters.txt', [MP3, CHAPTERS], CHAPTERS],
    ['x.MP3', [MP3], undefined],
    ['mp3', [MP3], undefined],
    ['x.txt', [CHAPTERS], undefined],
    ['x.mp3', [], undefined],
  ])('%s is meant for the asset that fits', (name, assets, expected) => {
    expect(guessAsset(name, assets)).toBe(expected);
  });

  it.each([
    ['whatever.mp3', 'wn001', 'wn001.mp3'],
    ['final-low.mp3', 'wn001', 'wn001-low.mp3'],
    ['cover.final.jpg', 'wn001', 'wn001.jpg'],
    ['TONE.MP3', 'wn001', 'wn001.MP3'],
    ['noext', 'wn001', 'wn001'],
    ['x.', 'wn001', 'wn001'],
    ['x.mp3/../../etc', 'wn001', 'wn001'],
    [String.raw`C:\a\b.flac`, 'wn001', 'wn001.flac'],
    ['a/b.mp3', '', 'b.mp3'],
  ])('of %s for the slug "%s" is %s', (original, slug, expected) => {
    expect(generateFileName(original, slug, [MP3, LOW])).toBe(expected);
  });
});

describe('a slug of files', () => {
  it.each(['wn007', 'wn 007 ö', 'season1/wn007', '日本語', 'a..b', "o'neil"])('may be %j', (slug) => {
    expect(isMediaSlug(slug)).toBe(true);
  });

  it.each([
    '',
    '/',
    '/a',
    'a/',
    'a//b',
    '..',
    '../a',
    'a/../b',
    './a',
    '.hidden',
    'a\\b',
    'a\0',
    'a\n',
    ' a',
    'C:a',
    '\uD800',
    'a'.repeat(201),
  ])('may not be %j', (slug) => {
    expect(isMediaSlug(slug)).toBe(false);
  });

  it('never leads out of its folder', () => {
    const slugs = fc
      .array(fc.constantFrom('a', '.', '/', '\\', ' ', 'ö', '..'), { maxLength: 8 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(slugs.filter(isMediaSlug), (slug) => {
        const address = mediaFileAddress('https://media.test/files/', mediaFileName(slug, MP3));
        expect(new URL(address).href).toBe(address);
      }),
    );
  });
});

it('has a type of file for each extension once', () => {
  const extensions = FILE_TYPES.map(({ extension }) => extension);
  expect(new Set(extensions).size).toBe(extensions.length);
  expect(FILE_TYPES[0]).toEqual({ name: 'MP3 Audio', kind: 'audio', mimeType: 'audio/mpeg', extension: 'mp3' });
});

describe('the public address of a file', () => {
  const where = {
    siteUrl: 'https://site.test/',
    address: 'https://media.test/a/wn%20007.mp3',
    fileName: 'a/wn 007.mp3',
  };
  const feed = { id: 9, source: 'feed', context: 'mp3' } as const;

  it.each<[TrackingMode, string]>([
    ['off', 'https://media.test/a/wn%20007.mp3'],
    ['passive', 'https://media.test/a/wn%20007.mp3?ptm_source=feed&ptm_context=mp3&ptm_file=9'],
    ['redirect', 'https://site.test/podcast/file/9/s/feed/c/mp3/wn%20007.mp3'],
  ])('depends on how downloads are counted: %s', (mode, address) => {
    expect(publicFileAddress(mode, where, feed)).toBe(address);
  });

  it('leads back to what is counted', () => {
    const files = fc.record(
      {
        id: fc.nat(),
        source: fc.constantFrom('feed', 'webplayer', 'download'),
        context: fc.stringMatching(/^[a-zö0-9/ -]{1,10}$/),
      },
      { requiredKeys: ['id', 'source'] },
    );
    fc.assert(
      fc.property(files, (file) => {
        const { pathname } = new URL(publicFileAddress('redirect', { ...where, siteUrl: 'https://site.test' }, file));
        expect(parseTrackedPath(pathname)).toEqual(file);
      }),
    );
  });

  it('keeps what the address of the file asks for', () => {
    expect(addTrackingParams('https://media.test/x.mp3?v=2', { id: 1, source: 'download' })).toBe(
      'https://media.test/x.mp3?v=2&ptm_source=download&ptm_file=1',
    );
  });

  it.each([
    '/podcast/file/9/s/elsewhere/x.mp3',
    '/podcast/file/x/s/feed/x.mp3',
    '/podcast/file/9/s/feed/',
    '/podcast/file/9/s/feed/c/mp3/',
    '/podcast/file/9/s/feed/a/b/x.mp3',
    '/other/podcast/file/9/s/feed/x.mp3',
  ])('is not %s', (path) => {
    expect(parseTrackedPath(path)).toBeUndefined();
  });
});

describe('a title', () => {
  const names = { pageTitle: 'Page', cleanTitle: 'Moisture', number: 7, podcastMnemonic: 'WN' };

  it.each([
    ['WN', 7, 'WN007'],
    ['WN', 1234, 'WN1234'],
    ['WN', undefined, 'WN000'],
    [undefined, 4, '004'],
  ])('has a short form: %s and %s is %s', (podcast, number, mnemonic) => {
    expect(episodeMnemonic(podcast, number)).toBe(mnemonic);
  });

  it('is that of the page, or is generated', () => {
    expect(displayTitle(names, false)).toBe('Page');
    expect(displayTitle(names, true)).toBe('WN007 Moisture');
    expect(displayTitle({ ...names, cleanTitle: undefined }, true)).toBe('WN007 Page');
  });

  it('stands for the author where nobody is named as owner', () => {
    expect(copyrightLine({ copyright: '© Acme', author: 'A', title: 'T' }, 2026)).toBe('© Acme');
    expect(copyrightLine({ copyright: '', author: 'A', title: 'T' }, 2026)).toBe('© 2026 A');
    expect(copyrightLine({ title: 'T' }, 2026)).toBe('© 2026 T');
    expect(copyrightLine({}, 2026)).toBe('© 2026');
  });
});
