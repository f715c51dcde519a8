import { describe, expect, it } from 'vitest';
import type { HeadRecord, HeadSubject } from '#contracts/synced/index.ts';
import { SEPARATORS } from '#contracts/seo/templates.ts';
import { EMPTY_HEAD, removeGeneratedTexts } from './project-heads.ts';

const SITES = { publishing: { name: 'Notes & Walls', description: 'On walls' }, name: 'Walls', separator: '·' };

function read(kind: HeadSubject['kind'], head: Partial<HeadRecord>, source: { texts?: string[]; html?: string } = {}) {
  const name = kind === 'home' ? '' : 'Coller l’hiver : « oui »';
  const whole = { ...EMPTY_HEAD, graph: [], subject: { kind, id: 1 }, ...head };
  return removeGeneratedTexts(whole, { name, texts: [], ...source }, SITES);
}

describe('titles', () => {
  it.each(SEPARATORS)('of built-in templates are left to the site, whatever parts them: %s', (sign) => {
    const name = "Coller l'hiver : « oui »";
    for (const [kind, title] of [
      ['home', `Notes & Walls ${sign} On walls`],
      ['post', `${name} ${sign} Notes & Walls`],
      ['page', `${name} ${sign} Notes & Walls`],
      ['episode', name],
      ['category', `${name} Archives ${sign} Notes & Walls`],
      ['tag', `${name} Archives ${sign} Notes & Walls`],
      ['author', `Articles by ${name} ${sign} Notes & Walls`],
      ['author', `${name}, Author at Notes & Walls`],
    ] as const) {
      const openGraph = { ...EMPTY_HEAD.openGraph, title };
      expect(read(kind, { title, openGraph, twitter: { card: 'summary', title } }), title).toMatchObject({
        title: '',
        openGraph: { title: '' },
        twitter: { card: 'summary' },
      });
    }
  });

  it.each(SEPARATORS)('that editors wrote stay, with the name and separator of the site for %s', (sign) => {
    expect(read('post', { title: `Kleben ${sign} im Winter ${sign} Notes & Walls` }).title).toBe(
      `Kleben ${sign} im Winter · Walls`,
    );
    expect(read('post', { title: 'Kleben im Winter' }).title).toBe('Kleben im Winter');
  });
});

describe('descriptions', () => {
  const html = '<h2>Kopf</h2><p>Ein Satz. Und noch einer.</p>';
  it.each([
    ['the excerpt', 'Kurz gesagt.'],
    ['the beginning of the text', 'KopfEin Satz. Und […]'],
    ['the description of the site', 'On walls'],
  ])('that a server takes from elsewhere are left to the site: %s', (_, description) => {
    const head = { description, openGraph: { ...EMPTY_HEAD.openGraph, description } };
    expect(read('post', head, { texts: ['Kurz gesagt.'], html })).toMatchObject({
      description: '',
      openGraph: { description: '' },
    });
  });

  it('that editors wrote stay', () => {
    const description = `Ein Satz. ${'Lang '.repeat(99)}`;
    expect(read('post', { description }, { texts: ['Kurz gesagt.'], html }).description).toBe(description);
  });
});
