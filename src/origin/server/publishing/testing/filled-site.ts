import { comment } from '#origin/platform/store/schema.ts';
import { openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';
import type { TestContextOverrides } from '#origin/testing/test-context.ts';

export interface FilledSite extends TestSite {
  /** ID of one row of each kind. */
  ids: Readonly<Record<string, number>>;
  /** Fills the captures of a declared path with rows of this site. */
  fill(path: string): string;
}

/** Opens a site with rows of each kind: posts of several authors with media, terms and comments, and pages. */
export async function openFilledSite(overrides: TestContextOverrides = {}): Promise<FilledSite> {
  const site = await openTestSite(overrides);
  const ids: Record<string, number> = {};
  const terms = [await site.addTerm({ name: 'News' }), await site.addTerm({ name: 'Roofs', taxonomy: 'post_tag' })];
  const { users } = site;
  const authors = [users.editor, users.author, users.administrator];
  const page = await site.addContent({ type: 'page' });
  Object.assign(ids, {
    category: terms[0],
    tag: terms[1],
    page: await site.addContent({ type: 'page', parentId: page }),
  });
  for (const author of [...authors, ...authors, ...authors, users.editor]) {
    const text = { content: '<p>Text</p>', authorId: author };
    const post = await site.addContent(text, terms);
    const picture = { type: 'attachment', status: 'inherit', mimeType: 'image/png', file: 'a.png', parentId: post };
    const media = await site.addContent(picture);
    Object.assign(ids, { media, post: await site.addContent({ ...text, featuredMedia: media }, terms) });
    const date = '2026-01-01 00:00:00';
    const commentValues = {
      contentId: ids['post'] ?? 0,
      status: 'approved',
      text: 'Yes',
      authorName: 'A',
      date,
      dateGmt: date,
    } as const;
    const [added] = await site.context.store.db.insert(comment).values(commentValues).returning({ id: comment.id });
    Object.assign(ids, { comment: added?.id });
  }
  return { ...site, ids, fill: (path) => fill(path, ids, users.editor) };
}

function fill(path: string, ids: Readonly<Record<string, number>>, user: number): string {
  const [kind = 'post'] = ['page', 'media', 'comment', 'categories', 'tag', 'user'].filter((name) =>
    path.includes(name),
  );
  const id = { ...ids, categories: ids['category'], user }[kind];
  const values: Readonly<Record<string, unknown>> = {
    id,
    parent: id,
    user_id: user,
    asset_id: 1,
    type: 'post',
    taxonomy: 'category',
    status: 'publish',
    stylesheet: 'sortiment',
  };
  return `/${path.replaceAll(/<(\w+)>/g, (_, name: string) => String(values[name] ?? name))}`;
}
