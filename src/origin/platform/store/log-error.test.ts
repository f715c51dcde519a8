import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sql } from 'drizzle-orm';
import { OPEN_TIMEOUT_MS, openTestSite } from '#origin/testing/open-test-site.ts';
import { logError } from './log-error.ts';

const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('the same error is logged once, and then as a count each minute for as long as it lasts', () => {
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const fail = (times: number, text = 'connect ECONNREFUSED') => {
    for (let i = 0; i < times; i += 1) logError(log, `[GET] "/posts/${i}" failed`, new Error(text));
  };
  fail(1000);
  fail(1, 'another');
  expect(lines).toEqual(['[GET] "/posts/0" failed: connect ECONNREFUSED', '[GET] "/posts/0" failed: another']);
  vi.advanceTimersByTime(MINUTE);
  fail(2);
  vi.advanceTimersByTime(MINUTE);
  expect(lines.slice(2)).toEqual([
    'Failed 999 more times in the last minute: connect ECONNREFUSED',
    'Failed 2 more times in the last minute: connect ECONNREFUSED',
  ]);
  // Once it is over, the next time is the first one again.
  vi.advanceTimersByTime(2 * MINUTE);
  fail(1);
  expect(lines.slice(4)).toEqual(['[GET] "/posts/0" failed: connect ECONNREFUSED']);
});

test(
  'of a hundred requests that the store can not answer, one line is logged',
  { timeout: OPEN_TIMEOUT_MS },
  async () => {
    vi.useRealTimers();
    const lines: string[] = [];
    const site = await openTestSite({ log: (line) => void lines.push(line) });
    const { db } = site.context.store;
    try {
      await db.execute(sql`ALTER TABLE content RENAME TO content_away`);
      for (let i = 0; i < 100; i += 1) expect(await site.fetch(`/core/v2/posts/${i}`)).toMatchObject({ status: 500 });
      expect(lines).toEqual([expect.stringContaining('[GET] "/rest/core/v2/posts/0" failed: ')]);
    } finally {
      // Other tests use the same store.
      await db.execute(sql`ALTER TABLE content_away RENAME TO content`);
      await site.close();
    }
  },
);
