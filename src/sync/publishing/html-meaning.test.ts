import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs, lowestMeasurement } from '#files/testing/measure-cpu.ts';
import { ELEMENTS, GENERAL_ATTRIBUTES } from '#contracts/html/elements.ts';
import { tokenizeHtml } from '#contracts/html/html-text.ts';
import { plainText, sanitiseHtml } from './sanitise-html.ts';

const BASE = 'https://site.example/post/';

/** The elements of the HTML standard, and those that it calls obsolete. */
const STANDARD = (
  'a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption cite code col ' +
  'colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure footer form h1 h2 ' +
  'h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark math menu ' +
  'meta meter nav noscript object ol optgroup option output p picture pre progress q rp rt ruby s samp script search ' +
  'section select selectedcontent slot small source span strong style sub summary sup svg table tbody td template ' +
  'textarea tfoot th thead time title tr track u ul var video wbr'
).split(' ');
const OBSOLETE = (
  'acronym applet basefont bgsound big blink center dir font frame frameset image isindex keygen listing marquee ' +
  'menuitem multicol nextid nobr noembed noframes param plaintext rb rtc spacer strike tt xmp'
).split(' ');

describe('every element of HTML', () => {
  it('is kept, changed or dropped by one rule', () => {
    expect(Object.keys(ELEMENTS).toSorted()).toEqual([...STANDARD, ...OBSOLETE].toSorted());
  });

  it('is documented in content/docs/html.md', () => {
    const page = readFileSync(path.resolve(import.meta.dirname, '../../../content/docs/html.md'), 'utf8');
    const [kept = '', ...changed] = describeElements().map((row) => row.slice(2, -2));
    const [elements = '', general = ''] = kept.replace('kept | ', '').split('; ');
    const lists = page.split('## Kept elements')[1]?.split('## ')[0] ?? '';
    const listed = [...lists.matchAll(/^- \*\*\w+\*\*: (.*)$/gm)].flatMap(([, list = '']) => list.split(/, (?=`)/));
    expect(listed.toSorted()).toEqual(elements.split(/, (?=`)/).toSorted());
    expect(lists).toContain(general.replace('on all of them ', ''));
    const rows = [...page.matchAll(/^\| (.+?) *\| (`.+?) *\|$/gm)].flatMap(([, result = '', names = '']) =>
      names.split(', ').map((name) => `${result} ${name}`),
    );
    const expected = changed.flatMap((row) => {
      const [result = '', names = ''] = row.split(' | ');
      return names.split(', ').map((name) => `${result} ${name}`);
    });
    expect(rows.toSorted()).toEqual(expected.toSorted());
  });
});

/** As small as it makes sense: what it needs around it, and itself. */
const AROUND: Record<string, (element: string) => string> = {
  audio: () => '<audio src="https://site.example/a.mp3">Wort</audio>',
  video: () => '<video src="https://site.example/a.mp4">Wort</video>',
  caption: (element) => `<table>${element}<tbody><tr><td>x</td></tr></tbody></table>`,
  col: () => '<table><colgroup><col span="2"></colgroup></table>',
  colgroup: () => '<table><colgroup span="2"></colgroup></table>',
  thead: () => '<table><thead><tr><th>Wort</th></tr></thead></table>',
  tbody: () => '<table><tbody><tr><th>Wort</th></tr></tbody></table>',
  tfoot: () => '<table><tfoot><tr><th>Wort</th></tr></tfoot></table>',
  tr: () => '<table><tr><th>Wort</th></tr></table>',
  th: () => '<table><tr><th>Wort</th></tr></table>',
  td: () => '<table><tr><td>Wort</td></tr></table>',
  source: () => '<video><source src="https://site.example/a.mp4"></video>',
  track: () => '<video src="https://site.example/a.mp4"><track src="https://site.example/a.vtt"></video>',
  img: () => '<img src="https://site.example/a.png">',
  a: () => '<a href="https://site.example/">Wort</a>',
  span: () => '<span lang="en">Wort</span>',
};
const writeElement = (name: string): string => {
  const plain = `<${name}>Wort</${name}>`;
  return AROUND[name]?.(plain) ?? plain;
};

const ofFate = (fate: string) => Object.keys(ELEMENTS).filter((name) => ELEMENTS[name]?.fate === fate);

describe('the rule of an element', () => {
  it.each(ofFate('kept'))('%s: it stays', (name) => {
    expect(sanitiseHtml(writeElement(name))).toMatch(new RegExp(`<${name}[ >]`));
  });

  it.each(ofFate('changed'))('%s: it goes, and what is in it stays', (name) => {
    const html = sanitiseHtml(`${writeElement(name)} danach`);
    expect(html).not.toMatch(new RegExp(`<${name}[ >]`));
    if (!['area', 'embed', 'frame', 'iframe', 'input', 'image', 'spacer', 'basefont'].includes(name)) {
      expect(html).toContain('Wort');
    }
    expect(html).toContain('danach');
  });

  it.each(ofFate('dropped'))('%s: it goes with what is in it', (name) => {
    const html = sanitiseHtml(`vorher ${writeElement(name)}`);
    expect(html).toContain('vorher');
    expect(html).not.toMatch(new RegExp(`<${name}[ >]`));
  });

  it.each([
    ['<ol start="3" reversed type="a"><li value="7">x</li></ol>'],
    ['<p lang="en" dir="ltr" title="t">x</p>'],
    ['<del cite="https://a.example/" datetime="2026-11-22">149 €</del><ins>129 €</ins><s>1</s>'],
    ['<details open><summary>Mehr</summary>Text</details>'],
    ['<abbr title="Baustoff">B</abbr><dfn title="x">y</dfn><kbd>Strg</kbd><samp>ok</samp><var>U</var><mark>z</mark>'],
    ['<time datetime="2026-11-22">heute</time><data value="4004675">x</data><q cite="https://a.example/">q</q>'],
    ['<p><bdi>x</bdi><bdo dir="rtl">y</bdo><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>lang<wbr />es</p>'],
    ['<table><colgroup><col span="2" /></colgroup><tfoot><tr><th scope="row" abbr="S">Summe</th></tr></tfoot></table>'],
    ['<p>U = <math display="inline"><mfrac><mn>1</mn><mi>R</mi></mfrac></math></p>'],
    ['<p hidden>nicht gezeigt</p><p translate="no">DIFFRANA</p>'],
  ])('keeps what attributes say: %s', (html) => {
    expect(sanitiseHtml(html)).toBe(html);
  });

  it.each([
    ['<span style="color:red; text-decoration: line-through">149 €</span>', '<s>149 €</s>'],
    ['<p style="display:none">x</p>', '<p hidden>x</p>'],
    ['<dialog>zu</dialog><dialog open>auf</dialog>', '<div hidden>zu</div><div>auf</div>'],
    ['<input type="checkbox" checked disabled> erledigt<input type="text">', '☑  erledigt'],
    [
      '<strike>alt</strike><tt>x</tt><acronym title="a">A</acronym>',
      '<s>alt</s><code>x</code><abbr title="a">A</abbr>',
    ],
    ['<div>Eins</div><div>Zwei</div>', '<div>Eins</div><div>Zwei</div>'],
    ['<div class="wp-block-group"><p>Eins</p></div>', '<p>Eins</p>'],
    ['<map><area href="https://a.example/" alt="Dach"></map>', '<a href="https://a.example/">Dach</a>'],
    [
      '<video autoplay onplay="x()" src="https://a.example/f.mp4">alt</video>',
      '<video src="https://a.example/f.mp4" controls preload="metadata"></video>',
    ],
    [
      '<audio><source src="https://a.example/f.mp3" type="audio/mpeg"> <a href="/f.mp3">laden</a></audio>',
      '<audio controls preload="none"><source src="https://a.example/f.mp3" type="audio/mpeg" /></audio>',
    ],
    [
      '<picture><source srcset="a.webp"><img src="https://a.example/a.png" alt="A"></picture>',
      '<img src="https://a.example/a.png" alt="A" />',
    ],
    [
      '<noscript><img src="https://a.example/a.png" alt="A"></noscript><img width="1" height="1" src="https://t.example/">',
      '<img src="https://a.example/a.png" alt="A" />',
    ],
  ])('changes %s', (html, expected) => {
    expect(sanitiseHtml(html)).toBe(expected);
  });
});

describe('places in a text', () => {
  it('are found by footnotes, by tables of contents and by the address of the text itself', () => {
    const html =
      '<p>Text<sup><a href="#fn-1" id="ref-1">1</a></sup> <a href="/post/#teil%20zwei">Teil zwei</a></p>' +
      '<h2 id="teil zwei">Zwei</h2><ol><li id="fn-1">Note <a href="https://www.site.example/post#ref-1">zurück</a></li></ol>';
    expect(sanitiseHtml(html, { base: BASE })).toBe(
      '<p>Text<sup><a href="#user-content-fn-1" id="user-content-ref-1">1</a></sup> ' +
        '<a href="#user-content-teil-zwei">Teil zwei</a></p><h2 id="user-content-teil-zwei">Zwei</h2>' +
        '<ol><li id="user-content-fn-1">Note <a href="#user-content-ref-1">zurück</a></li></ol>',
    );
  });

  it('are those that tables and descriptions name', () => {
    const html =
      '<table><tr><th id="a">A</th><th id="b">B</th></tr><tr><td headers="a b fehlt">x</td><td headers="fehlt">y</td></tr></table>' +
      '<p id="t">T</p><figure aria-labelledby="t"><p aria-describedby="fehlt">z</p></figure>';
    expect(sanitiseHtml(html)).toBe(
      '<table><tr><th id="user-content-a">A</th><th id="user-content-b">B</th></tr>' +
        '<tr><td headers="user-content-a user-content-b">x</td><td>y</td></tr></table>' +
        '<p id="user-content-t">T</p><figure aria-labelledby="user-content-t"><p>z</p></figure>',
    );
  });

  it('have one name each, and links to nowhere are none', () => {
    expect(
      sanitiseHtml('<p id="x">1</p><p id="x">2</p><a href="#x">x</a><a href="#y" download>y</a><a name="n">n</a>'),
    ).toBe('<p id="user-content-x">1</p><p>2</p><a href="#user-content-x">x</a>y<a id="user-content-n">n</a>');
    expect(sanitiseHtml('<video src="https://a.example/f.mp4"><i id="in">x</i></video><a href="#in">x</a>')).toBe(
      '<video src="https://a.example/f.mp4" controls preload="metadata"></video>x',
    );
  });
});

/** Pieces of HTML, well nested or not. */
const NAMES = [...STANDARD, ...OBSOLETE, 'x-unknown'];
const IDS = ['a', 'b', 'a b', 'user-content-a', 'ä%', '-2', 'a-2'];
const attribute = fc.oneof(
  fc.constantFrom(...IDS).map((id) => `id="${id}"`),
  fc.constantFrom(...IDS).map((id) => `href="#${id}"`),
  fc.constantFrom(...IDS).map((id) => `href="${BASE}#${encodeURIComponent(id)}"`),
  fc.constantFrom(...IDS).map((id) => `headers="${id} b" aria-labelledby='${id}'`),
  fc.constantFrom(
    'src=/f.mp4',
    'src="https://a.example/a.png"',
    'name=b',
    'class="wp-embedded-content"',
    'hidden',
    'open',
  ),
  fc.constantFrom(
    'style="display:none"',
    'style="text-decoration:line-through"',
    'lang=de',
    'dir="rtl"',
    'onclick="x"',
  ),
  fc.constantFrom('src="data:,"', 'data-src=/a.png', 'srcset="/a.png 2x"', 'role=img data-bg=/b.png', 'download'),
  fc.constantFrom(...GENERAL_ATTRIBUTES, 'value', 'start', 'width', 'type').map((name) => `${name}="1"`),
  fc.constantFrom('title="a>b', "alt='<b>'", 'cite="javascript:x"', 'data-embed="site.example"'),
);
const piece = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom(...NAMES), fc.array(attribute, { maxLength: 3 }))
      .map(([name, attributes]) => `<${[name, ...attributes].join(' ')}>`),
  },
  { weight: 4, arbitrary: fc.constantFrom(...NAMES).map((name) => `</${name}>`) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'Wort',
      ' ',
      '\n',
      '1 < 2',
      '&lt;b&gt;',
      '&amp;amp;',
      '"',
      '<!-- x -->',
      '<![CDATA[',
      '</',
      '<',
      '&nbsp;',
    ),
  },
);

describe('whatever comes in', () => {
  const html = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
  const check = (property: (text: string, output: string) => void) =>
    fc.assert(
      fc.property(html, fc.constantFrom(undefined, BASE), (text, base) => property(text, sanitiseHtml(text, { base }))),
      { seed: 15, numRuns: 400 },
    );

  it('sanitised twice is the same as once', () => {
    fc.assert(
      fc.property(html, fc.constantFrom(undefined, BASE), (text, base) => {
        const once = sanitiseHtml(text, { base });
        expect(sanitiseHtml(once, { base })).toBe(once);
      }),
      { seed: 15, numRuns: 400 },
    );
  });

  it('has no id twice, and every link within the text leads somewhere', () => {
    check((_, output) => {
      const tags = [...tokenizeHtml(output)].flatMap((found) => (found.kind === 'open' ? [found.attributes] : []));
      const ids = tags.flatMap((attributes) => attributes.get('id') ?? []);
      expect(ids).toEqual([...new Set(ids)]);
      for (const id of ids) expect(id).toMatch(/^user-content-/);
      const named = tags.flatMap((attributes) => [
        ...(attributes.get('href')?.startsWith('#') ? [attributes.get('href')?.slice(1)] : []),
        ...['headers', 'aria-labelledby', 'aria-describedby'].flatMap((list) => attributes.get(list)?.split(' ') ?? []),
      ]);
      for (const name of named) expect(ids).toContain(name);
    });
  });

  it('ends every element that it begins, in order', () => {
    check((_, output) => {
      const open: string[] = [];
      for (const found of tokenizeHtml(output)) {
        if (found.kind === 'open' && !found.source.endsWith('/>')) open.push(found.name);
        if (found.kind === 'close') expect(open.pop()).toBe(found.name);
      }
      expect(open).toEqual([]);
    });
  });
});

function cpuOf(text: string): number {
  return cpuMs(() => {
    plainText(text);
    sanitiseHtml(text);
  });
}

describe('the cost', () => {
  /** Steps of the parser can't be counted from outside, CPU can: four times the input, far from sixteen times the time. */
  it.each([
    ['open elements', (n: number) => `${'<b>'.repeat(n)}Wort${'</x>'.repeat(n)}`],
    ['tags in tags', (n: number) => '<a <b>'.repeat(n)],
    ['equal ids and links', (n: number) => '<p id=x><a href="#x">y</a>'.repeat(n)],
    ['players', (n: number) => '<video>'.repeat(n) + '<source src=/x>'.repeat(n)],
  ])('of %s grows with the input', async (_, make) => {
    const allowed = 100 + 10 * (await lowestMeasurement(() => cpuOf(make(3_000))));
    expect(await lowestMeasurement(() => cpuOf(make(12_000)), allowed)).toBeLessThan(allowed);
  });

  it('is no deeper than a browser reads', () => {
    const output = sanitiseHtml('<div lang="de">'.repeat(20_000) + 'Wort');
    expect(output.split('<div')).toHaveLength(101);
    expect(output).toContain('Wort');
  });

  it('leaves a table with ten thousand rows a table', () => {
    const rows = '<tr><td>Norm</td><td>Wert</td></tr>'.repeat(10_000);
    expect(sanitiseHtml(`<table>${rows}</table>`).split('<tr>')).toHaveLength(10_001);
  });
});

const code = (name: string): string => `\`${name}\``;

/** Returns the rows of the table of HTML elements in the documentation. */
function describeElements(): string[] {
  const rules = Object.entries(ELEMENTS);
  const kept = rules.flatMap(([name, rule]) => {
    if (rule.fate !== 'kept') return [];
    const attributes = rule.attributes.filter((attribute) => !attribute.startsWith('data-'));
    return [attributes.length === 0 ? code(name) : `${code(name)} (${attributes.join(', ')})`];
  });
  const changes = Map.groupBy(
    rules.flatMap(([name, rule]) => (rule.fate === 'changed' ? [{ name, by: rule.by }] : [])),
    ({ by }) => by,
  );
  const dropped = rules.flatMap(([name, { fate }]) => (fate === 'dropped' ? [code(name)] : []));
  return [
    `| kept | ${kept.join(', ')}; on all of them ${GENERAL_ATTRIBUTES.join(', ')}; formulas in MathML |`,
    ...[...changes].map(([by, unusable]) => `| becomes ${by} | ${unusable.map(({ name }) => code(name)).join(', ')} |`),
    `| dropped with its content | ${dropped.join(', ')} |`,
  ];
}
