import { expect, it } from 'vitest';
import { htmlToMarkdown, escapeMarkdown } from './html-to-markdown.ts';

it.each([
  ['<p>Eins</p><p>Zwei<br />drei</p>', 'Eins\n\nZwei  \ndrei'],
  [
    '<p>Raumseitig:</p><ul><li>Dach &amp; Wand</li><li><strong>Decke</strong> innen</li></ul><p>Ende</p>',
    'Raumseitig:\n\n- Dach & Wand\n- **Decke** innen\n\nEnde',
  ],
  ['<ol><li>Reinigen<ul><li>trocken</li></ul></li><li>Kleben</li></ol>', '1. Reinigen\n   - trocken\n2. Kleben'],
  ['<ul>\n  <li>A</li>\n  <li><p>B</p></li>\n</ul>', '- A\n- B'],
  ['<p>Siehe <a href="https://x.example/?a=1&amp;b=2">hier</a>.</p>', 'Siehe [hier](https://x.example/?a=1&b=2).'],
  ['<p>25 g/m<sup>2</sup>, s<sub>d</sub> <em>klein</em></p>', '25 g/m<sup>2</sup>, s<sub>d</sub> *klein*'],
  ['<p>2 * 3 &lt; 7, [x] _y_</p>', String.raw`2 \* 3 \< 7, \[x\] \_y\_`],
  [
    '<p><a href="https://x.example/a)![b](c">hier</a> &amp;lt;b&amp;gt; &constructor;</p>',
    String.raw`[hier](https://x.example/a%29![b]%28c) \&lt;b\&gt; \&constructor;`,
  ],
  ['<h2>Titel</h2><p>Text</p>', '### Titel\n\nText'],
  ['', ''],
])('%s', (html, markdown) => {
  expect(htmlToMarkdown(html)).toBe(markdown);
});

it('writes text that means nothing in Markdown', () => {
  expect(escapeMarkdown('0,25 – 25 m | ≥ 1500 m')).toBe(String.raw`0,25 – 25 m \| ≥ 1500 m`);
  expect(escapeMarkdown('- kein Punkt')).toBe(String.raw`\- kein Punkt`);
  expect(escapeMarkdown('1. Januar')).toBe(String.raw`1\. Januar`);
});
