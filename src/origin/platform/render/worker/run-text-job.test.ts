import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { MAX_COMMENT_BYTES } from '#contracts/core/comment-routes.ts';
import { renderContent, runTextJob } from './text-jobs.ts';

/** How often others get their turn until something is done. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  const progress = { isDone: false };
  const done = work.finally(() => {
    progress.isDone = true;
  });
  let turns = 0;
  for (; !progress.isDone; turns++) await setImmediate();
  await done;
  return turns;
}

test('a long text is rendered as a short one is, and others get their turn all the while', async () => {
  const long = '<li>\n"a" -- b\n\n'.repeat(40_000);
  expect(await runTextJob('content', long)).toBe(renderContent(long));
  expect(await countTurns(runTextJob('content', long))).toBeGreaterThan(100);
  expect(await countTurns(runTextJob('filterInline', '<b>x'.repeat(MAX_COMMENT_BYTES / 4)))).toBeGreaterThan(3);
});

test('a long text that comes when the thread ends is rendered by another one', async () => {
  const long = 'x '.repeat(10_000);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const first = await runTextJob('content', long);
    vi.advanceTimersByTime(60_000);
    expect(await runTextJob('content', long)).toBe(first);
  } finally {
    vi.useRealTimers();
  }
});

test('many short texts leave others their turn', async () => {
  const short = 'a "b" '.repeat(1000);
  const all = async () => {
    for (let i = 0; i < 100; i++) await runTextJob('paragraphs', short);
  };
  expect(await countTurns(all())).toBeGreaterThan(10);
});

test('a failed job rejects its caller only', async () => {
  const embeds = new Map([['https://a.test/', '<i>a</i>']]);
  const long = `https://a.test/\n\n${'x '.repeat(10_000)}`;
  await expect(runTextJob('content', long, 7 as never)).rejects.toThrow();
  expect(await runTextJob('content', long, embeds)).toContain('<i>a</i>');
});

test('caches results by job and all arguments', async () => {
  const text = '<p>one two three four</p>';
  const ask = () =>
    Promise.all([
      runTextJob('content', text),
      runTextJob('excerpt', '', text, 2),
      runTextJob('excerpt', '', text, 3),
      runTextJob('excerpt', text, '', 2),
      runTextJob('excerpt', text, text, 2),
    ]);
  const first = await ask();
  expect(first[0]).toBe(renderContent(text));
  expect(new Set(first.slice(0, 3)).size).toBe(3);
  expect(first[3]).toContain('four');
  expect(await ask()).toEqual(first);
});
