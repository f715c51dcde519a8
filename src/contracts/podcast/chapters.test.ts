import { XMLParser, XMLValidator } from 'fast-xml-parser';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parseValue } from '../parse-value.ts';
import { chapterItems, toChapters, MAX_CHAPTERS, chaptersInput, type Chapter } from './chapter.ts';
import {
  chaptersElement,
  MAX_CHAPTERS_LENGTH,
  parseChapters,
  writeChapters,
  type ChapterFormat,
} from './chapter-formats.ts';

const INTRO = { startMs: 0, title: 'Intro' };
const WALLS = { startMs: 90_000, title: 'Walls & <b>damp</b>', href: 'https://example.org/?a=1&b=2' };
const END = { startMs: 600_500, title: 'Ende – schön', image: 'https://example.org/c.jpg' };
const CHAPTERS: Chapter[] = [INTRO, WALLS, END];

const FORMATS: ChapterFormat[] = ['mp4chaps', 'psc', 'json', 'pijson'];
/** Formats that hold everything. */
const COMPLETE = FORMATS.filter((format) => format !== 'mp4chaps');

/** Titles as people give them: on one line. */
const titles = fc
  .string({ unit: 'grapheme', maxLength: 30 })
  .map((text) => text.replaceAll(/[\s\p{Cc}\uFEFF\uFFFE\uFFFF]+/gu, ' ').trim());
const links = fc.constantFrom(undefined, 'https://example.org/?a=1&b="2"', 'http://example.org/ö', 'notes/1');
const chapterLists = fc
  .array(fc.record({ startMs: fc.nat(360_000_000), title: titles, href: links, image: links }), { maxLength: 20 })
  .map((list) =>
    list
      .toSorted((a, b) => a.startMs - b.startMs)
      .map(({ startMs, title, href, image }) => ({
        startMs,
        title,
        ...(href === undefined ? {} : { href }),
        ...(image === undefined ? {} : { image }),
      })),
  );

const read = (format: ChapterFormat, text: string): Chapter[] => {
  const reading = parseChapters(format, text);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.value;
};
const problemsOf = (format: ChapterFormat, text: string, durationMs?: number): string[] => {
  const reading = parseChapters(format, text, durationMs);
  return reading.ok ? [] : reading.problems.map(({ field, problem }) => `${field} ${problem}`.trim());
};
const omittedOf = (format: ChapterFormat, text: string, durationMs?: number): string[] => {
  const reading = parseChapters(format, text, durationMs);
  return reading.ok ? reading.omitted.map(({ field, problem }) => `${field} ${problem}`) : ['refused'];
};

describe('chapters', () => {
  it.each(COMPLETE)('come back from %s as they were', (format) => {
    fc.assert(
      fc.property(chapterLists, (chapters) => {
        expect(read(format, writeChapters(format, chapters))).toEqual(chapters);
      }),
    );
  });

  it('come back from lines without pictures, and without addresses that are none of the web', () => {
    fc.assert(
      fc.property(chapterLists, (chapters) => {
        const plain = chapters.map(({ startMs, title, href }) => ({
          startMs,
          title,
          ...(href?.startsWith('http') && !href.includes(' ') ? { href } : {}),
        }));
        expect(read('mp4chaps', writeChapters('mp4chaps', chapters))).toEqual(plain);
      }),
    );
  });

  it.each(COMPLETE.filter((format) => format !== 'json'))('are put in the order of their times in %s', (format) => {
    expect(read(format, writeChapters(format, [END, INTRO, WALLS]))).toEqual(CHAPTERS);
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

describe('a document of chapters', () => {
  test('of lines may have empty ones, any line ends, and short times', () => {
    expect(read('mp4chaps', '\uFEFF0 One\r\n\r\n  1:30\tTwo\rNot 1\n'.replace('Not 1', '2:00'))).toEqual([
      { startMs: 0, title: 'One' },
      { startMs: 90_000, title: 'Two' },
      { startMs: 120_000, title: '' },
    ]);
  });

  test('of lines keeps brackets in titles that hold no address', () => {
    expect(read('mp4chaps', '0 a <b>\n1 c <https://x.test/> d\n2 <http://x.test/y>')).toEqual([
      { startMs: 0, title: 'a <b>' },
      { startMs: 1000, title: 'c <https://x.test/> d' },
      { startMs: 2000, title: '', href: 'http://x.test/y' },
    ]);
  });

  test('of XML may have any prefix, quotes, comments and entities', () => {
    const xml = `<?xml version="1.0"?><!-- <chapter start="9" title="no"/> -->
      <chapters xmlns="http://podlove.org/simple-chapters" version='1.2'>
        <chapter start='0' title='&#x41;&amp;&quot;&lt;b&gt; &nbsp;' ></chapter>
        <![CDATA[<chapter start="8"/>]]>
        <chapter title="a > b" start="1:00" href="https://x.test/"/>
      </chapters>`;
    expect(read('psc', xml)).toEqual([
      { startMs: 0, title: 'A&"<b> &nbsp;' },
      { startMs: 60_000, title: 'a > b', href: 'https://x.test/' },
    ]);
  });

  test('of Podcasting 2.0 lists what is for the table of contents', () => {
    const chapters = [{ startTime: 0.0004, endTime: 2 }, { startTime: 1, toc: false, img: 'x' }, { startTime: 61.5 }];
    expect(read('pijson', JSON.stringify({ version: '1.2.0', title: 'x', chapters }))).toEqual([
      { startMs: 0, title: '' },
      { startMs: 61_500, title: '' },
    ]);
  });

  test('of this interface may be its answer as well', () => {
    const chapters = chapterItems(CHAPTERS);
    expect(read('json', JSON.stringify({ chapters, _version: 'v2' }))).toEqual(CHAPTERS);
  });

  test.each<[string, ChapterFormat, string, string[]]>([
    ['has no time', 'mp4chaps', 'soon b', ['line 1 has no time such as 00:01:30.000']],
    ['overflows', 'mp4chaps', '1:60 a', ['line 1 has no time such as 00:01:30.000']],
    [
      'overflows in XML',
      'psc',
      '<chapters><chapter start="99999:00:00"/></chapters>',
      ['chapter 1 has no time such as 00:01:30.000'],
    ],
    ['has no number', 'pijson', '{"chapters":[{"startTime":"1"}]}', ['chapters[0].startTime is not a number']],
    [
      'begins before the beginning',
      'pijson',
      '{"chapters":[{"startTime":-1}]}',
      ['chapter 1 has no time such as 00:01:30.000'],
    ],
    [
      'overflows in JSON',
      'pijson',
      '{"chapters":[{"startTime":1e308}]}',
      ['chapter 1 has no time such as 00:01:30.000'],
    ],
    ['is no JSON', 'json', '[{', ['is not valid JSON']],
    ['is no list', 'json', '5', ['is not an array']],
    ['is deep', 'json', '['.repeat(400_000) + ']'.repeat(400_000), ['chapters[0] is not an object']],
    [
      'is no XML',
      'psc',
      '<chapters><chapter start="0"',
      ['is not complete XML, or has a DOCTYPE, which is not allowed'],
    ],
    [
      'declares entities',
      'psc',
      '<!DOCTYPE x [<!ENTITY a "b">]><chapters/>',
      ['is not complete XML, or has a DOCTYPE, which is not allowed'],
    ],
    ['is another document', 'psc', '<rss><item/></rss>', ['has no element psc:chapters']],
    ['has a long title', 'mp4chaps', `0 ${'a'.repeat(1001)}`, ['line 1 has a title of more than 1000 characters']],
  ])('that %s is refused', (_, format, text, problems) => {
    expect(problemsOf(format, text)).toEqual(problems);
  });

  test.each(FORMATS)('of too many chapters is refused: %s', (format) => {
    const many = Array.from({ length: 10_000 }, (_, i) => ({ startMs: i * 1000, title: 'x' }));
    expect(problemsOf(format, writeChapters(format, many))).toEqual([
      `holds 10000 chapters; at most ${MAX_CHAPTERS} are read`,
    ]);
  });

  test.each(FORMATS)('of too many letters is refused: %s', (format) => {
    expect(problemsOf(format, ' '.repeat(MAX_CHAPTERS_LENGTH + 1))).toEqual([
      `is longer than ${MAX_CHAPTERS_LENGTH} characters`,
    ]);
  });

  test('says of the first twenty wrong chapters what is wrong', () => {
    expect(problemsOf('mp4chaps', 'x\n'.repeat(500))).toHaveLength(20);
  });

  test('loses chapters behind the end of the episode', () => {
    const text = writeChapters('mp4chaps', CHAPTERS);
    expect(omittedOf('mp4chaps', text, 600_501)).toEqual([]);
    expect(omittedOf('mp4chaps', text, 600_500)).toEqual([
      'line 3 begins at 00:10:00.500, but the episode ends at 00:10:00.500',
    ]);
  });

  test.each<[ChapterFormat, string]>([
    ['mp4chaps', '0:00 Intro\n00:05:00,500 Outro\nsoon x\n1:00 B'],
    [
      'psc',
      '<chapters><chapter start="0" title="Intro"/><chapter start="5:00,500" title="Outro"/><chapter title="x"/><chapter start="1:00" title="B"/></chapters>',
    ],
    [
      'json',
      '[{"start":"0","title":"Intro","href":null},{"start":"00:05:00,5","title":"Outro"},{"title":"x"},{"start":"1:00","title":"B","image":null}]',
    ],
    [
      'pijson',
      '{"chapters":[{"startTime":0,"title":"Intro","url":null,"img":null,"toc":null},{"startTime":300.5,"title":"Outro"},null,{"startTime":60,"title":"B"}]}',
    ],
  ])('may be out of order, have null and commas, and loses a faulty chapter alone: %s', (format, text) => {
    expect(read(format, text)).toEqual([
      { startMs: 0, title: 'Intro' },
      { startMs: 60_000, title: 'B' },
      { startMs: 300_500, title: 'Outro' },
    ]);
    expect(omittedOf(format, text)).toHaveLength(1);
  });

  test.each<[string, ChapterFormat, string, string]>([
    [
      'would run something',
      'psc',
      '<chapters><chapter start="0" title="x" href="java&#10;script:x()"/></chapters>',
      'chapter 1 has an href that is not a web address',
    ],
    [
      'is the picture itself',
      'json',
      '[{"start":"0","title":"x","image":"data:text/html,x"}]',
      'chapter 1 has an image that is not a web address',
    ],
    [
      'is long',
      'json',
      `[{"start":"0","title":"x","href":"${'a'.repeat(2001)}"}]`,
      'chapter 1 has an href of more than 2000 characters',
    ],
  ])('loses an address alone that %s', (_, format, text, problem) => {
    expect(read(format, text)).toEqual([{ startMs: 0, title: 'x' }]);
    expect(omittedOf(format, text)).toEqual([problem]);
  });

  test('of lines may have addresses as people write them', () => {
    expect(read('mp4chaps', '0 a <https://x.test/Folge 2 ä.html>')).toEqual([
      { startMs: 0, title: 'a', href: 'https://x.test/Folge%202%20%C3%A4.html' },
    ]);
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
