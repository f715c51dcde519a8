import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { ELEMENTS, GENERAL_ATTRIBUTES, MATH_TAGS } from '#contracts/html/html-text.ts';
import { HOSTILE_HTML, renderInBrowser, type RenderedElement } from '#e2e/hostile-html.ts';
import { launchBrowser } from '#e2e/launch-browser.ts';
import { findAssets } from './stage-rows.ts';
import { plainText, sanitiseHtml } from './sanitise-html.ts';

/** Elements and attributes that could run, style or frame something, whatever else is allowed. */
const NEVER = /^(script|style|link|meta|base|iframe|frame|object|embed|form|input|button|svg|template|noscript)$/;
const NEVER_ATTRIBUTE = /^(on.*|style|class|srcdoc|srcset|action|formaction|background|name|target|ping|autoplay)$/;
const ADDRESSES = ['href', 'src', 'cite', 'poster'];

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

function expectAllowed({ name, attributes }: RenderedElement, payload: string): void {
  expect(name, payload).not.toMatch(NEVER);
  const rule = ELEMENTS[name];
  const allowed = rule?.fate === 'kept' ? rule.attributes : undefined;
  expect(allowed !== undefined || MATH_TAGS.includes(name), `${payload}: ${name}`).toBe(true);
  for (const [attribute, value] of Object.entries(attributes)) {
    expect(attribute, payload).not.toMatch(NEVER_ATTRIBUTE);
    expect([...(allowed ?? []), ...GENERAL_ATTRIBUTES], payload).toContain(attribute);
    if (attribute === 'id') expect(value, payload).toMatch(/^user-content-/);
    if (!ADDRESSES.includes(attribute)) continue;
    expect(value, payload).not.toMatch(/^[\\/]{2}/);
    const { protocol } = new URL(value, 'https://here.example/');
    expect(attribute === 'href' ? ['http:', 'https:', 'mailto:', 'tel:'] : ['http:', 'https:'], payload).toContain(
      protocol,
    );
  }
}

describe('good HTML', () => {
  it.each([
    '<p>0,25 – 25 m, ≥ 1500 m &amp; mehr</p>',
    '<ul><li>Eins</li><li><strong>Zwei</strong> <em>drei</em></li></ul>',
    '<p>m<sup>2</sup>, CO<sub>2</sub></p>',
    '<table><caption>Werte</caption><thead><tr><th scope="col" colspan="2">Norm</th></tr></thead><tbody><tr><td rowspan="2">EN 1928</td></tr></tbody></table>',
    '<figure><img src="https://a.example/b.png" alt="Bild" width="10" height="20" /><figcaption>Bild</figcaption></figure>',
    '<dl><dt>Norm</dt><dd>EN</dd></dl>',
    '<p><a href="mailto:kontakt@haldenwerk.example">Mail</a>, <a href="tel:+4915112345">Telefon</a></p>',
  ])('stays as it is: %s', (html) => {
    expect(sanitiseHtml(html)).toBe(html);
  });

  it('gives an image without words none, so that nobody is read its address', () => {
    expect(sanitiseHtml('<img src="https://a.example/DSC_0815.jpg">')).toBe(
      '<img src="https://a.example/DSC_0815.jpg" alt="" />',
    );
  });

  it('loses what belongs to the other site’s theme, and its first-level heading', () => {
    expect(sanitiseHtml('<h1 class="a" style="color:red">Titel</h1><p class="wp-block-paragraph">Text</p>')).toBe(
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
  });

  it('is a link too where only its address is known', () => {
    expect(sanitiseHtml(block('https://www.youtube.com/watch?v=aBcDeF12345')).replaceAll('\n', '')).toBe(
      figure(
        '<a href="https://www.youtube.com/watch?v=aBcDeF12345" data-embed="YouTube">https://www.youtube.com/watch?v=aBcDeF12345</a>',
      ).replaceAll('\n', ''),
    );
  });

  it('is the link to it where an article is quoted whole', () => {
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

it('plainText parts cells, blocks and lines, and no word', () => {
  const table = '<table><tr><th>Norm</th><th>Wert</th></tr><tr><td>EN 1928</td><td>W1</td></tr></table>';
  expect(plainText(`<h2>Titel</h2><p>Eins<br>Zwei</p><ul><li>a</li><li>b</li></ul>${table}`)).toBe(
    'Titel Eins Zwei a b Norm Wert EN 1928 W1',
  );
  expect(plainText('<p>m<sup>2</sup>, <b>Luft</b>dicht, CO<sub>2</sub></p>')).toBe('m2, Luftdicht, CO2');
});

it('findAssets finds each file once, by what it is', () => {
  const html =
    '<p><img src="https://a.example/1.png" /><img src="https://a.example/1.png" /><img src="x.png" /></p>' +
    '<video src="https://a.example/f.mp4" poster="https://a.example/f.jpg"><track src="https://a.example/f.vtt" /></video>' +
    '<a href="https://a.example/ds.pdf?v=2">PDF</a><a href="https://a.example/liste.XLSX">Liste</a>' +
    '<a href="https://b.example/fremd.pdf">PDF</a><audio src="https://b.example/fremd.mp3"></audio>' +
    '<a href="https://a.example/seite.html">Seite</a><a href="https://a.example/x.svg">SVG</a>';
  expect(
    findAssets(html, (address) => new URL(address).host === 'a.example').map(({ address, kind }) => [
      new URL(address).pathname,
      kind,
    ]),
  ).toEqual([
    ['/1.png', 'image'],
    ['/f.jpg', 'image'],
    ['/f.mp4', 'file'],
    ['/f.vtt', 'file'],
    ['/ds.pdf', 'document'],
    ['/liste.XLSX', 'file'],
  ]);
});
