import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillPath } from '#contracts/index.ts';
import { role, type Role } from '#contracts/core/user-routes.ts';
import { canEdit, canRead, isEditableBy, isReadableBy } from '#origin/platform/content/content-rights.ts';
import { loadAncestors } from '#origin/platform/content/content-url.ts';
import { comment, content, user } from '#origin/platform/store/schema.ts';
import { ANONYMOUS, createCaller } from '#origin/platform/http/callers/caller.ts';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';
import { createPublishingRoutes } from './publishing-interface.ts';

const ROLES: readonly (Role | undefined)[] = [undefined, ...role.options];
const STATUSES = ['publish', 'private', 'draft', 'pending', 'future', 'trash', 'auto-draft'];

const isRevision = ({ type }: { type: string }) => type === 'revision';

interface ListRoute {
  path: string;
  /** Enumerated values of its parameters. */
  choices: Readonly<Record<string, readonly string[]>>;
  canSearch: boolean;
}

let site: TestSite;
let lists: ListRoute[];
const ids: Record<string, number> = {};

beforeAll(async () => {
  site = await openTestSite();
  await fill();
  lists = await findLists();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

/** Everything that only some callers may see. */
async function fill(): Promise<void> {
  const add = async (name: string, row: Parameters<TestSite['addContent']>[0]) => {
    ids[name] = await site.addContent({ title: name, slug: name, content: `text of ${name}`, ...row });
    return ids[name];
  };
  const { author, contributor, editor } = site.users;
  for (const type of ['post', 'page', 'wp_navigation'] as const) {
    for (const status of STATUSES) {
      for (const [who, authorId] of Object.entries({ author, contributor, editor })) {
        const statusBeforeTrash = status === 'trash' ? (who === 'author' ? 'draft' : 'publish') : '';
        await add(`${type}-${status}-${who}`, { type, status, authorId, statusBeforeTrash });
      }
    }
    await add(`${type}-guarded`, { type, password: 'open sesame', sticky: type === 'post' });
  }
  for (const name of ['post-publish-author', 'page-publish-editor', 'wp_navigation-draft-editor'])
    for (const count of [1, 2, 3, 4, 5])
      await add(`revision-${count}-of-${name}`, { type: 'revision', status: 'inherit', parentId: idOf(name) });
  const above = [
    'post-publish-editor',
    'post-draft-author',
    'post-private-editor',
    'page-pending-editor',
    'post-guarded',
  ];
  for (const name of above) {
    const own = { type: 'attachment', status: 'inherit', parentId: idOf(name), mimeType: 'image/png' } as const;
    await add(`medium-of-${name}`, { ...own, file: `2026/01/${name}.png`, authorId: author });
    await add(`medium-below-medium-of-${name}`, { ...own, parentId: idOf(`medium-of-${name}`) });
  }
  await add('medium-alone', { type: 'attachment', status: 'inherit' });
  await add('medium-of-nothing', { type: 'attachment', status: 'inherit', parentId: 99_999 });
  await add('medium-private', { type: 'attachment', status: 'private', authorId: author });
  await site.addTerm({ name: 'Roofs' });
  for (const contentId of [...above, 'medium-private', 'post-trash-editor'].map(idOf)) {
    for (const [status, authorId] of [
      ['approved', 0],
      ['approved', author],
      ['hold', site.users.subscriber],
      ['spam', 0],
    ] as const) {
      const date = '2026-01-06 10:00:00';
      const about = { contentId, authorId, status, authorName: 'Reader', text: 'said', date, dateGmt: date };
      await site.context.store.db.insert(comment).values({ ...about, authorEmail: `${contentId}@readers.test` });
    }
  }
}

function idOf(name: string): number {
  const id = ids[name];
  if (id === undefined) throw new Error(`There is no row called ${name}.`);
  return id;
}

/** Every paged route. New ones are found by their parameter `page`. */
async function findLists(): Promise<ListRoute[]> {
  const declared = createPublishingRoutes(site.context)
    .paths.flatMap(({ routes }) => routes.map(({ declaration }) => declaration))
    .filter(({ method, query }) => method === 'GET' && query && 'page' in query.shape);
  return Promise.all(
    declared.map(async ({ path }) => {
      const filled = `/${fillPath(path, captures(path))}`;
      const { body } = await site.fetch(filled, { method: 'OPTIONS' });
      const args = Object.entries(
        (body as { endpoints: { args: Record<string, Argument> }[] }).endpoints[0]?.args ?? {},
      );
      const choices = args.flatMap(([name, { enum: values, items }]) => {
        const known = values ?? items?.enum;
        return known === undefined ? [] : [[name, known] as const];
      });
      return {
        path: filled,
        choices: Object.fromEntries(choices),
        canSearch: args.some(([name]) => name === 'search'),
      };
    }),
  );
}

interface Argument {
  enum?: string[];
  items?: { enum?: string[] };
}

function captures(path: string): Record<string, string | number> {
  const parent = path.includes('/pages/') ? 'page-publish-editor' : 'post-publish-author';
  const above = path.includes('/navigation/') ? 'wp_navigation-draft-editor' : parent;
  return { parent: idOf(above), id: idOf(above), collection: 'basics' };
}

interface Seen {
  status: number;
  total: number;
  rows: string[];
}

/** Reads all pages of a list. */
async function walk(path: string, query: Record<string, string>, as: Role | undefined): Promise<Seen> {
  const rows: string[] = [];
  for (let page = 1; ; page += 1) {
    const address = `${path}?${new URLSearchParams({ per_page: '20', _fields: 'id,type,name,slug', ...query, page: String(page) }).toString()}`;
    const { status, headers, body } = await site.fetch(address, as ? { as } : {});
    if (status !== 200) return { status, total: 0, rows };
    const shown = body as { id?: number; type?: string; name?: string; slug?: string }[];
    rows.push(...shown.map(({ id, type = '', name, slug }) => `${type} ${id ?? name ?? slug ?? ''}`));
    const pages = Number(headers.get('x-wp-totalpages') ?? 1);
    expect(/rel="next"/.test(headers.get('link') ?? ''), `${address} links to a page after it`).toBe(page < pages);
    const total = Number(headers.get('x-wp-total') ?? rows.length);
    if (page >= pages) return { status, total, rows };
  }
}

test('the lists are found by their declarations', () => {
  const paths = lists.map(({ path }) => path.replaceAll(/\d+/g, 'n'));
  expect(paths).toEqual(expect.arrayContaining(['/core/vn/posts', '/core/vn/comments', '/core/vn/posts/n/revisions']));
  expect(lists.length).toBeGreaterThan(15);
});

describe.each(ROLES)('for %s', (as) => {
  test('the total of each list is the number of rows that its pages show', async () => {
    let compared = 0;
    for (const { path, choices } of lists) {
      const { context = [], status = [], type = [], orderby_hierarchy: tree = [] } = choices;
      const variants = [
        {},
        ...context.map((value) => ({ context: value })),
        ...status.map((value) => ({ status: value })),
        ...type.map((value) => ({ type: value })),
        ...tree.map((value) => ({ orderby_hierarchy: value })),
        ...(status.length > 0
          ? [
              { context: 'edit', status: 'any' },
              { context: 'edit', status: 'publish,draft' },
            ]
          : []),
      ];
      for (const query of variants) {
        const seen = await walk(path, query, as);
        if (seen.status !== 200) continue;
        compared += 1;
        expect(seen.total, `${path} ${JSON.stringify(query)}`).toBe(seen.rows.length);
        expect(new Set(seen.rows).size, `${path} ${JSON.stringify(query)}`).toBe(seen.rows.length);
      }
    }
    expect(compared).toBeGreaterThan(20);
  });

  test('the condition of lists is the rule of single rows', async () => {
    const { db } = site.context.store;
    const [asked] = as ? await db.select().from(user).where(eq(user.id, site.users[as])) : [];
    const all = await db.select().from(content);
    const ancestors = await loadAncestors(db, all);
    const parentOf = ({ parentId }: { parentId: number }) => ancestors.get(parentId);
    // Another user of the same role owns other rows.
    const people = asked ? [asked, { ...asked, id: site.users.author }, asked] : [];
    for (const caller of [ANONYMOUS, ...people.map((person) => createCaller(person, site.context))]) {
      const expected = {
        reader: all.filter((row) => !isRevision(row) && canRead(row, caller, parentOf)),
        editor: all.filter((row) => !isRevision(row) && canEdit(row, caller, parentOf)),
      };
      for (const viewAs of ['reader', 'editor'] as const) {
        const found = await db
          .select()
          .from(content)
          .where(viewAs === 'editor' ? isEditableBy(caller) : isReadableBy(caller))
          .orderBy(content.id);
        const names = (rows: typeof found) => rows.filter((row) => !isRevision(row)).map(({ title }) => title);
        expect(names(found)).toEqual(names(expected[viewAs].toSorted((a, b) => a.id - b.id)));
        const states = found.filter(isRevision).map(({ parentId }) => parentId);
        const editable = all.filter((row) => canEdit(row, caller)).map(({ id }) => id);
        expect(new Set(states)).toEqual(new Set(states.filter((id) => editable.includes(id))));
      }
    }
  });
});

const HIDDEN_ROWS = [
  'post-private-editor',
  'post-draft-editor',
  'post-trash-editor',
  'page-private-editor',
  'page-pending-editor',
  'wp_navigation-draft-editor',
  'medium-of-post-private-editor',
  'medium-below-medium-of-page-pending-editor',
  'revision-1-of-page-publish-editor',
];
/** Puts a word into everything that visitors, subscribers, contributors and other authors must not read. */
async function hide(word: string): Promise<void> {
  const { db } = site.context.store;
  const words = `some ${word} here`;
  const set = (name: string, values: object) =>
    db
      .update(content)
      .set(values)
      .where(eq(content.id, idOf(name)));
  const say = (about: string, values: object) =>
    db
      .update(comment)
      .set(values)
      .where(eq(comment.contentId, idOf(about)));
  for (const name of HIDDEN_ROWS) await set(name, { title: words, content: words, excerpt: words, file: words });
  for (const name of ['post-guarded', 'page-guarded', 'wp_navigation-guarded'])
    await set(name, { content: words, excerpt: words });
  await say('post-private-editor', { text: words, authorName: words });
  await say('post-guarded', { text: words, authorName: words });
  await say('post-publish-editor', { authorEmail: `${word}@readers.test`, authorUrl: `https://${word}.test` });
  await db.update(comment).set({ text: words, authorName: words }).where(eq(comment.status, 'spam'));
  const named = { email: `${word}@users.test`, firstName: word, lastName: word, nickname: word };
  await db.update(user).set(named).where(eq(user.id, site.users.editor));
}

/** Reads all lists as a caller, once searching for a word and once in each order. */
async function showAll(word: string, as: Role | undefined, order: number): Promise<string[]> {
  const shown: string[] = [];
  for (const { path, canSearch, choices } of lists) {
    const orders = choices['orderby'] ?? [];
    const status = choices['status']?.includes('any') && as === 'author' ? { status: 'any' } : {};
    const orderby = orders[order % Math.max(orders.length, 1)];
    const queries = [
      ...(canSearch ? [{ search: word }] : []),
      ...(canSearch && orders.includes('relevance') ? [{ search: `text ${word} of`, orderby: 'relevance' }] : []),
      ...(orderby === undefined ? [] : [{ orderby }]),
    ];
    for (const query of queries) {
      const asked = { per_page: '100', ...status, ...query };
      const seen = await walk(path, asked, as);
      shown.push(`${path} ${JSON.stringify(query)} ${JSON.stringify(seen)}`);
    }
  }
  return shown;
}

const READERS = [undefined, 'subscriber', 'contributor', 'author'] as const;

test.each(READERS.map((as, position) => [as, position] as const))(
  'a word in what %s may not read changes neither what they find, nor totals, nor orders',
  async (as, position) => {
    const words = fc.tuple(fc.stringMatching(/^q[b-z]{5,9}$/), fc.nat(20));
    for (const [word, order] of fc.sample(words, { seed: 20_261_122 + position, numRuns: 1 })) {
      await hide([...word].toReversed().join(''));
      const before = await showAll(word, as, order);
      await hide(word);
      expect(await showAll(word, as, order), word).toEqual(before);
    }
  },
  OPEN_TIMEOUT_MS,
);

test('permitted callers find it', async () => {
  const title = 'a title with qwertzuiop in it';
  await site.context.store.db
    .update(content)
    .set({ content: title })
    .where(eq(content.id, idOf('post-guarded')));
  expect(await walk('/core/v2/posts', { search: 'qwertzuiop' }, 'editor')).toMatchObject({ total: 1 });
  expect(await walk('/core/v2/search', { search: 'qwertzuiop' }, 'administrator')).toMatchObject({ total: 1 });
  expect(await walk('/core/v2/posts', { search: 'qwertzuiop' }, 'author')).toMatchObject({ total: 0 });
  await site.context.store.db
    .update(content)
    .set({ title })
    .where(eq(content.id, idOf('post-private-editor')));
  expect(await walk('/core/v2/posts', { search: 'qwertzuiop', status: 'private' }, 'editor')).toMatchObject({
    total: 1,
  });
});
