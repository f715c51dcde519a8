import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeset, isTypeset, typesetHtml } from './typeset.ts';

const bare = (text: string) => text.replaceAll(/[\s\u00a0\u202f]|&nbsp;/g, '');
const visible = (text: string) => text.replaceAll('\u00a0', '[nb]').replaceAll('\u202f', '[nn]');

describe('typeset', () => {
  it.each([
    ['Support : bois', 'Support[nb]: bois'],
    ['Prêt ? Oui ! Bien ; voilà', 'Prêt[nn]? Oui[nn]! Bien[nn]; voilà'],
    ['Le « frein-vapeur » est', 'Le «[nb]frein-vapeur[nb]» est'],
    ['déjà\u00a0: fait', 'déjà[nb]: fait'],
    ['mal fait\u00a0!', 'mal fait[nn]!'],
    ['entité&nbsp;: &amp; après', 'entité[nb]: &amp; après'],
    ['Vraiment ?!', 'Vraiment[nn]?!'],
    ['plusieurs  \n  : espaces', 'plusieurs[nb]: espaces'],
  ])('%j', (text, set) => expect(visible(typeset(text))).toBe(set));

  it.each([
    '10:30',
    'https://example.com/?p=1',
    'voir ?p=1 ou :root',
    '1:2',
    'C:\\',
    'a;b',
    'Attention: ici',
    '«serré»',
  ])('leaves %j alone', (text) => expect(typeset(text)).toBe(text));

  it('changes nothing but spaces, sets once and for all, and leaves no line to begin with a sign', () => {
    const texts = fc.array(
      fc.constantFrom(' ', '\n', '\u00a0', ':', ';', '!', '?', '«', '»', 'mot', '12', '/', '&nbsp;'),
    );
    fc.assert(
      fc.property(texts, (pieces) => {
        const text = pieces.join('');
        const set = typeset(text);
        expect(bare(set)).toBe(bare(text));
        expect(typeset(set)).toBe(set);
        expect(set).not.toMatch(/ [:;!?»](?=\s|$)/);
      }),
      { seed: 15, numRuns: 1000 },
    );
  });
});

describe('typesetHtml', () => {
  it.each([
    ['<p><strong>Gratter</strong> : frottez</p>', '<p><strong>Gratter</strong>[nb]: frottez</p>'],
    ['<p><strong>Gratter </strong>: frottez</p>', '<p><strong>Gratter[nb]</strong>: frottez</p>'],
    ['<p>mot </p><p>: autre</p>', '<p>mot </p><p>: autre</p>'],
    ['<a href="/x?a=1 : 2" title="a : b">c : d</a>', '<a href="/x?a=1 : 2" title="a : b">c[nb]: d</a>'],
    ['<a title="a > b : c">d !</a>', '<a title="a > b : c">d[nn]!</a>'],
    ['<code>a ? b : c</code> : voilà', '<code>a ? b : c</code>[nb]: voilà'],
    ['<td data-exact>B : 1</td><td>a : b</td>', '<td data-exact>B : 1</td><td>a[nb]: b</td>'],
    ['<p lang="de-DE">Frage : <b>a</b> ?</p> oui ?', '<p lang="de-DE">Frage : <b>a</b> ?</p> oui[nn]?'],
    ['<p lang="fr-FR">oui ?</p>', '<p lang="fr-FR">oui[nn]?</p>'],
    [
      '<span lang="de"><span>a : b</span> c : d</span> e : f',
      '<span lang="de"><span>a : b</span> c : d</span> e[nb]: f',
    ],
    ['<script>a ? b : c</script><time>9 : 30</time>', '<script>a ? b : c</script><time>9 : 30</time>'],
    ['a : b<!-- c : d --> e ;', 'a[nb]: b<!-- c : d --> e[nn];'],
    ['a<br> : b', 'a<br>[nb]: b'],
    ['ouvert <a title="sans fin : x', 'ouvert <a title="sans fin : x'],
  ])('%s', (html, set) => expect(visible(typesetHtml(html))).toBe(set));

  it('is for French in any country', () => {
    expect(['fr', 'fr-FR', 'FR-CH', 'fy', 'de-DE'].map(isTypeset)).toEqual([true, true, true, false, false]);
  });
});

describe('content/strings/fr.json', () => {
  const texts = JSON.parse(readFileSync(new URL('../../content/strings/fr.json', import.meta.url), 'utf8')) as Record<
    string,
    string
  >;

  it('is set already, because some of it is read by scripts, and has typographic apostrophes', () => {
    expect(Object.entries(texts).filter(([, text]) => typeset(text) !== text || text.includes("'"))).toEqual([]);
  });
});
