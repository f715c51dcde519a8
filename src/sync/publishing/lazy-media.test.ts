import { describe, expect, it } from 'vitest';
import { cpuMs, lowestMeasurement } from '#files/testing/measure-cpu.ts';
import { plainText, sanitiseHtml, type LostMedia } from './sanitise-html.ts';

const BASE = 'https://cms.example/post/';
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const A = 'https://cms.example/uploads/a.jpg';

const sanitise = (html: string) => {
  const found: LostMedia[] = [];
  const output = sanitiseHtml(html, { base: BASE, onLost: (lost) => void found.push(lost) });
  return {
    output: inOrder(output),
    lost: found.flatMap(({ counts }) => counts.map(([kind, count]) => `${count} ${kind}`)),
  };
};
/** With the attributes of every tag by name. */
const inOrder = (html: string) =>
  html.replace(/ [^<>]*="[^<>]*(?=>)/g, (attributes) =>
    (attributes.match(/ [\w-]+(?:="[^"]*")?| \//g) ?? []).toSorted(byName).join(''),
  );
const byName = (a: string, b: string) => (a === ' /' ? 1 : b === ' /' ? -1 : a < b ? -1 : 1);
const image = (src = A, alt = 'Dach') => `<img alt="${alt}" src="${src}" />`;

describe('a lazy-loaded image', () => {
  it.each([
    ['data-src', `<img src="${PIXEL}" data-src="${A}" alt="Dach">`],
    ['data-src without src', `<img data-src="/uploads/a.jpg" alt="Dach">`],
    ['data-lazy-src beside a placeholder', `<img src="/p/1x1.trans.gif" data-lazy-src="${A}" alt="Dach">`],
    ['data-original beside a spinner', `<img src="/themes/x/loading.gif?v=2" data-original="${A}" alt="Dach">`],
    ['data-orig-file', `<img src="about:blank" data-orig-file="${A}" alt="Dach">`],
    ['data-large-file', `<img src="#" data-large-file="${A}" alt="Dach">`],
    [
      'data-src of an image in low quality',
      `<img class="lazyload" src="/uploads/a-20x10.jpg" data-src="${A}" alt="Dach">`,
    ],
    ['data-src that is no address, then data-srcset', `<img data-src="true" data-srcset="${A} 2x" alt="Dach">`],
    [
      'the largest of data-srcset',
      `<img src="${PIXEL}" data-srcset="/s.jpg 300w, ${A} 1200w, /m.jpg 800w" alt="Dach">`,
    ],
    ['the largest of data-lazy-srcset', `<img data-lazy-srcset="${A} 2x,/s.jpg" alt="Dach">`],
    ['the largest of srcset', `<img srcset="${PIXEL} 9w, /a,b.jpg 10w,${A} 1200w" alt="Dach">`],
    [
      'a source of its picture',
      `<picture><source data-srcset="${A} 800w" type="image/webp"><img src="${PIXEL}" alt="Dach"></picture>`,
    ],
  ])('is found by %s', (_, html) => {
    expect(sanitise(html)).toEqual({ output: image(), lost: [] });
  });

  it.each([
    [
      'src, if it is an image itself',
      `<img src="${A}" data-large-file="/uploads/other.jpg" srcset="/b.jpg 9x" alt="Dach">`,
    ],
    ['a placeholder, if there is nothing else', `<img src="${A.replace('a.jpg', 'blank.gif')}" alt="Dach">`],
  ])('is still %s', (_, html) => {
    expect(sanitise(html).output).toMatch(
      /^<img alt="Dach" src="https:\/\/cms\.example\/uploads\/(a\.jpg|blank\.gif)" \/>$/,
    );
  });

  it.each([
    [
      'behind it',
      `<p><img src="/1x1.trans.gif" data-lazy-src="${A}" alt="Dach"><noscript><img src="${A}" alt="Dach"></noscript></p>`,
    ],
    [
      'before it',
      `<p><noscript><img src="${A}" alt="Dach"></noscript><img src="${PIXEL}" data-src="${A}" alt="Dach"></p>`,
    ],
    [
      'in another size',
      `<p><img data-src="${A}" alt="Dach"><noscript><img src="/uploads/a-300x200.jpg" alt="Dach"></noscript></p>`,
    ],
    ['as the only real one', `<p><img src="${PIXEL}" alt="Dach"><noscript><img src="${A}" alt="Dach"></noscript></p>`],
    [
      'of a hidden one',
      `<p><img hidden data-src="data:," alt="x"><noscript><img src="${A}" alt="Dach"></noscript></p>`,
    ],
  ])('is shown once with its copy for readers without scripts %s', (_, html) => {
    expect(sanitise(html)).toEqual({ output: `<p>${image()}</p>`, lost: [] });
  });

  it('is shown as often as without scripts', () => {
    const lazy = `<img data-src="${A}" alt="Dach"><noscript><img src="${A}" alt="Dach"></noscript>`;
    expect(sanitise(lazy + lazy).output).toBe(image() + image());
    const only = `<img src="${PIXEL}"><noscript><img src="${A}" alt="Dach"></noscript>`;
    expect(sanitise(only + only)).toEqual({ output: image() + image(), lost: [] });
  });

  it('leaves the text of a noscript element', () => {
    expect(sanitise('<div>Vorher</div><div><noscript>Ohne Skript</noscript></div>').output).toBe(
      '<div>Vorher</div><div>Ohne Skript</div>',
    );
  });
});

describe('other lazy-loaded media', () => {
  it.each([
    [
      '<iframe src="about:blank" data-src="https://www.youtube.com/embed/abcdefghijk" title="Film"></iframe>',
      '<a href="https://www.youtube.com/watch?v=abcdefghijk" data-embed="YouTube">Film</a>',
    ],
    [
      '<iframe data-lazy-src="https://player.vimeo.com/video/1" title="Film"></iframe><noscript><iframe src="https://player.vimeo.com/video/1" title="Film"></iframe></noscript>',
      '<a href="https://vimeo.com/1" data-embed="Vimeo">Film</a>',
    ],
    [
      '<video data-src="/f.mp4" poster="data:," data-poster="/p.jpg"></video>',
      '<video src="https://cms.example/f.mp4" poster="https://cms.example/p.jpg" controls preload="metadata"></video>',
    ],
    [
      '<video><source data-src="/f.mp4" type="video/mp4"></video>',
      '<video controls preload="metadata"><source src="https://cms.example/f.mp4" type="video/mp4" /></video>',
    ],
    ['<audio data-src="/f.mp3"></audio>', '<audio src="https://cms.example/f.mp3" controls preload="none"></audio>'],
  ])('are found: %s', (html, expected) => {
    expect(sanitise(html)).toEqual({ output: inOrder(expected), lost: [] });
  });

  it.each([
    [
      '<div role="img" aria-label="Dach" class="wp-block-cover__image-background has-parallax" style="background-position:50% 50%;background-image:url(/uploads/a.jpg)"></div>',
    ],
    [`<div role="img" aria-label="Dach" style="BACKGROUND: #fff url( '${A}' ) no-repeat"></div>`],
    [`<div role="img" aria-label="Dach" data-bg="url(${A})"></div>`],
    [`<span role="img" aria-label="Dach" data-background-image="${A}"></span>`],
  ])('such as the background of a cover are images: %s', (html) => {
    expect(sanitise(html).output).toBe(image());
  });

  it('are in front of the text of their cover, and other backgrounds are decoration', () => {
    const cover = `<div class="wp-block-cover" style="background-image:url(${A})"><div class="wp-block-cover__inner-container"><p>Text</p></div></div>`;
    expect(sanitise(cover).output).toBe(`${image(A, '')}<p>Text</p>`);
    expect(sanitise(`<div style="background-image:url(${A})"><p>Text</p></div>`).output).toBe('<p>Text</p>');
  });
});

describe('what has no usable address', () => {
  it('is counted, unless it only counts visits', () => {
    const html =
      `<p>Text</p><img src="${PIXEL}"><img src="blob:https://a.example/1"><img><video src="data:video/mp4;base64,AA"></video>` +
      '<audio></audio><iframe src="about:blank"></iframe><img width="1" height="1" src="data:,">' +
      '<iframe src="https://t.example/ns.html" height="0" width="0" style="display:none"></iframe>';
    expect(sanitise(html)).toEqual({ output: '<p>Text</p>', lost: ['3 image', '1 video', '1 audio file', '1 frame'] });
  });

  it.each([
    [`<figure class="wp-block-image"><img src="${PIXEL}"></figure>`, ''],
    [`<p><a href="/gross/"><img src="${PIXEL}"></a></p>`, ''],
    [`<ul class="blocks-gallery-grid"><li><figure><img src="${PIXEL}"></figure></li></ul>`, ''],
    [
      `<figure><img src="${PIXEL}"><figcaption>Dach</figcaption></figure>`,
      '<figure><figcaption>Dach</figcaption></figure>',
    ],
    [`<ul><li>Eins</li><li><img src="${PIXEL}"></li><li></li></ul>`, '<ul><li>Eins</li><li></li></ul>'],
    ['<figure></figure><a href="/x/"></a><a id="ort"></a><p></p>', '<a id="user-content-ort"></a><p></p>'],
  ])('leaves no empty frame behind: %s', (html, expected) => {
    expect(sanitise(html).output).toBe(expected);
  });
});

it('emoji of a publishing site are letters', () => {
  const html =
    '<p>Fertig <img src="https://s.w.org/images/core/emoji/1f642.svg" alt="🙂" class="wp-smiley emoji"> ja</p>';
  expect(sanitise(html).output).toBe('<p>Fertig 🙂 ja</p>');
  expect(plainText(html)).toBe('Fertig 🙂 ja');
});

describe('links and buttons side by side', () => {
  const file =
    '<div class="wp-block-file"><a id="m" href="/a.pdf">Datenblatt</a><a href="/a.pdf" class="wp-block-file__button" aria-describedby="m" download>Herunterladen</a></div>';

  it.each([
    [file, 'Datenblatt Herunterladen'],
    ['<button>Eins</button><button>Zwei</button>', 'Eins Zwei'],
    [
      '<div class="wp-block-buttons"><div><a href="/a/">Eins</a></div><div><a href="/b/">Zwei</a></div></div>',
      'Eins Zwei',
    ],
    ['<nav><a href="/a/">Eins</a><a href="/b/">Zwei</a></nav>', 'Eins Zwei'],
    ['<a href="/a/">Zusammen</a><a href="/a/"><b>gesetzt</b></a>', 'Zusammengesetzt'],
    ['<a href="/a/">Haus</a>halt', 'Haushalt'],
  ])('are words of their own: %s', (html, text) => {
    expect(plainText(html)).toBe(text);
    expect(plainText(sanitise(html).output)).toBe(text);
  });

  it('are not glued together in the page', () => {
    expect(sanitise(file).output).not.toContain('</a><a');
  });
});

describe('hostile media', () => {
  it.each([
    '<img data-src="javascript:alert(1)" src="data:,">',
    '<img data-srcset="javascript:alert(1) 2x, data:text/html,<script>alert(1)</script> 3x">',
    '<img data-src="data:text/html,<script>alert(1)</script>">',
    '<iframe data-src="javascript:alert(1)"></iframe>',
    '<iframe data-lazy-src="data:text/html;base64,PHNjcmlwdD4="></iframe>',
    '<video data-src="javascript:alert(1)" data-poster="javascript:alert(1)"></video>',
    '<picture><source srcset="javascript:alert(1)"><img></picture>',
    '<div role="img" style="background-image:url(javascript:alert(1))"></div>',
    '<div role="img" data-bg="&#106;avascript:alert(1)"></div>',
    '<div data-background-image="javascript:alert(1)" alt="x"></div>',
    '<div role="img" data-background-image="mailto:x@y.example"></div>',
  ])('%s shows nothing', (html) => {
    expect(sanitise(html).output).toBe('');
  });

  it('is not hidden by noscript, however it is nested', () => {
    const html =
      '<noscript><noscript><p title="</noscript><img src=x onerror=alert(1)>">a</noscript></noscript>' +
      '<picture><noscript><picture><img data-src="/a.jpg" onerror=alert(1)></noscript>' +
      '<math><mtext><noscript><style><img src=x onerror=alert(1)></noscript>';
    const { output } = sanitise(html);
    expect(output).not.toMatch(/<(?:noscript|picture|style)|<img[^>]* onerror/i);
    expect(sanitise(output).output).toBe(output);
  });

  it.each([
    ['candidates', (n: number) => `<img srcset="${'a.jpg 1w, '.repeat(n)}">`],
    ['commas', (n: number) => `<img srcset="${','.repeat(n)}" data-srcset="a${' '.repeat(n)}">`],
    ['a number', (n: number) => `<img srcset="a ${'1'.repeat(n)}">`],
    ['backgrounds', (n: number) => `<div role="img" style="${'background:url(url('.repeat(n)}"></div>`],
    ['a file name', (n: number) => `<img src="/${'lazy-'.repeat(n)}.gif" data-src="a.jpg" class="${'la'.repeat(n)}">`],
    ['copies', (n: number) => `<img data-src="a.jpg"><noscript><img src="a.jpg"></noscript>`.repeat(n)],
    ['open noscripts', (n: number) => '<noscript><img>'.repeat(n)],
    ['links', (n: number) => '<a href=/x>'.repeat(n) + '</a><a href=/y>'.repeat(n)],
    ['figures', (n: number) => '<figure><img>'.repeat(n)],
  ])('of many %s costs no more than its length', async (_, make) => {
    const cpuOf = (n: number) => cpuMs(() => void sanitise(make(n)));
    const allowed = 100 + 10 * (await lowestMeasurement(() => cpuOf(3_000)));
    expect(await lowestMeasurement(() => cpuOf(12_000), allowed)).toBeLessThan(allowed);
  });
});
