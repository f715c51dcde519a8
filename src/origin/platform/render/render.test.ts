import { describe, expect, test } from 'vitest';
import { autoparagraph, renderContent, renderExcerpt } from './worker/text-jobs.ts';
import { texturise } from './texturise.ts';

describe('texturise', () => {
  test.each([
    [`Tom & Jerry "quoted" -- it's here...`, 'Tom &#038; Jerry &#8220;quoted&#8221; &#8212; it&#8217;s here&#8230;'],
    ['Fish &amp; chips', 'Fish &amp; chips'],
    ['<a title="a -- b">"x"</a>', '<a title="a -- b">&#8220;x&#8221;</a>'],
    ['<code>"raw"</code> "set"', '<code>"raw"</code> &#8220;set&#8221;'],
    ['a---b, 1990--2000', 'a&#8212;b, 1990&#8211;2000'],
    [`the '90s, 'tis, rock 'n' roll`, 'the &#8217;90s, &#8217;tis, rock &#8216;n&#8217; roll'],
    [`6'2" and "in 1999"`, '6&#8242;2&#8243; and &#8220;in 1999&#8221;'],
    ['("no")', '(&#8220;no&#8221;)'],
    ['600x900', '600&#215;900'],
    ['[tag a="b"]', '[tag a="b"]'],
  ])('%s', (text, expected) => {
    expect(texturise(text)).toBe(expected);
  });
});

describe('autoparagraph', () => {
  test.each([
    ['A: hello\nB: hi\n\nA: bye', '<p>A: hello<br />\nB: hi</p>\n<p>A: bye</p>\n'],
    ['a\r\n\r\nb', '<p>a</p>\n<p>b</p>\n'],
    ['text\n<ul>\n<li>a</li>\n</ul>\nmore', '<p>text</p>\n<ul>\n<li>a</li>\n</ul>\n<p>more</p>\n'],
    ['<pre>a\n\nb</pre>', '<pre>a\n\nb</pre>\n'],
    ['<p>a <script>x\n\ny</script></p>', '<p>a <script>x\n\ny</script></p>\n'],
    ['<blockquote>said</blockquote>', '<blockquote><p>said</p></blockquote>\n'],
    ['one<br />\ntwo', '<p>one<br />\ntwo</p>\n'],
    [' \n ', ''],
  ])('%j', (text, expected) => {
    expect(autoparagraph(text)).toBe(expected);
  });
});

const paragraph = (text: string) => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->`;

describe('renderContent', () => {
  test.each([
    [
      'blocks keep the line breaks between them',
      `${paragraph('A')}\n\n${paragraph('B')}`,
      '\n<p class="wp-block-paragraph">A</p>\n\n\n\n<p class="wp-block-paragraph">B</p>\n',
    ],
    [
      'a block inside a block',
      `<!-- wp:quote -->\n<blockquote class="wp-block-quote">${paragraph('Q')}</blockquote>\n<!-- /wp:quote -->`,
      '\n<blockquote class="wp-block-quote is-layout-flow wp-block-quote-is-layout-flow">\n<p class="wp-block-paragraph">Q</p>\n</blockquote>\n',
    ],
    ['a block without markup', '<!-- wp:archives {"a":{"b":1}} /-->', ''],
    ['the fold stays', 'a\n\n<!--more-->\n\nb', '<p>a</p>\n<p><!--more--></p>\n<p>b</p>\n'],
    [
      'images',
      '<img src="a.png"><img width="1" height="2" src="b.png" />',
      '<p><img decoding="async" src="a.png"><img loading="lazy" decoding="async" width="1" height="2" src="b.png" /></p>\n',
    ],
  ])('%s', (_, stored, expected) => {
    expect(renderContent(stored)).toBe(expected);
  });
});

const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i + 1}`).join(' ');

describe('renderExcerpt', () => {
  test.each([
    ['a stored one, whatever the length', 'Short & sweet', 'content', 1, '<p>Short &#038; sweet</p>\n'],
    ['up to 55 words are kept whole', '', words(55), undefined, `<p>${words(55)}</p>\n`],
    ['more are cut', '', words(56), undefined, `<p>${words(55)} [&hellip;]</p>\n`],
    ['a wanted length', '', words(9), 2, '<p>w1 w2 [&hellip;]</p>\n'],
    ['no words', '', words(9), -3, '<p> [&hellip;]</p>\n'],
    ['only above the fold', '', 'above\n\n<!--more Read on-->\n\nbelow', undefined, '<p>above</p>\n'],
    ['markup and scripts gone', '', '<p>a <b>b</b><script>c()</script></p>', undefined, '<p>a b</p>\n'],
    ['shortcodes gone, unknown ones kept', '', '[gallery ids="1"] and [x]', undefined, '<p>and [x]</p>\n'],
    [
      'blocks that are no text gone',
      '',
      `<!-- wp:image --><figure>pic</figure><!-- /wp:image -->${paragraph('text')}`,
      undefined,
      '<p>text</p>\n',
    ],
    [
      'lists of items gone, quotes of paragraphs kept, inside columns too',
      '',
      `<!-- wp:list --><ul><!-- wp:list-item --><li>item</li><!-- /wp:list-item --></ul><!-- /wp:list -->` +
        `<!-- wp:columns --><div><!-- wp:column --><div><!-- wp:quote --><blockquote>${paragraph('said')}</blockquote>` +
        `<!-- /wp:quote --></div><!-- /wp:column --></div><!-- /wp:columns -->`,
      undefined,
      '<p>said</p>\n',
    ],
    ['nothing', '', '', undefined, ''],
  ])('%s', (_, stored, content, length, expected) => {
    expect(renderExcerpt(stored, content, length)).toBe(expected);
  });
});

test('placeholder characters in a text are removed', () => {
  const kept = `<pre>${'x'.repeat(100)}</pre>`;
  const text = `${kept}${'\uFDD00\uFDD1\uE0000\uE001'.repeat(50)}`;
  expect(renderContent(text).length).toBeLessThan(text.length + 100);
  const address = 'https://a.test/';
  const many = `${address}\n`.repeat(1000);
  const embedded = renderContent(many, new Map([[address, '<b>embedded</b>']]));
  expect(embedded.split('<b>embedded</b>').length - 1).toBe(50);
});

test('blocks may be nested deeper than the call stack', () => {
  const deep = 20_000;
  const text = `${'<!-- wp:group -->'.repeat(deep)}${paragraph('in it')}${'<!-- /wp:group -->'.repeat(deep)}`;
  expect(renderExcerpt('', text)).toBe('<p>in it</p>\n');
});
