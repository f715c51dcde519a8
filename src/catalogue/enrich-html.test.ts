import { describe, expect, it } from 'vitest';
import { enrichHtml } from './enrich-html.ts';

const tableLabel = (number: number) => `Table ${number}`;
const enrich = (html: string) => enrichHtml(html, { tableLabel });

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

  it('leaves an image alone that has no digest, or one that is none', () => {
    const plain = '<img src="https://media.example/a.png" alt="">';
    expect(enrich(plain)).toBe(plain);
    const odd = '<img data-asset="../../x" width="1" height="1">';
    expect(enrich(odd)).toBe(odd);
  });

  it('lets tables scroll, each under its own name', () => {
    expect(enrich('<table><thead><tr><th>a</th></tr></thead><tr><th>b</th></tr></table><table></table>')).toBe(
      '<section class="scroll" tabindex="0" aria-label="Table 1"><table><thead><tr><th scope="col">a</th></tr></thead><tr><th>b</th></tr></table></section>' +
        '<section class="scroll" tabindex="0" aria-label="Table 2"><table></table></section>',
    );
  });
});
