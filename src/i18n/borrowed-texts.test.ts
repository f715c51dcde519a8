import { describe, expect, it } from 'vitest';
import { createPageUi, createUi, labelBorrowedTexts, removeMarks } from './index.ts';

const dictionaries = {
  de: {
    'nav.home': 'Start',
    'nav.products': 'Produkte',
    'list.page': 'Seite {number}',
    'products.count.one': '{count} Produkt',
    'products.count.other': '{count} Produkte',
  },
  nl: { 'nav.products': 'Producten', 'products.count.other': '{count} producten' },
};
const ui = createPageUi(dictionaries, 'nl-nl', 'de-de');
const label = (html: string, dir: 'ltr' | 'rtl' = 'ltr') => labelBorrowedTexts(html, dir);
const start = '<span lang="de-DE" dir="ltr">';

describe('a language that lacks texts', () => {
  it('labels those of the main language, but not its own', () => {
    expect(ui.isMixed).toBe(true);
    expect(label(`<p>${ui.t('nav.home')} – ${ui.t('nav.products')}</p>`)).toBe(
      `<p>${start}Start</span> – Producten</p>`,
    );
    expect(label(ui.t('list.page', { number: 3 }))).toBe(`${start}Seite 3</span>`);
  });

  it('prefers its general plural form to a precise one in another language', () => {
    expect(ui.plural('products.count', 1)).toBe('1 producten');
  });

  it('labels options, and has plain attributes, scripts and URLs', () => {
    const text = ui.t('nav.home');
    expect(label(`<option value="1">${text}</option><option>x</option>`)).toBe(
      '<option lang="de-DE" dir="ltr" value="1">Start</option><option>x</option>',
    );
    expect(label(`<a title="${text} > 1" href="mailto:x?subject=${encodeURIComponent(text)}">${text}</a>`)).toBe(
      `<a title="Start > 1" href="mailto:x?subject=Start">${start}Start</span></a>`,
    );
    expect(label(`<script>"${text}"</script><textarea>${text}</textarea><!-- ${text} -->`)).toBe(
      '<script>"Start"</script><textarea>Start</textarea><!-- Start -->',
    );
    expect(removeMarks({ title: text, list: [text.slice(0, 3), 1] })).toEqual({ title: 'Start', list: ['', 1] });
  });

  it('has unmarked texts in files', () => {
    expect(createUi(dictionaries, 'nl-nl', 'de-de').t('nav.home')).toBe('Start');
  });
});

it('elements in a language with another direction have it', () => {
  expect(label('<h1 lang="ar-AE" class="x">غشاء</h1><p lang="en">y</p><b lang="he" dir="auto">z</b>')).toBe(
    '<h1 lang="ar-AE" dir="rtl" class="x">غشاء</h1><p lang="en">y</p><b lang="he" dir="auto">z</b>',
  );
  expect(label('<p lang="de-DE">x</p>', 'rtl')).toBe('<p lang="de-DE" dir="ltr">x</p>');
});

it('a complete language has no marks', () => {
  expect(createPageUi(dictionaries, 'de-de', 'de-de')).toMatchObject({ isMixed: false });
});
