import { describe, expect, it } from 'vitest';
import { findText, ScriptScroll, scrollTarget } from './transcript.ts';
import { findCue, findLastStart, parseTimeFragment, spokenTime } from './chapters.ts';

const found = (text: string, sought: string) => findText(text, sought).map(([start, end]) => text.slice(start, end));

describe('the moment that an address names', () => {
  it.each([
    ['#t=12:30', 750],
    ['#t=75', 75],
    ['#t=1:02:03', 3723],
    ['#t=31.747', 31.747],
    ['#t=npt:45,60', 45],
    ['#chapters', undefined],
    ['#t=', undefined],
    ['#t=1:75', undefined],
    ['#t=-5', undefined],
    ['#t=99999:00:00', undefined],
    ['', undefined],
  ])('%s', (hash, seconds) => expect(parseTimeFragment(hash)).toBe(seconds));
});

describe('the chapter or sentence at a time', () => {
  const starts = [0, 10, 10, 25.5];

  it.each([
    [-1, -1],
    [0, 0],
    [9.99, 0],
    [10, 2],
    [25.4, 2],
    [25.5, 3],
    [9000, 3],
  ])('%d s', (seconds, place) => expect(findLastStart(starts, seconds)).toBe(place));

  it('is nothing where there is nothing', () => expect(findLastStart([], 5)).toBe(-1));

  it('is found in as many steps as a long recording needs', () => {
    const many = Array.from({ length: 50_000 }, (_, i) => i * 2);
    expect(many.filter((start, i) => findLastStart(many, start + 1) !== i)).toEqual([]);
  });
});

describe('the sentence at a time', () => {
  const starts = [0, 10, 20];
  const ends = [8, 14, 25];

  it.each([
    ['spoken', 0, 0],
    ['spoken to its end', 13.9, 1],
    ['next, where it begins soon', 8, 1],
    ['next, after a jump to a chapter shortly before it', 16, 2],
    ['none, in a longer pause', 15.9, -1],
    ['none, after the last', 25, -1],
  ])('%s: %d s', (_, seconds, place) => expect(findCue(starts, ends, seconds)).toBe(place));

  it('is the last that has begun where two are spoken at once', () => {
    expect(findCue([0, 2], [9, 5], 3)).toBe(1);
  });
});

describe('a time in words', () => {
  it.each([
    [0, 'de-DE', '0 Sekunden'],
    [61, 'de-DE', '1 Minute, 1 Sekunde'],
    [3600, 'en-GB', '1 hour'],
    [3723.9, 'en-GB', '1 hour, 2 minutes, 3 seconds'],
    [750, 'fr-FR', '12 minutes 30 secondes'],
  ])('%d s in %s', (seconds, lang, said) =>
    expect(spokenTime(seconds, lang).replaceAll(/\s/g, ' ').replace(' et ', ' ').replace(' und ', ', ')).toBe(said),
  );
});

describe('search in a transcript', () => {
  it.each([
    ['Die Dampfbremse, eine DAMPFBREMSE.', 'dampfbremse', ['Dampfbremse', 'DAMPFBREMSE']],
    ['L’été à l’air', "l'ete", ['L’été']],
    ['Außen und Strasse', 'ss', ['ß', 'ss']],
    ['minus\u00a05 Grad', 'minus 5', ['minus\u00a05']],
    ['😀 Band 😀 Band', 'band', ['Band', 'Band']],
    ['aaaa', 'aa', ['aa', 'aa']],
    ['Text', '   ', []],
    ['Text', '.*', []],
  ])('%j for %j', (text, sought, places) => expect(found(text, sought)).toEqual(places));
});

describe('following playback', () => {
  const box = { top: 100, height: 300, contentHeight: 2000 };

  it('does not scroll while the sentence is in view', () => {
    expect(scrollTarget({ ...box, sentence: { top: 200, height: 40 } })).toBeUndefined();
  });

  it('brings a sentence from below or above to the same line', () => {
    expect(scrollTarget({ ...box, sentence: { top: 500, height: 40 } })).toBe(401);
    expect(scrollTarget({ ...box, top: 900, sentence: { top: 500, height: 40 } })).toBe(401);
  });

  it('stays within what there is to scroll', () => {
    expect(scrollTarget({ ...box, sentence: { top: 20, height: 40 } })).toBe(0);
    expect(scrollTarget({ ...box, sentence: { top: 1980, height: 20 } })).toBe(1700);
    expect(scrollTarget({ ...box, top: 1700, sentence: { top: 1980, height: 20 } })).toBeUndefined();
    expect(
      scrollTarget({ top: 0, height: 300, contentHeight: 200, sentence: { top: 190, height: 10 } }),
    ).toBeUndefined();
  });

  it('shows a sentence that is higher than the box from its beginning', () => {
    expect(scrollTarget({ ...box, sentence: { top: 700, height: 500 } })).toBe(700);
  });

  it('knows its own scrolling from that of the reader', () => {
    const own = new ScriptScroll(0);
    expect(own.explains(0)).toBe(true);
    expect(own.explains(40)).toBe(false);
    own.begin(0, 400);
    expect([1, 200, 400, 401].every((top) => own.explains(top))).toBe(true);
    expect(own.explains(460)).toBe(false);
    own.begin(400, 100);
    expect(own.explains(250)).toBe(true);
    expect(own.explains(20)).toBe(false);
    expect(own.explains(350)).toBe(false);
    expect(own.explains(100)).toBe(true);
    expect(own.explains(140)).toBe(false);
  });
});
