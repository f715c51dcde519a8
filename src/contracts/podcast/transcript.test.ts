import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  MAX_CUES,
  MAX_TRANSCRIPT_LENGTH,
  parseTranscript,
  writeTranscript,
  type Cue,
  type TranscriptFormat,
} from './transcript.ts';

const FORMATS: TranscriptFormat[] = ['webvtt', 'srt', 'json_podcastindex'];
const SCRIPT = '<script>alert("1")</script> & <img src=x onerror=y> --> 5 < 6 &lt;';

const CUES: Cue[] = [
  { startMs: 0, endMs: 2500, speaker: 'Anna Öhm', text: 'Willkommen.' },
  { startMs: 2500, endMs: 3_605_000, speaker: 'Ben <b>', text: SCRIPT },
  { startMs: 3_605_000, endMs: 3_605_000, speaker: 'Anna Öhm', text: 'Tschüss!' },
];

const words = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
  .map((text) => text.replaceAll(/[\s\p{Cc}\uFEFF]+/gu, ' ').trim())
  .filter((text) => text !== '');
const names = fc.constantFrom('Anna', 'Dr. Öhm', "O'Neil & <Son>");
const cueLists = (text: fc.Arbitrary<string>, speaker: fc.Arbitrary<string | undefined>): fc.Arbitrary<Cue[]> =>
  fc
    .array(fc.record({ startMs: fc.nat(360_000_000), lengthMs: fc.nat(10_000), speaker, text }), { maxLength: 20 })
    .map((list) =>
      list
        .toSorted((a, b) => a.startMs - b.startMs)
        .map(({ startMs, lengthMs, speaker, text }) => ({
          startMs,
          endMs: startMs + lengthMs,
          ...(speaker === undefined ? {} : { speaker }),
          text,
        })),
    );

const read = (format: TranscriptFormat, text: string): Cue[] => {
  const reading = parseTranscript(format, text);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.value;
};
const problemsOf = (format: TranscriptFormat, text: string): string[] => {
  const reading = parseTranscript(format, text);
  return reading.ok ? [] : reading.problems.map(({ field, problem }) => `${field} ${problem}`.trim());
};
const omittedOf = (format: TranscriptFormat, text: string): string[] => {
  const reading = parseTranscript(format, text);
  return reading.ok ? reading.omitted.map(({ field, problem }) => `${field} ${problem}`) : ['refused'];
};

const NO_TIMES = 'has no times such as 00:01:30.000 --> 00:01:35.000';

describe('a transcript', () => {
  it.each(['webvtt', 'json_podcastindex'] as const)('comes back from %s as it was', (format) => {
    fc.assert(
      fc.property(cueLists(words, fc.option(names, { nil: undefined })), (cues) => {
        expect(read(format, writeTranscript(format, cues))).toEqual(cues);
      }),
    );
  });

  it.each([
    ['with speakers', names],
    ['without', fc.constant(undefined)],
  ])('comes back from SubRip %s', (_, speaker) => {
    const said = words.filter((text) => !/<\/?(?:[biu]|font)|\{\\an|: /i.test(text));
    fc.assert(
      fc.property(cueLists(said, speaker), (cues) => {
        expect(read('srt', writeTranscript('srt', cues))).toEqual(cues);
      }),
    );
  });

  it.each(FORMATS)('keeps what looks like HTML as text in %s', (format) => {
    expect(read(format, writeTranscript(format, CUES))).toEqual(
      // SubRip parses this bold markup.
      format === 'srt' ? CUES.map((cue) => ({ ...cue, speaker: cue.speaker?.replace('<b>', '').trim() })) : CUES,
    );
  });

  it('is written as WebVTT that a browser can not take for markup', () => {
    expect(writeTranscript('webvtt', CUES.slice(0, 2))).toBe(
      'WEBVTT\n\n' +
        '00:00:00.000 --> 00:00:02.500\n<v Anna Öhm>Willkommen.\n\n' +
        '00:00:02.500 --> 01:00:05.000\n' +
        '<v Ben &lt;b&gt;>&lt;script&gt;alert("1")&lt;/script&gt; &amp; &lt;img src=x onerror=y&gt; --&gt; 5 &lt; 6\n' +
        '&amp;lt;\n',
    );
  });

  it('is written as SubRip', () => {
    expect(
      writeTranscript(
        'srt',
        [CUES[2] ?? CUES[0], ...CUES.slice(0, 1)].flatMap((cue) => cue ?? []),
      ),
    ).toBe(
      '1\n00:00:00,000 --> 00:00:02,500\nAnna Öhm: Willkommen.\n\n' +
        '2\n01:00:05,000 --> 01:00:05,000\nAnna Öhm: Tschüss!\n',
    );
  });
});

describe('WebVTT', () => {
  it('may have a header, notes, styles, names, settings, voices and any line ends', () => {
    const vtt = [
      '\uFEFFWEBVTT Kind of title\rKind: captions\rLanguage: de\r\r',
      'STYLE\r\n::cue { color: red }\r\n\r\n',
      'NOTE a note\nof two lines\n\n',
      'first\n00:01.000 --> 00:02.000 align:start position:0%\n<v.loud Anna>Hi, <i>you</i> <00:01.500>there</v> <v Ben &amp; Co>Yo\n\n',
      '01:00:00.000 --> 01:00:01.000\n<c.red>red</c>&nbsp;<b class="x">no tag</b> &lt;i&gt;\n\n',
      'REGION\nid:x',
    ].join('');
    expect(read('webvtt', vtt)).toEqual([
      { startMs: 1000, endMs: 2000, speaker: 'Anna', text: 'Hi, you there' },
      { startMs: 1000, endMs: 2000, speaker: 'Ben & Co', text: 'Yo' },
      { startMs: 3_600_000, endMs: 3_601_000, text: 'red no tag <i>' },
    ]);
  });

  it('may begin right below its first line, and be out of order or without words', () => {
    const vtt =
      'WEBVTT\n00:05.000 --> 00:06.000\nlate\n\n00:01.000 --> 00:02.000\n<v Anna></v>\n\n00:03.000 --> 00:04.000\nearly';
    expect(read('webvtt', vtt).map(({ text }) => text)).toEqual(['early', 'late']);
  });

  it.each([
    ['has another name', '00:01.000 --> 00:02.000\nx', ['line 1 is not the header WEBVTT']],
    ['has a longer name', 'WEBVTTX\n\n', ['line 1 is not the header WEBVTT']],
    ['has no times', 'WEBVTT\n\nx\n\n00:00.000\n', [`line 3 ${NO_TIMES}`, `line 5 ${NO_TIMES}`]],
    ['overflows', 'WEBVTT\r\n\r\n00:61.000 --> 01:62.000\r\nx', [`line 3 ${NO_TIMES}`]],
    [
      'ends before it begins',
      'WEBVTT\n\n00:02.000 --> 00:01.000\nx',
      ['line 3 ends at 00:00:01.000, before it begins'],
    ],
    [
      'has a long cue',
      `WEBVTT\n\n00:00.000 --> 00:01.000\n${'x'.repeat(10_001)}`,
      ['line 3 has more than 10000 characters'],
    ],
    [
      'has a long name',
      `WEBVTT\n\n00:00.000 --> 00:01.000\n<v ${'x'.repeat(201)}>x`,
      ['line 3 has a speaker of more than 200 characters'],
    ],
  ])('that %s is refused', (_, vtt, problems) => {
    expect(problemsOf('webvtt', vtt)).toEqual(problems);
  });

  it('loses a stray paragraph alone, as in players', () => {
    const vtt =
      'WEBVTT\n\n00:00:00.000 --> 00:00:02.000\n<v Anna>Guten Tag.\n\nZweiter Absatz desselben Sprechers.\n\n' +
      '00:00:02.500 --> 00:00:04.000\n<v Ben>Hallo.\n';
    expect(read('webvtt', vtt)).toEqual([
      { startMs: 0, endMs: 2000, speaker: 'Anna', text: 'Guten Tag.' },
      { startMs: 2500, endMs: 4000, speaker: 'Ben', text: 'Hallo.' },
    ]);
    expect(omittedOf('webvtt', vtt)).toEqual([`line 6 ${NO_TIMES}`]);
  });

  it('loses a cue that ends before it starts alone', () => {
    const vtt = 'WEBVTT\n\n00:00:01.000 --> 00:00:00.900\nAh.\n\n00:00:04.000 --> 00:00:06.000\nWeiter.\n';
    expect(read('webvtt', vtt)).toEqual([{ startMs: 4000, endMs: 6000, text: 'Weiter.' }]);
    expect(omittedOf('webvtt', vtt)).toEqual(['line 3 ends at 00:00:00.900, before it begins']);
  });

  it('is refused once more of it is unreadable than readable', () => {
    const cue = '00:01.000 --> 00:02.000\nx\n\n';
    expect(problemsOf('webvtt', `WEBVTT\n\n${cue}a\n\n`)).toEqual([]);
    expect(problemsOf('webvtt', `WEBVTT\n\n${cue}a\n\nb\n\n`)).toEqual([`line 6 ${NO_TIMES}`, `line 8 ${NO_TIMES}`]);
  });

  it('may lack empty lines between cues, and have a cue that is named like a note', () => {
    const vtt =
      'WEBVTT\n\n00:01.000 --> 00:02.000\none\n00:02.000 --> 00:03.000\ntwo\n3\n00:03.000 --> 00:04.000\nthree\n\n' +
      'NOTE 4\n00:04.000 --> 00:05.000\nfour\n';
    expect(read('webvtt', vtt).map(({ text }) => text)).toEqual(['one', 'two', 'three', 'four']);
    expect(omittedOf('webvtt', vtt)).toEqual([]);
  });
});

const srt = (...said: string[]): string =>
  said.map((text, i) => `${i + 1}\n00:00:0${i},000 --> 00:00:0${i},900\n${text}\n`).join('\n');
const speakers = (...said: string[]) => read('srt', srt(...said)).map(({ speaker }) => speaker);

describe('SubRip', () => {
  it('may have marks, tags, dots for commas, and colons in what is said', () => {
    const srt =
      '1\r\n00:00:01,000 --> 00:00:02,000\r\n<i>Note</i> <font color="red">this</font>\r\n\r\n2\r\n0:00:03.5 --> 0:00:04\r\n{\\an8}Hint: <script>\r\n';
    expect(read('srt', srt)).toEqual([
      { startMs: 1000, endMs: 2000, text: 'Note this' },
      { startMs: 3500, endMs: 4000, text: 'Hint: <script>' },
    ]);
  });

  it('may lack numbers, hours and empty lines, and have a number parted from its cue', () => {
    const srt =
      '00:01,5 --> 00:02.250\none\ntwo\n\n2\n\n00:00:03,000 --> 00:00:04,000\nthree\n3\n00:00:05,000 --> 00:00:06,000\nfour\n';
    expect(read('srt', srt)).toEqual([
      { startMs: 1500, endMs: 2250, text: 'one two' },
      { startMs: 3000, endMs: 4000, text: 'three' },
      { startMs: 5000, endMs: 6000, text: 'four' },
    ]);
    expect(omittedOf('srt', srt)).toEqual([]);
  });

  it('loses a cue with negative times and a stray paragraph alone', () => {
    const srt =
      '1\n-00:00:01,000 --> 00:00:00,500\nx\n\n2\n00:00:01,000 --> 00:00:02,000\ny\n\nz\n\n3\n0:03 --> 0:04\nend';
    expect(read('srt', srt).map(({ text }) => text)).toEqual(['y', 'end']);
    expect(omittedOf('srt', srt)).toEqual([`line 1 ${NO_TIMES}`, `line 9 ${NO_TIMES}`]);
  });

  it.each<[string, string[], (string | undefined)[]]>([
    [
      'a sentence whose beginning never comes back',
      ['Heute die Frage: welche Bahn?', 'Die Antwort ist einfach: keine.'],
      [],
    ],
    [
      'a jingle in front',
      ['[Musik]', 'Anna: Willkommen.', 'Ben: Hallo.', 'Anna: Also.'],
      [undefined, 'Anna', 'Ben', 'Anna'],
    ],
    [
      'cues that go on without a name',
      ['Anna: a', 'b', 'c', 'Anna: d', 'Tipp: e', 'f'],
      ['Anna', undefined, undefined, 'Anna'],
    ],
    ['titles', ['Prof. Dr. Anna Maria Öhm: a', 'Sprecherin 1: b'], ['Prof. Dr. Anna Maria Öhm', 'Sprecherin 1']],
    ['a phrase that comes back', ['Was man oft gefragt wird: a', 'b', 'Was man oft gefragt wird: c'], []],
  ])('tells speakers from what is said: %s', (_, said, expected) => {
    expect(speakers(...said)).toEqual(said.map((__, i) => expected[i]));
  });
});

describe('Podcasting 2.0 JSON', () => {
  it.each([
    ['is no JSON', '{', ['is not valid JSON']],
    ['has no segments', '{"version":"1.0.0"}', ['segments is missing (array expected)']],
    [
      'has a text for a time',
      '{"segments":[{"startTime":"0","endTime":1,"body":"x"}]}',
      ['segments[0].startTime is not a number'],
    ],
    ['overflows', '{"segments":[{"startTime":0,"endTime":1e300,"body":"x"}]}', [`segment 1 ${NO_TIMES}`]],
  ])('that %s is refused', (_, json, problems) => {
    expect(problemsOf('json_podcastindex', json)).toEqual(problems);
  });

  it('may have null for what is unset, and loses a faulty segment alone', () => {
    const segments = [
      { speaker: null, startTime: 0, endTime: 1, body: 'x' },
      { speaker: null, startTime: 1, endTime: 2, body: null },
      { startTime: null, endTime: 3, body: 'y' },
      null,
      { startTime: 4, endTime: 5, body: 'z' },
    ];
    const json = JSON.stringify({ segments });
    expect(read('json_podcastindex', json).map(({ text }) => text)).toEqual(['x', 'z']);
    expect(omittedOf('json_podcastindex', json)).toEqual([
      'segments[2].startTime is not a number',
      'segments[3] is not an object',
    ]);
  });
});

test('too many cues are refused', () => {
  const segments = Array.from({ length: MAX_CUES + 1 }, () => ({ startTime: 0, endTime: 0, body: 'x' }));
  expect(problemsOf('json_podcastindex', JSON.stringify({ segments }))).toEqual([
    `holds ${MAX_CUES + 1} cues; at most ${MAX_CUES} are read`,
  ]);
});

test.each(FORMATS)('too many letters are refused: %s', (format) => {
  expect(problemsOf(format, ' '.repeat(MAX_TRANSCRIPT_LENGTH + 1))).toEqual([
    `is longer than ${MAX_TRANSCRIPT_LENGTH} characters`,
  ]);
});
