import { POST, type PostRecord } from '#contracts/synced/index.ts';
import { createPost } from '#loaders/testing/index.ts';
import type { MadeArticles } from './make-episodes.ts';

const PARAGRAPHS = 12;

/** Posts, one each day, of some 3,000 characters. @param change Changes single records; they count from 1. */
export function makePosts(count: number, change: (record: PostRecord, number: number) => PostRecord): MadeArticles {
  const posts = Array.from({ length: count }, (_, i) => {
    const number = i + 1;
    const published = new Date(Date.UTC(2022, 0, number)).toISOString();
    const paragraph = `<p>Roof ${number}: the membrane was laid in one day, and every seam was taped before the evening, so that the rain of the night stayed outside. What the crew did in which order is told here, with all that could have gone wrong.</p>`;
    const [title, html] = [`Roof ${number}`, paragraph.repeat(PARAGRAPHS)];
    const post = { id: number, slug: `post-${number}`, title, html, excerpt: `${title}, in one day.` };
    return change(createPost({ ...post, published, modified: published }), number);
  });
  return { records: [[POST.kind, posts.map((record) => [String(record.id), record])]], assets: [] };
}
