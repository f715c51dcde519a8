import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../e2e/launch-browser.ts';
import { findImages } from './find-images.ts';
import { plainText } from './plain-text.ts';
import { sanitiseHtml } from './sanitise-html.ts';

const ATTRIBUTES: Record<string, readonly string[]> = {
  a: ['href'],
  img: ['src', 'alt', 'width', 'height'],
  th: ['scope', 'colspan', 'rowspan'],
  td: ['colspan', 'rowspan'],
};
const TAGS = new Set(
  'p ul ol li strong em b i br sub sup a h2 h3 h4 h5 h6 blockquote cite code pre table thead tbody tr th td caption figure figcaption img hr dl dt dd abbr'.split(
    ' ',
  ),
);

const HOSTILE = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img src="x" onerror="alert(1)" onload=alert(2)>',
  '<img/src=`x`onerror=alert(1)>',
  '<img src="javascript:alert(1)">',
  '<img src="data:image/svg+xml;base64,PHN2Zz4=">',
  '<img src="data:text/html,<script>alert(1)</script>">',
  '<img srcset="javascript:alert(1) 1x" src="https://a.example/b.png">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href=" javascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A&#x61&#x6C&#x65&#x72&#x74(1)">x</a>',
  '<a href="\u0001javascript:alert(1)">x</a>',
  '<a href="javascript&colon;alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>',
  '<a href="file:///etc/passwd">x</a>',
  '<a href="blob:https://a.example/1">x</a>',
  '<a href="//evil.example/">x</a>',
  '<a href="\\\\evil.example/">x</a>',
  '<a href="https://ok.example" target=_blank onclick=alert(1) style="position:fixed">x</a>',
  '<a href="https://ok.example" id=x class=y name=z>x</a>',
  '<a xlink:href="javascript:alert(1)">x</a>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><foreignObject><iframe src="javascript:alert(1)"></iframe></foreignObject></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<math href="javascript:alert(1)">x</math>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)">',
  '<applet code=x></applet>',
  '<form action="javascript:alert(1)"><input type=submit></form>',
  '<button formaction="javascript:alert(1)">x</button>',
  '<input autofocus onfocus=alert(1)>',
  '<select onchange=alert(1)><option>x</option></select>',
  '<textarea autofocus onfocus=alert(1)>x</textarea>',
  '<video src=x onerror=alert(1)></video>',
  '<video><source onerror="alert(1)"></video>',
  '<audio src=x onerror=alert(1)></audio>',
  '<body onload=alert(1)>',
  '<base href="https://evil.example/">',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<style>@import "https://evil.example/x.css";</style>',
  '<style>*{background:url(javascript:alert(1))}</style>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<div style="width: expression(alert(1))">x</div>',
  '<table background="javascript:alert(1)"><tr><td background="javascript:alert(1)">x</td></tr></table>',
  '<td colspan="1" onmouseover=alert(1)>x</td>',
  '<details open ontoggle=alert(1)>x</details>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<template><script>alert(1)</script></template>',
  '<xmp><script>alert(1)</script></xmp>',
  '<plaintext><script>alert(1)</script>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!--[if IE]><script>alert(1)</script><![endif]-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?php echo 1 ?><script>alert(1)</script>',
  '<<script>alert(1);//<</script>',
  '<p title="--><img src=x onerror=alert(1)>">x</p>',
  '<b <script>alert(1)</script>>x</b>',
  '<a href="https://ok.example/" href="javascript:alert(1)">x</a>',
  '<h1 onclick=alert(1)>x</h1>',
  '<isindex action=javascript:alert(1) type=image>',
  '<frameset onload=alert(1)></frameset>',
  '<custom-element onclick=alert(1)>x</custom-element>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '<img src="https://a.example/x.png" width="1;x" height="expression(1)" alt=\'"><script>alert(1)</script>\'>',
];

interface FoundElement {
  name: string;
  attributes: Record<string, string>;
}

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  page = await browser.newPage();
});
afterAll(() => browser.close());

/** Puts HTML into a page of a real browser: what it makes of it, and whether anything ran. */
function render(html: string): Promise<{ elements: FoundElement[]; ran: boolean }> {
  return page.evaluate(async (text) => {
    let ran = false;
    window.alert = () => {
      ran = true;
    };
    document.body.innerHTML = text;
    await new Promise((resolve) => setTimeout(resolve, 5));
    const elements = [...document.body.querySelectorAll('*')].map((element) => ({
      name: element.localName,
      attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
    }));
    return { elements, ran };
  }, html);
}

describe.each([
  ['without a base', {}],
  ['with a base', { base: 'https://site.example/post/' }],
])('hostile HTML, %s', (_, options) => {
  it(`comes out of ${HOSTILE.length} attempts with nothing but what is allowed`, async () => {
    for (const payload of [...HOSTILE, ...HOSTILE.map((text) => `<ul><li>${text}`), HOSTILE.join('')]) {
      const output = sanitiseHtml(payload, options);
      const { elements, ran } = await render(output);
      expect(ran, payload).toBe(false);
      for (const element of elements) expectAllowed(element, payload);
      expect(output, payload).not.toMatch(/<(script|style|svg|iframe|!)/i);
    }
  });

  it('would run if it were let through', async () => {
    expect(await render('<img src="data:," onerror=alert(1)>')).toMatchObject({ ran: true });
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

it('plainText gives what a person reads', () => {
  expect(plainText('Luft &#8211; <b>dicht</b> &amp; &lt;b&gt;\n [&hellip;]<script>x</script>')).toBe(
    'Luft – dicht & <b> […]',
  );
});

it('findImages finds each image once', () => {
  const html = '<p><img src="https://a.example/1.png"><img src="https://a.example/1.png"><img src="x.png"></p>';
  expect(findImages(html)).toEqual(['https://a.example/1.png']);
});
