import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ELEMENTS } from '#contracts/html/html-text.ts';
import { isPlainHtml } from './finish-html.ts';
import { sanitiseHtml, sanitiseMarkup } from './sanitise-html.ts';

const RUNS = process.env['SORTIMENT_SOAK'] ? 20_000 : 1_000;

const PLAIN = (
  'b code em i kbd mark s small strong sub sup u p h2 h3 h4 h5 h6 ul ol dl pre blockquote table li dt dd thead tbody ' +
  'tr th td'
).split(' ');
const TEXTS = [
  'Wort',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '"',
  "'",
  'Maße 1,5 m × 50 m',
  '\u00A0',
  '&amp;',
  '&lt;',
  '&gt;',
  '&amp;lt;',
  '<br />',
  '\u0000',
  '\u0085',
  '\uD800',
  '\u2028',
  '😀',
];
/** HTML that must be sanitised or isn't plain. */
const HOSTILE = [
  '<br>',
  '<br/>',
  '<br  />',
  '</br>',
  '</p>',
  '<P>',
  '<p >',
  '<p/>',
  '<p class="x">',
  '<p onclick=x>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:x">',
  '<!-- x -->',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?',
  '<',
  '>',
  '&',
  '</',
  '<p',
  '&nbsp;',
  '&auml;',
  '&AMP;',
  '&amp',
  '&LT;',
  '&#60;',
  '&#x3c;script&#62;',
  '<script>',
  '</script>',
  '<style>',
  '<textarea>',
  '<svg>',
  '<math>',
  '<xmp>',
  '<plaintext>',
  '<tfoot>',
  '<caption>',
  '<col />',
];

/** Elements in elements, all closed; they need not stand where HTML allows them. */
const { nested } = fc.letrec<{ nested: string }>((tie) => ({
  nested: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...TEXTS),
    fc
      .tuple(fc.constantFrom(...PLAIN), fc.array(tie('nested'), { maxLength: 4 }))
      .map(([name, parts]) => `<${name}>${parts.join('')}</${name}>`),
  ),
}));
/** As products are described: what is recognised. */
const inline = fc
  .tuple(fc.constantFrom('b', 'strong', 'em', 'sub'), fc.constantFrom(...TEXTS))
  .map(([name, text]) => `${text}<${name}>${text}</${name}>`);
const item = fc.array(fc.oneof(fc.constantFrom(...TEXTS), inline), { maxLength: 4 }).map((parts) => parts.join(''));
const usual = fc
  .array(
    fc.oneof(
      item.map((text) => `<p>${text}</p>`),
      fc.array(item, { maxLength: 4 }).map((items) => `<ul>${items.map((text) => `<li>${text}</li>`).join('')}</ul>`),
      fc
        .array(item, { maxLength: 4 })
        .map((cells) => `<table><tbody><tr>${cells.map((c) => `<td>${c}</td>`).join('')}</tr></tbody></table>`),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''));
const tag = fc
  .constantFrom(...PLAIN, ...Object.keys(ELEMENTS))
  .chain((name) => fc.constantFrom(`<${name}>`, `</${name}>`));
const soup = fc
  .array(fc.oneof(tag, fc.constantFrom(...TEXTS), fc.constantFrom(...HOSTILE), nested), { maxLength: 12 })
  .map((parts) => parts.join(''));
/** Plain, but for one place. */
const nearlyPlain = fc
  .tuple(fc.oneof(usual, nested), fc.constantFrom(...HOSTILE), fc.nat())
  .map(([html, bad, at]) => html.slice(0, at % (html.length + 1)) + bad + html.slice(at % (html.length + 1)));
const cut = fc.tuple(usual, fc.nat()).map(([html, at]) => html.slice(0, at % (html.length + 1)));
const html = fc.oneof(nested, usual, soup, nearlyPlain, cut, fc.string({ unit: 'binary', maxLength: 40 }));

const deep = (depth: number) => '<b>'.repeat(depth) + 'Wort' + '</b>'.repeat(depth);

describe('what is recognised as plain', () => {
  it('is byte for byte what the sanitiser makes of it', () => {
    let recognised = 0;
    fc.assert(
      fc.property(html, fc.constantFrom(undefined, 'https://site.example/post/'), (text, base) => {
        const options = { base, idPrefix: 'user-content-x-' };
        if (isPlainHtml(text)) {
          recognised += 1;
          expect(text).toBe(sanitiseMarkup(text, options));
        }
        expect(sanitiseHtml(text, options)).toBe(sanitiseMarkup(text, options));
      }),
      { seed: 20, numRuns: RUNS },
    );
    // Otherwise nothing would have been compared.
    expect(recognised).toBeGreaterThan(RUNS / 5);
  });

  it('is so for every element in every other', () => {
    const names = [...Object.keys(ELEMENTS), 'x-unknown'];
    const pairs = names.flatMap((outer) => names.map((inner) => [outer, inner]));
    const triples = PLAIN.flatMap((outer) => PLAIN.flatMap((mid) => PLAIN.map((inner) => [outer, mid, inner])));
    const texts = [...pairs, ...triples].map((path) => {
      const begins = path.map((name) => `<${name}>x`).join('');
      return (
        begins +
        path
          .toReversed()
          .map((name) => `y</${name}>`)
          .join('')
      );
    });
    const recognised = texts.filter(isPlainHtml);
    expect(recognised.length).toBeGreaterThan(2000);
    for (const text of recognised) expect(sanitiseMarkup(text)).toBe(text);
  });

  it('are the texts of products as they are usually written', () => {
    const text =
      '<p>Luftdicht &amp; winddicht, s<sub>d</sub> &lt; 2 m:<br /><strong>innen</strong></p>' +
      '<ul><li>Dach<ul><li>Steildach</li></ul></li></ul><h3>Werte</h3>' +
      '<table><thead><tr><th>Norm</th></tr></thead><tbody><tr><td>EN 1928</td></tr></tbody></table>';
    expect(isPlainHtml(text)).toBe(true);
    expect(isPlainHtml(fc.sample(usual, { seed: 20, numRuns: 1 })[0] ?? '')).toBe(true);
  });

  it.each([...HOSTILE, '<p><p>x</p></p>', '<h2><h3>x</h3></h2>', '<p>x', '<thead><td>x</td></thead>', '<div>x</div>'])(
    'is not %s',
    (text) => {
      expect(isPlainHtml(text)).toBe(false);
    },
  );

  it('is no deeper than a sanitiser goes', () => {
    expect([isPlainHtml(deep(20)), isPlainHtml(deep(200))]).toEqual([true, false]);
    expect(sanitiseHtml(deep(200))).toBe(sanitiseMarkup(deep(200)));
  });
});
