import { describe, expect, it } from 'vitest';
import { convertShortcodes, containsShortcode } from './import-articles.ts';

const GALLERY =
  `<style>#gallery-3 img { border: 0 }</style><div id='gallery-3' class='gallery gallery-columns-3'><figure class='gallery-item'>` +
  `<a href="https://blog.test/roof/"><img src="https://blog.test/uploads/roof-150x150.jpg" alt="A roof" srcset="x 150w" loading="lazy" onerror="run()"/></a>` +
  `</figure></div>`;
const AUDIO =
  `<audio class="wp-audio-shortcode" id="audio-9-1" preload="none" controls="controls">` +
  `<source type="audio/mpeg" src="https://blog.test/uploads/tone.mp3?_=1" /><a href="https://blog.test/uploads/tone.mp3">Tone</a></audio>`;

describe('shortcodes of another site', () => {
  it('become the rendered HTML without values that differ per response', () => {
    const raw = 'Before\n\n[gallery ids="1,2"]\n\n[audio src="https://blog.test/uploads/tone.mp3"]\n\nAfter & more';
    const rendered = `<p>Before</p>\n${GALLERY}\n${AUDIO}\n<p>After &#038; more</p>\n`;
    const text = convertShortcodes({ raw, rendered });
    expect(text).toMatchObject({ converted: ['gallery', 'audio'], unknown: [], inert: [] });
    expect(text.raw).toMatch(/^<!-- wp:html -->\n<p>Before<\/p>[^]*<p>After &amp; more<\/p>\n<!-- \/wp:html -->$/);
    expect(text.raw).toContain('<img src="https://blog.test/uploads/roof-150x150.jpg" alt="A roof" />');
    expect(text.raw).toContain('src="https://blog.test/uploads/tone.mp3"');
    expect(text.raw).not.toMatch(/gallery-3|audio-9|srcset|loading|<style|onerror/);
  });

  it('keep the text and the image that they enclose', () => {
    const raw =
      '[caption id="attachment_5"]<img src="https://blog.test/uploads/a.jpg" class="wp-image-5"/> Up there[/caption]';
    const rendered =
      '<figure id="attachment_5" aria-describedby="caption-attachment-5" class="wp-caption">' +
      '<img src="https://blog.test/uploads/a.jpg" class="wp-image-5"/>' +
      '<figcaption id="caption-attachment-5">Up there</figcaption></figure>';
    const { raw: converted } = convertShortcodes({ raw, rendered });
    for (const part of [
      'wp-image-5',
      'id="attachment_5"',
      'aria-describedby="caption-attachment-5"',
      'Up there</figcaption>',
    ])
      expect(converted).toContain(part);
  });

  it.each([
    ['brackets in a sentence', 'As we said [sic], see [1] and [note].'],
    ['a shortcode that is written about', 'Write [[gallery ids="1"]] for a gallery.'],
    ['lists in block comments', '<!-- wp:gallery {"ids":[1,2]} --><p>x</p><!-- /wp:gallery -->'],
  ])('are not seen in %s', (_, raw) => {
    expect(containsShortcode(raw)).toBe(false);
    const rendered = `<p>${raw.replace('[[', '[').replace(']]', ']')}</p>`;
    expect(convertShortcodes({ raw, rendered })).toEqual({ raw, converted: [], unknown: [], inert: [] });
  });

  it('stay and are reported if the site shows them as text', () => {
    const raw = 'See [old-slider id="4"]';
    const rendered = '<p>See [old-slider id=&#8221;4&#8243;]</p>';
    expect(convertShortcodes({ raw, rendered })).toEqual({ raw, converted: [], unknown: ['old-slider'], inert: [] });
    expect(convertShortcodes({ raw, rendered: '' })).toMatchObject({ raw, unknown: ['old-slider'] });
  });

  it('are reported if they need a script, a form or a frame', () => {
    const raw = '[contact-form id="7"] and [map zoom="3"]';
    const rendered =
      '<form action="/send"><input name="a"></form><script>draw()</script><iframe src="https://maps.test/"></iframe>';
    const text = convertShortcodes({ raw, rendered });
    expect(text).toMatchObject({ converted: ['contact-form', 'map'], inert: ['form', 'iframe', 'script'] });
    expect(text.raw).not.toContain('draw()');
  });
});
