import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { parseValue } from '../parse-value.ts';
import {
  chapterItems,
  chaptersElement,
  chaptersInput,
  MAX_CHAPTERS,
  toChapters,
  writeChapters,
  type Chapter,
} from './chapter.ts';

const INTRO = { startMs: 0, title: 'Intro' };
const WALLS = { startMs: 90_000, title: 'Walls & <b>damp</b>', href: 'https://example.org/?a=1&b=2' };
const END = { startMs: 600_500, title: 'Ende – schön', image: 'https://example.org/c.jpg' };
const CHAPTERS: Chapter[] = [INTRO, WALLS, END];

describe('chapters', () => {
  it.each(['psc', 'pijson', 'mp4chaps'] as const)('are put in the order of their times in %s', (format) => {
    expect(writeChapters(format, [END, INTRO, WALLS])).toBe(writeChapters(format, CHAPTERS));
  });

  it('are written as lines', () => {
    expect(writeChapters('mp4chaps', CHAPTERS)).toBe(
      '00:00:00.000 Intro\n' +
        '00:01:30.000 Walls & <b>damp</b> <https://example.org/?a=1&b=2>\n' +
        '00:10:00.500 Ende – schön\n',
    );
  });

  it('are written as Podcasting 2.0 has them, without what is unset', () => {
    expect(JSON.parse(writeChapters('pijson', CHAPTERS))).toEqual({
      version: '1.2.0',
      chapters: [
        { startTime: 0, title: 'Intro' },
        { startTime: 90, title: 'Walls & <b>damp</b>', url: 'https://example.org/?a=1&b=2' },
        { startTime: 600.5, title: 'Ende – schön', img: 'https://example.org/c.jpg' },
      ],
    });
  });

  it('are written as XML that other programs read', () => {
    const xml = writeChapters('psc', CHAPTERS);
    expect(XMLValidator.validate(xml)).toBe(true);
    const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' });
    expect(parser.parse(xml)['psc:chapters']['psc:chapter']).toEqual([
      { start: '00:00:00.000', title: 'Intro' },
      { start: '00:01:30.000', title: 'Walls & <b>damp</b>', href: 'https://example.org/?a=1&b=2' },
      { start: '00:10:00.500', title: 'Ende – schön', image: 'https://example.org/c.jpg' },
    ]);
    expect(xml).toContain(chaptersElement(CHAPTERS));
  });
});

describe('chapters that a caller sends', () => {
  it('are taken in any order; one without a start begins with the one in front of it', () => {
    const sent = [
      { title: 'x' },
      { start: '5:00', title: '', url: 'https://x.test/', extra: 1 },
      { title: 'z', href: 'nonsense' },
      { start: '1', title: 'y' },
    ];
    expect(chapterItems(toChapters(chaptersInput.parse(sent)))).toEqual([
      { start: '00:00:00.000', title: 'x', href: '', image: '' },
      { start: '00:05:00.000', title: '', href: '', image: '' },
      { start: '00:05:00.000', title: 'z', href: 'nonsense', image: '' },
      { start: '00:00:01.000', title: 'y', href: '', image: '' },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['null', null, 'is not an array'],
    ['a text', 'x', 'is not an array'],
    ['an object', { start: '0', title: 'x' }, 'is not a list of chapters, each with a title'],
    ['texts', ['x'], 'is not a list of chapters, each with a title'],
    ['one without a title', [{ start: '0' }], 'is not a list of chapters, each with a title'],
    ['a title that is no text', [{ title: 5 }], '[0].title is not a string'],
    ['a start that is no text', [{ title: '', start: 5 }], '[0].start is not a string'],
    [
      'a start that is no time',
      [{ title: '', start: 'soon' }],
      '[0].start is not a play time such as 45, 3:07 or 01:02:03.456',
    ],
    ['an address that runs', [{ title: '', href: 'javascript:x()' }], '[0].href is not an allowed link address'],
    [
      'a wrong address under another name',
      [{ title: '', url: 'nonsense' }],
      '[0].url is not a web address such as https://example.org/',
    ],
    ['too many', Array.from({ length: MAX_CHAPTERS + 1 }, () => ({ title: '' })), 'must be at most 1000 items long'],
  ])('are not %s', (_, sent, problem) => {
    const reading = parseValue(chaptersInput, sent);
    expect(reading.ok ? [] : reading.problems.map(({ field, problem }) => `${field} ${problem}`.trim())).toEqual([
      problem,
    ]);
  });
});
