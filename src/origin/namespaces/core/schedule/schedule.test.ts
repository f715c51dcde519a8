import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { content, outbox } from '#origin/platform/store/schema.ts';
import { createTestContext, type TestContext } from '#origin/testing/test-context.ts';
import { publishDuePosts, startSchedule } from './start-schedule.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
}, 60_000);
afterAll(() => context.store.close());
beforeEach(async () => {
  await context.store.db.delete(content);
  await context.store.db.delete(outbox);
});

/** Adds a post scheduled in Berlin time. Only `dateGmt` determines when it is due. */
async function schedule(date: string, dateGmt: string): Promise<number> {
  const row = { type: 'post', status: 'future', slug: dateGmt, authorId: 1, date, dateGmt } as const;
  const [added] = await context.store.db
    .insert(content)
    .values({ ...row, modified: date, modifiedGmt: dateGmt })
    .returning({ id: content.id });
  return added?.id ?? 0;
}
const statusOf = async (id: number) =>
  (await context.store.db.select().from(content).where(eq(content.id, id)))[0]?.status;

test('a due post is published once, with its date, and announced', async () => {
  const due = await schedule('2026-11-21 10:00:00', '2026-11-21 09:00:00');
  const later = await schedule('2026-11-21 10:00:01', '2026-11-21 09:00:01');
  const now = new Date('2026-11-21T09:00:00Z');
  expect(await publishDuePosts(context, now)).toEqual([due]);
  expect(await publishDuePosts(context, now)).toEqual([]);
  expect(await statusOf(later)).toBe('future');
  expect(await context.store.db.select().from(content).where(eq(content.id, due))).toMatchObject([
    { status: 'publish', date: '2026-11-21 10:00:00', modified: '2026-11-21 10:00:00' },
  ]);
  expect((await context.store.db.select().from(outbox))[0]?.payload).toMatchObject({
    changes: [{ what: 'post', id: String(due), action: 'created' }],
  });
});

test('an hour that the clock shows twice comes twice', async () => {
  const first = await schedule('2026-10-25 02:30:00', '2026-10-25 00:30:00');
  const second = await schedule('2026-10-25 02:30:00', '2026-10-25 01:30:00');
  expect(await publishDuePosts(context, new Date('2026-10-25T00:30:00Z'))).toEqual([first]);
  expect(await publishDuePosts(context, new Date('2026-10-25T01:30:00Z'))).toEqual([second]);
});

test('overdue posts are published at startup', async () => {
  const id = await schedule('2026-01-01 00:00:00', '2025-12-31 23:00:00');
  const running = startSchedule(context);
  await vi.waitFor(async () => expect(await statusOf(id)).toBe('publish'), { timeout: 20_000 });
  await running.stop();
});

test('a failure is logged and retried', async () => {
  const logged: string[] = [];
  const broken = {
    ...context.store,
    db: {
      select: () => {
        throw new Error('no store');
      },
    },
  };
  const running = startSchedule({
    store: broken as never,
    kinds: context.kinds,
    log: (line) => void logged.push(line),
  });
  await running.stop();
  expect(logged).toEqual([expect.stringContaining('no store')]);
});

test('nothing is written while nothing is due, so the response cache stays valid', async () => {
  await schedule('2126-01-01 00:00:00', '2125-12-31 23:00:00');
  const before = context.store.writes.count;
  await startSchedule(context).stop();
  expect(context.store.writes.count).toBe(before);
});
