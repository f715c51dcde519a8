import { describe, expect, it } from 'vitest';
import { MAX_SHOWN_DESCRIPTION_LENGTH } from '#analysis/checks/content-checks.ts';
import { createExcerpt, shortenText } from './excerpt.ts';

const words = (count: number) => 'Wort '.repeat(count).trim();

describe('the excerpt of a text', () => {
  it.each([
    ['<p>Der erste Satz.</p><h2>Überschrift</h2><p>Mehr.</p>', 'Der erste Satz.'],
    [
      '<h2>Das richtige Postfach</h2><p>Fragen zu Planung<br />und Verarbeitung.</p>',
      'Fragen zu Planung und Verarbeitung.',
    ],
    ['<figure><img src="a.png" /><figcaption>Bild</figcaption></figure><p>Text.</p>', 'Text.'],
    ['<blockquote><p>Zitat</p></blockquote><p>Von <strong>m<sup>2</sup></strong> &amp; mehr.</p>', 'Von m2 & mehr.'],
    ['<div><p> </p><p>Text.</p></div>', 'Text.'],
    ['Ohne Absatz', 'Ohne Absatz'],
    ['<ul><li>Nur</li><li>Liste</li></ul>', 'Nur'],
    ['<h2>Nur Überschrift</h2>', 'Nur Überschrift'],
    ['', ''],
  ])('is that of the first paragraph, and no block runs into the next: %s', (html, excerpt) => {
    expect(createExcerpt(html, 'de-de')).toBe(excerpt);
  });
});

describe('a text that is too long', () => {
  it('ends at a sentence, and no abbreviation or date is taken for the end of one', () => {
    const first = 'Am 21. November kamen z. B. Dr. Weber und zwei Prüfer.';
    expect(shortenText(`${first} ${words(40)}.`, 'de-de')).toBe(first);
    expect(shortenText(`${first} Kurz! ${words(40)}.`, 'de-de')).toBe(`${first} Kurz!`);
  });

  it('ends at a word where its first sentence is longer, and says so', () => {
    const short = shortenText(`${words(30)}, ${words(20)}.`, 'de-de');
    expect(short).toBe(`${words(30)} …`);
    expect(shortenText('x'.repeat(500), 'de-de')).toHaveLength(MAX_SHOWN_DESCRIPTION_LENGTH);
    expect(shortenText(`x${'😀'.repeat(99)}`, 'de-de').isWellFormed()).toBe(true);
    for (let count = 25; count < 60; count += 1)
      expect(shortenText(words(count), 'de-de').length).toBeLessThanOrEqual(MAX_SHOWN_DESCRIPTION_LENGTH);
  });

  it('stays as it is where it fits', () => {
    const text = `${'x'.repeat(MAX_SHOWN_DESCRIPTION_LENGTH - 2)} y`;
    expect(shortenText(text, 'fr-fr')).toBe(text);
  });
});
