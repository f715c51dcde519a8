import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { HOSTILE_HTML, renderInBrowser, type FoundElement } from '../../e2e/hostile-html.ts';
import { launchBrowser } from '../../e2e/launch-browser.ts';
import { findImages } from './find-images.ts';
import { plainText } from './plain-text.ts';
import { sanitiseHtml } from './sanitise-html.ts';

const ATTRIBUTES: Record<string, readonly string[]> = {
  a: ['href', 'data-embed'],
  img: ['src', 'alt', 'width', 'height'],
  th: ['scope', 'colspan', 'rowspan'],
  td: ['colspan', 'rowspan'],
};
const TAGS = new Set(
  'p ul ol li strong em b i br sub sup a h2 h3 h4 h5 h6 blockquote cite code pre table thead tbody tr th td caption figure figcaption img hr dl dt dd abbr'.split(
    ' ',
  ),
);

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  page = await browser.newPage();
});
afterAll(() => browser.close());

describe.each([
  ['without a base', {}],
  ['with a base', { base: 'https://site.example/post/' }],
])('hostile HTML, %s', (_, options) => {
  it(`comes out of ${HOSTILE_HTML.length} attempts with nothing but what is allowed`, async () => {
    for (const payload of [...HOSTILE_HTML, ...HOSTILE_HTML.map((text) => `<ul><li>${text}`), HOSTILE_HTML.join('')]) {
      const output = sanitiseHtml(payload, options);
      const { elements, ran } = await renderInBrowser(page, output);
      expect(ran, payload).toBe(false);
      for (const element of elements) expectAllowed(element, payload);
      expect(output, payload).not.toMatch(/<(script|style|svg|iframe|!)/i);
    }
  });

  it('would run if it were let through', async () => {
    expect(await renderInBrowser(page, '<img src="data:," onerror=alert(1)>')).toMatchObject({ ran: true });
  });
});

function expectAllowed({ name, attributes }: FoundElement, payload: string): void {
  expect(TAGS.has(name), payload).toBe(true);
  for (const [attribute, value] of Object.entries(attributes)) {
    expect(ATTRIBUTES[name] ?? [], payload).toContain(attribute);
    if (attribute !== 'href' && attribute !== 'src') continue;
    expect(value, payload).not.toMatch(/^[\\/]{2}/);
    const { protocol } = new URL(value, 'https://here.example/');
    expect(attribute === 'src' ? ['http:', 'https:'] : ['http:', 'https:', 'mailto:'], payload).toContain(protocol);
  }
}

describe('HTML with more tags than anybody writes', () => {
  it.each([
    `${'<b>'.repeat(300_000)}text${'</x>'.repeat(300_000)}`,
    '<'.repeat(300_000),
    `${'<a <b>'.repeat(100_000)}`,
  ])('is read as text, and soon', (html) => {
    expect(sanitiseHtml(html)).not.toMatch(/<(?!\/?b>)/);
    expect(plainText(html).replaceAll(/[\s<>ab]/g, '')).toBe(html.includes('text') ? 'text' : '');
  });
});

describe('good HTML', () => {
  it.each([
    '<p>0,25 – 25 m, ≥ 1500 m &amp; mehr</p>',
    '<ul><li>Eins</li><li><strong>Zwei</strong> <em>drei</em></li></ul>',
    '<p>m<sup>2</sup>, CO<sub>2</sub></p>',
    '<table><caption>Werte</caption><thead><tr><th scope="col" colspan="2">Norm</th></tr></thead><tbody><tr><td rowspan="2">EN 1928</td></tr></tbody></table>',
    '<figure><img src="https://a.example/b.png" alt="Bild" width="10" height="20" /><figcaption>Bild</figcaption></figure>',
    '<dl><dt>Norm</dt><dd>EN</dd></dl>',
    '<p><a href="mailto:kontakt@haldenwerk.example">Mail</a>, <a href="#unten">unten</a></p>',
  ])('stays as it is: %s', (html) => {
    expect(sanitiseHtml(html)).toBe(html);
  });

  it('gives an image without words none, so that nobody is read its address', () => {
    expect(sanitiseHtml('<img src="https://a.example/DSC_0815.jpg">')).toBe(
      '<img src="https://a.example/DSC_0815.jpg" alt="" />',
    );
  });

  it('loses what belongs to the other site’s theme, and its first-level heading', () => {
    expect(sanitiseHtml('<h1 class="a" id="b">Titel</h1><p class="wp-block-paragraph">Text</p>')).toBe(
      '<h2>Titel</h2><p>Text</p>',
    );
  });

  it('keeps relative addresses, or makes them absolute', () => {
    const html = '<a href="/kontakt/">x</a><img src="bild.png" alt="" />';
    expect(sanitiseHtml(html)).toBe(html);
    expect(sanitiseHtml(html, { base: 'https://site.example/post/' })).toBe(
      '<a href="https://site.example/kontakt/">x</a><img src="https://site.example/post/bild.png" alt="" />',
    );
  });
});

const block = (inner: string) =>
  `<figure class="wp-block-embed is-provider-youtube"><div class="wp-block-embed__wrapper">\n${inner}\n</div><figcaption>Film</figcaption></figure>`;
const figure = (inner: string) => `<figure>\n${inner}\n<figcaption>Film</figcaption></figure>`;

describe('what another site shows in a frame', () => {
  it('becomes a link to where a person sees it', () => {
    const frame =
      '<iframe title="Blower-Door &amp; Nebel" width="500" src="https://www.youtube.com/embed/aBcDeF12345?feature=oembed" allow="autoplay"></iframe>';
    expect(sanitiseHtml(block(frame))).toBe(
      figure('<a href="https://www.youtube.com/watch?v=aBcDeF12345" data-embed="YouTube">Blower-Door &amp; Nebel</a>'),
    );
    expect(sanitiseHtml('<iframe src="https://player.vimeo.com/video/123456?h=1"></iframe>')).toBe(
      '<a href="https://vimeo.com/123456" data-embed="Vimeo">https://vimeo.com/123456</a>',
    );
    expect(sanitiseHtml('<video controls src="/film.mp4"></video>', { base: 'https://site.example/' })).toBe(
      '<a href="https://site.example/film.mp4" data-embed="site.example">https://site.example/film.mp4</a>',
    );
  });

  it('is a link too where only its address is known', () => {
    expect(sanitiseHtml(block('https://www.youtube.com/watch?v=aBcDeF12345')).replaceAll('\n', '')).toBe(
      figure(
        '<a href="https://www.youtube.com/watch?v=aBcDeF12345" data-embed="YouTube">https://www.youtube.com/watch?v=aBcDeF12345</a>',
      ).replaceAll('\n', ''),
    );
  });

  it('is the link to it where a writing is quoted whole', () => {
    const quoted =
      '<blockquote class="wp-embedded-content" data-secret="a"><p><a href="/messtag/">Der Messtag</a></p></blockquote>\n' +
      '<p><iframe class="wp-embedded-content" src="https://site.example/messtag/embed/"></iframe></p><p><a href="/b/">b</a></p>';
    expect(sanitiseHtml(quoted, { base: 'https://site.example/' })).toBe(
      '<figure><p><a href="https://site.example/messtag/" data-embed="site.example">Der Messtag</a></p></figure>\n' +
        '<p></p><p><a href="https://site.example/b/">b</a></p>',
    );
    expect(sanitiseHtml('<blockquote><a href="https://a.example/">a</a></blockquote>')).not.toContain('data-embed');
  });

  it('is left out where it runs something, or where a quotation links it already', () => {
    expect(sanitiseHtml('<iframe src="javascript:alert(1)"></iframe>')).toBe('');
    expect(sanitiseHtml('<iframe class="wp-embedded-content" src="https://blog.example/post/embed/"></iframe>')).toBe(
      '',
    );
    expect(sanitiseHtml('<a data-embed="YouTube" href="https://blog.example/">x</a>')).toBe(
      '<a href="https://blog.example/">x</a>',
    );
  });
});

it('plainText gives what a person reads', () => {
  expect(plainText('Luft &#8211; <b>dicht</b> &amp; &lt;b&gt;\n [&hellip;]<script>x</script>')).toBe(
    'Luft – dicht & <b> […]',
  );
});

it('findImages finds each image once', () => {
  const html = '<p><img src="https://a.example/1.png"><img src="https://a.example/1.png"><img src="x.png"></p>';
  expect(findImages(html)).toEqual(['https://a.example/1.png']);
});
