import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_CONTENT_LENGTH } from '#contracts/core/field.ts';
import { openStore } from '#origin/platform/store/open-store.ts';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';
import { collectGarbage } from '#files/worker-thread.ts';

const MB = 1024 * 1024;
const AT_ONCE = 6;
const ROWS = 100;
/** Memory limit for all requests together. The texts of a single list exceed it. */
const MAX_GROWN_MB = 600;

let site: TestSite;
/** ID of the page that has revisions. */
let pageId = 0;

/** Adds rows with the longest allowed texts. */
async function addLongRows(type: string, text: string, row: { status: string; parentId?: number }): Promise<void> {
  const { status, parentId = 0 } = row;
  const count = Math.floor(MAX_CONTENT_LENGTH / text.length);
  await site.context.store.db.execute(sql`
    insert into content (type, status, slug, title, content, parent_id, author_id, date, date_gmt, modified, modified_gmt)
    select ${type}, ${status}, ${`${type}-${status}-`} || n, 'Long', repeat(${text}, ${count}::int), ${parentId}::int, 1,
      now(), now(), now(), now() from generate_series(1, ${ROWS}::int) n`);
}

beforeAll(async () => {
  site = await openTestSite({ store: await openStore({ dataFolder: temporaryFolder() }) });
  pageId = await site.addContent({ type: 'page' });
  await addLongRows('post', 'word ', { status: 'publish' });
  await addLongRows('post', 'ä', { status: 'draft' });
  await addLongRows('page', '中', { status: 'publish' });
  await addLongRows('revision', 'word ', { status: 'inherit', parentId: pageId });
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

/** Returns the memory in use. Garbage is left out, because its amount depends on the load of the machine. */
function held(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MB;
}

/** Measures the maximum growth of this process's memory until the work ends. */
async function measureGrowth(work: Promise<unknown>): Promise<number> {
  const before = held();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, held())), 50);
  try {
    await work;
  } finally {
    clearInterval(timer);
  }
  return most - before;
}

const tooLarge = { status: 400, body: { code: 'rest_response_too_large' } };

const ask = (path: string) => site.fetch(`/core/v2/${path.replace('PAGE', String(pageId))}`, { as: 'administrator' });

test.each([
  'posts?per_page=100',
  'pages?per_page=100&orderby_hierarchy=true',
  'search?per_page=100',
  'pages/PAGE/revisions',
])(
  'several readers of %s at once have room in memory, and are told to ask for less',
  { timeout: 120_000 },
  async (path) => {
    const asked = Promise.all(Array.from({ length: AT_ONCE }, () => ask(path)));
    expect(await measureGrowth(asked)).toBeLessThan(MAX_GROWN_MB);
    for (const answer of await asked) expect(answer).toMatchObject(tooLarge);
  },
);

test('a single row is returned regardless of its length', { timeout: 120_000 }, async () => {
  expect(await ask('posts?per_page=1&status=draft&context=edit')).toMatchObject({ status: 200, body: [{}] });
  expect(await ask('pages/PAGE/revisions?per_page=1')).toMatchObject({ status: 200, body: [{}] });
});
