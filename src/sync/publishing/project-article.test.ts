import { expect, it } from 'vitest';
import { listPosts } from '#contracts/core/routes.ts';
import { POST, type PostRecord } from '#contracts/synced/index.ts';
import { createPost } from '../testing/test-upstream.ts';
import { projectRow } from './stage-rows.ts';

function project(content: string, excerpt: string): PostRecord {
  const texts = { content: { rendered: content, protected: false }, excerpt: { rendered: excerpt, protected: false } };
  const [row] = listPosts.response.parse([createPost({ link: 'https://www.site.example/a/', ...texts })]);
  return projectRow({ site: { timeZone: 'UTC' } }, POST, row) as PostRecord;
}

const TEXT = '<h2>Kopf</h2><p>Ein Satz.</p><table><tr><td>a</td><td>b</td></tr></table><p>Und mehr.</p>';

it.each([
  ['cut, with words of it that run together', 'KopfEin Satz.ab [&hellip;]'],
  ['cut, as other servers mark it', 'Kopf Ein Satz. a…'],
  ['cut, where some blocks are left out', 'Ein Satz. Und [...]'],
  ['all of a short text', 'KopfEin Satz. abUnd mehr.'],
])('an excerpt that the site takes from the text is none: %s', (_, excerpt) => {
  expect(project(TEXT, `<p>${excerpt}</p>`).excerpt).toBe('');
});

it.each([
  ['another text', 'Worum es geht.'],
  ['one that ends with an ellipsis', 'Warum das hält …'],
  ['the first sentence', 'Kopf Ein Satz.'],
])('an excerpt that an editor wrote stays as it is: %s', (_, excerpt) => {
  expect(project(TEXT, `<p>${excerpt}</p>`).excerpt).toBe(excerpt);
});

it('names cards of quoted articles of the site by their address, those of others as they are named', () => {
  const cards = ['site.example', 'other.example'].map(
    (host) =>
      `<blockquote class="wp-embedded-content"><p><a href="https://${host}/b/">Title</a></p></blockquote>` +
      `<p><iframe class="wp-embedded-content" src="https://${host}/b/embed/"></iframe></p>`,
  );
  const { html } = project(cards.join(''), '');
  expect(html).toMatch(/>https:\/\/site\.example\/b\/<\/a>.*>Title<\/a>/s);
});
