import { describe, expect, it } from 'vitest';
import { enrichHtml } from './enrich-html.ts';

const tableLabel = (number: number) => `Table ${number}`;
const opensAt = (provider: string) => `Opens at ${provider}`;
const enrich = (html: string) => enrichHtml(html, { tableLabel, opensAt });

describe('enrichHtml', () => {
  it('turns an image with a digest into a picture', () => {
    expect(enrich('<p><img data-asset="0123456789abcdef" alt="A &amp; B" width="800" height="400" /></p>')).toBe(
      [
        '<p><picture>',
        '<source type="image/avif" srcset="/_images/0123456789abcdef-480.avif 480w, /_images/0123456789abcdef-720.avif 720w, /_images/0123456789abcdef-800.avif 800w" sizes="(min-width: 62rem) 44rem, 92vw">',
        '<source type="image/webp" srcset="/_images/0123456789abcdef-480.webp 480w, /_images/0123456789abcdef-720.webp 720w, /_images/0123456789abcdef-800.webp 800w" sizes="(min-width: 62rem) 44rem, 92vw">',
        '<img src="/_images/0123456789abcdef-800.jpg" alt="A &amp; B" width="800" height="400" loading="lazy" decoding="async">',
        '</picture></p>',
      ].join(''),
    );
  });

  it('plays an animation, unless its visitor prefers less motion', () => {
    const attributes = 'data-asset="0123456789abcdef" data-animation="gif" width="400" height="300"';
    const html = enrich(`<a href="https://blog.example/a.gif"><img ${attributes} alt="" /></a>`);
    const sources = [
      ...html.matchAll(/<source type="([^"]*)"( media="\(prefers-reduced-motion: reduce\)")? srcset="([^ "]*)/g),
    ];
    expect(sources.map(([, type, media, path]) => [type, media !== undefined, path])).toEqual([
      ['image/avif', true, '/_images/0123456789abcdef-400.avif'],
      ['image/webp', true, '/_images/0123456789abcdef-400.webp'],
      ['image/gif', false, '/_images/0123456789abcdef.gif'],
    ]);
    expect(html).toMatch(
      /^<a href="\/_images\/0123456789abcdef\.gif">.*<img src="\/_images\/0123456789abcdef-400\.jpg"/,
    );
    expect(enrich(`<img ${attributes.replace('gif', 'svg')} alt="" />`)).not.toContain('svg');
    expect(enrich(`<a href="/x/" data-embed="here" data-excerpt ${attributes}>X</a>`)).not.toContain('.gif');
  });

  it('keeps what is said of an image, of a heading of a table and of a card', () => {
    const image = enrich(
      '<img data-asset="0123456789abcdef" alt="" width="8" height="4" id="user-content-a" lang="de" />',
    );
    expect(image).toContain(' id="user-content-a" lang="de"></picture>');
    expect(enrich('<table><thead id="t"><tr><th id="a">a</th><th scope="row">b</th></tr></thead></table>')).toContain(
      '<thead id="t"><tr><th scope="col" id="a">a</th><th scope="row">b</th></tr></thead>',
    );
    expect(enrich('<a href="https://vimeo.com/1" data-embed="Vimeo" id="f">Film</a>')).toContain(' id="f"><strong>');
  });

  it('leaves an image alone that has no digest, or one that is none', () => {
    const plain = '<img src="https://media.example/a.png" alt="">';
    expect(enrich(plain)).toBe(plain);
    const odd = '<img data-asset="../../../x" width="1" height="1">';
    expect(enrich(odd)).toBe(odd);
  });

  it('lets tables scroll, each under its own name', () => {
    expect(
      enrich('<table><thead><tr><th>a</th></tr></thead><tr><th>b</th><td>1</td></tr></table><table></table>'),
    ).toBe(
      '<section class="scroll" tabindex="0" aria-label="Table 1"><table><thead><tr><th scope="col">a</th></tr></thead><tr><th scope="row">b</th><td>1</td></tr></table></section>' +
        '<section class="scroll" tabindex="0" aria-label="Table 2"><table></table></section>',
    );
  });

  it('lets code scroll by keyboard', () => {
    expect(enrich('<pre lang="en"><code>a</code></pre>')).toBe('<pre tabindex="0" lang="en"><code>a</code></pre>');
  });

  it('shows what another site has as a card, and asks nothing there', () => {
    expect(enrich('<figure><a href="https://vimeo.com/1?a=1&amp;b" data-embed="Vimeo">A &lt; B</a></figure>')).toBe(
      '<figure><a class="embed" href="https://vimeo.com/1?a=1&amp;b" rel="noreferrer"><strong>A &lt; B</strong> <small>Opens at Vimeo</small></a></figure>',
    );
  });

  it('shows an article of this site as a card with its picture', () => {
    const link =
      '<a href="/de-de/journal/messtag/" data-embed="here" data-excerpt="50 Pa &amp; Nebel" data-asset="0123456789abcdef" width="800" height="400">Der Messtag</a>';
    const card = enrich(`<p>${link}</p>`);
    expect(card).toMatch(/^<p><a class="embed" href="\/de-de\/journal\/messtag\/"><picture><source /);
    expect(card).toContain('alt="" width=');
    expect(card).toMatch(/<\/picture><strong>Der Messtag<\/strong> <small>50 Pa &amp; Nebel<\/small><\/a><\/p>$/);
    expect(enrich('<a href="/x/" data-embed="here" data-excerpt>X</a>')).toBe(
      '<a class="embed" href="/x/"><strong>X</strong></a>',
    );
  });

  it('leads from a picture of a gallery to the large one of this site', () => {
    const image = '<img data-asset="0123456789abcdef" alt="" width="1600" height="800" />';
    expect(enrich(`<a href="https://blog.example/uploads/a.JPG">${image}</a>`)).toMatch(
      /^<a href="\/_images\/0123456789abcdef-1200\.jpg"><picture>/,
    );
    expect(enrich(`<a href="https://blog.example/page/">${image}</a>`)).toMatch(/^<a href="https:\/\/blog/);
  });
});
