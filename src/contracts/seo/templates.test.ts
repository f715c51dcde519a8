import { describe, expect, it } from 'vitest';
import { DEFAULT_TEMPLATES, fillTemplate } from './templates.ts';

const SITE = { sitename: 'Haldenwerk', sep: '-' };

describe('a template', () => {
  it.each([
    [DEFAULT_TEMPLATES.content.title, { title: 'Tape' }, 'Tape - Haldenwerk'],
    ['%%title%% %%page%% %%sep%% %%sep%% %%sitename%%', { title: 'Tape' }, 'Tape - Haldenwerk'],
    ['%%date%% %%sep%% %%sitename%%', {}, 'Haldenwerk'],
    ['%%sitename%% %%sep%% %%sitedesc%%', {}, 'Haldenwerk'],
    ['%%nobody%% knows %%title%%', { title: 'it' }, 'knows it'],
    ['%%title%%', { title: '%%sitename%% %%title%%' }, '%%sitename%% %%title%%'],
    ['  a \n\t b  ', {}, 'a b'],
    ['100 %% sure', {}, '100 %% sure'],
    ['a\uE000b', { title: 'x' }, 'ab'],
  ])('%j becomes a text', (template, variables, text) => {
    expect(fillTemplate(template, { ...SITE, ...variables })).toBe(text);
  });

  it('keeps no-break spaces, which set numbers and French signs', () => {
    expect(fillTemplate(' %%title%% \n x', { title: '75\u00A0m²\u202F; a' })).toBe('75\u00A0m²\u202F; a x');
  });

  it('parts with the sign that was chosen, also one that is special elsewhere', () => {
    expect(fillTemplate('%%title%% %%sep%% %%sitename%%', { ...SITE, sep: '|', title: 'T' })).toBe('T | Haldenwerk');
    expect(fillTemplate('%%title%% %%sep%% %%sitename%%', { ...SITE, sep: '$&', title: '$1' })).toBe(
      '$1 $& Haldenwerk',
    );
  });

  it('knows no variable that nobody has given', () => {
    expect(fillTemplate('a %%constructor%% %%toString%% %%__proto__%% %%unknown%% b', SITE)).toBe('a b');
  });

  it('is filled in time that grows with its length', () => {
    const text = `${'%%'.repeat(200_000)}${'%%sep%% '.repeat(50_000)}`;
    expect(fillTemplate(text, SITE).length).toBeLessThan(text.length);
  });
});
