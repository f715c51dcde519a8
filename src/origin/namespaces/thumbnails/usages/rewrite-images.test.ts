import { describe, expect, test } from 'vitest';
import { rewriteImages, type UploadedImage } from './update-usages.ts';

const at = (file: string, width: number, height: number) => ({ url: `https://a.test/uploads/${file}`, width, height });
const sizes = new Map([
  ['thumbnail', at('roof-150x150.jpg', 150, 150)],
  ['medium', at('roof-300x200.jpg', 300, 200)],
  ['large', at('roof-1024x683.jpg', 1024, 683)],
  ['full', at('roof.jpg', 1500, 1000)],
]);
const OLD: Readonly<Record<string, string>> = { 'roof-290x190.jpg': 'medium', 'roof-1000x667.jpg': 'large' };
const files = new Map([...sizes].map(([name, { url }]) => [url.slice(url.lastIndexOf('/') + 1), name]));
const picture: UploadedImage = { sizes, sizeOf: (file) => files.get(file) ?? OLD[file] };
const rewrite = (text: string) => rewriteImages(text, new Map([[7, picture]]));

const block = (src: string, more = '', measures = '') =>
  `<!-- wp:image {"id":7,"sizeSlug":"medium"${more}} -->\n<figure class="wp-block-image size-medium"><img src="${src}" alt=""${measures} class="wp-image-7"/></figure>\n<!-- /wp:image -->`;
const cover = (url: string) => `<!-- wp:cover {"url":"${url}","id":7,"alt":"a \\u002d\\u002d b \\u003c"} -->`;

describe('an image', () => {
  test('gets the address and measures of the file that its size has now', () => {
    expect(
      rewrite('<p><img class="alignleft size-medium wp-image-7" src="/old/roof-290x190.jpg" alt="a > b"></p>'),
    ).toBe(
      '<p><img width="300" height="200" class="alignleft size-medium wp-image-7" src="https://a.test/uploads/roof-300x200.jpg" alt="a > b"></p>',
    );
    expect(rewrite(`<IMG SRC=x.jpg width='1' height=2 class='wp-image-7 size-full'/>`)).toBe(
      `<IMG src="https://a.test/uploads/roof.jpg" width="1500" height="1000" class='wp-image-7 size-full'/>`,
    );
  });

  test('gets the files that a browser may choose from', () => {
    const before =
      '<img class="wp-image-7 size-large" src="/x/roof-1000x667.jpg" width="1024" height="683" ' +
      'srcset="/x/roof-1000x667.jpg 1000w, /x/roof-290x190.jpg 290w" sizes="auto, (max-width: 1000px) 100vw, 1000px">';
    expect(rewrite(before)).toBe(
      '<img class="wp-image-7 size-large" src="https://a.test/uploads/roof-1024x683.jpg" width="1024" height="683" ' +
        'srcset="https://a.test/uploads/roof-1024x683.jpg 1024w, https://a.test/uploads/roof-300x200.jpg 300w, ' +
        'https://a.test/uploads/roof.jpg 1500w" sizes="auto, (max-width: 1024px) 100vw, 1024px">',
    );
    const own = rewrite(before).replace(/sizes="[^"]*"/, 'sizes="50vw"');
    expect(rewrite(own)).toBe(own);
  });

  test('in a block has the size of the block, and its own measures only where it had some', () => {
    const now = 'https://a.test/uploads/roof-300x200.jpg';
    expect(rewrite(block('/old/roof-290x190.jpg'))).toBe(block(now));
    expect(rewrite(block('/old/roof-290x190.jpg', '', ' width="290" height="190"'))).toBe(
      block(now, '', ' width="300" height="200"'),
    );
    const resized = [',"width":"80px"', ' width="80" height="50"'] as const;
    expect(rewrite(block('/old/roof-290x190.jpg', ...resized))).toBe(block(now, ...resized));
  });

  test('and settings of blocks are changed where they name a file that is no more', () => {
    expect(rewrite(`${cover('/x/roof-1000x667.jpg?a=1')}<p>x</p><!-- /wp:cover -->`)).toBe(
      `${cover('https://a.test/uploads/roof-1024x683.jpg')}<p>x</p><!-- /wp:cover -->`,
    );
    const kept = '<!-- wp:cover {"url":"/elsewhere/other.jpg", "id":7} -->';
    expect(rewrite(kept)).toBe(kept);
  });

  test('makes a caption in the old form as wide as it is', () => {
    expect(
      rewrite(
        '[caption id="attachment_7" align="left" width="290"]<img class="size-medium wp-image-7" src="/roof-290x190.jpg" /> Text[/caption]',
      ),
    ).toContain('[caption id="attachment_7" align="left" width="300"]<img width="300" height="200"');
    const other =
      '[caption id="attachment_8" width="290"]<img class="size-medium wp-image-7 " width="300" height="200" src="roof-300x200.jpg">[/caption]';
    expect(rewrite(other)).toBe(other);
  });
});

test.each([
  '<img class="wp-image-70 size-medium" src="/x/roof-290x190.jpg">',
  '<img class="wp-image-7 size-medium" width="300" height="200" src="http://cdn.test/roof-300x200.jpg?w=3">',
  '<p>class="wp-image-7 size-medium"</p><!-- wp:image {"id":7 -->',
  '<img alt=\'class="wp-image-7 size-large" src="x"\' src="/x/roof-290x190.jpg">',
  '<img class="wp-image-7 size-medium" src="a',
])('other text stays as it is: %s', (text) => {
  expect(rewrite(text)).toBe(text);
});
