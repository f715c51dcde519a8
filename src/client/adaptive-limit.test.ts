import { describe, expect, it } from 'vitest';
import { adaptiveLimit } from './create-transport.ts';

/** A server with a simulated clock, where each request takes `serve(underWay)` ms. */
async function play(max: number, requests: number, serve: (underWay: number) => { ms: number; overload?: boolean }) {
  let time = 0;
  let underWay = 0;
  const peak: number[] = [];
  const timers: { at: number; fire: () => void }[] = [];
  const limit = adaptiveLimit(max, () => time);
  const all = Array.from({ length: requests }, () =>
    limit.run(
      () => {
        underWay += 1;
        peak.push(underWay);
        const { ms, overload = false } = serve(underWay);
        return new Promise<boolean>((resolve) => {
          timers.push({
            at: time + ms,
            fire: () => {
              underWay -= 1;
              resolve(overload);
            },
          });
        });
      },
      (overload) => overload,
    ),
  );
  const progress = { done: false };
  const ended = Promise.all(all).then(() => (progress.done = true));
  while (!progress.done) {
    for (let i = 0; i < 20; i += 1) await Promise.resolve();
    timers.sort((a, b) => a.at - b.at);
    const next = timers.shift();
    if (next) {
      time = next.at;
      next.fire();
    }
  }
  await ended;
  return { peak, limit };
}

describe('adaptiveLimit', () => {
  it('grows to its maximum while the server is quick, and never beyond', async () => {
    const { peak, limit } = await play(16, 500, () => ({ ms: 50 }));
    expect(peak[0]).toBe(1);
    expect(Math.max(...peak)).toBe(16);
    expect(limit.limit).toBe(16);
  });

  it('stays where more at once only makes the server slower', async () => {
    const { peak } = await play(64, 2000, (underWay) => ({ ms: underWay <= 6 ? 50 : 50 * underWay }));
    expect(Math.max(...peak)).toBeLessThan(12);
  });

  it('halves when it is too much, once for a round', async () => {
    let refuse = 8;
    const { limit } = await play(8, 300, () => ({ ms: 50, overload: refuse-- > 0 && refuse < 4 }));
    expect(limit.limit).toBeGreaterThanOrEqual(4);
  });

  it('goes on one at a time with a server that refuses everything', async () => {
    const { peak, limit } = await play(8, 40, () => ({ ms: 50, overload: true }));
    expect(limit.limit).toBe(1);
    expect(peak.slice(20).every((n) => n === 1)).toBe(true);
  });

  it('lets the next one in when a request throws', async () => {
    const limit = adaptiveLimit(1);
    const failed = limit.run(
      () => Promise.reject(new Error('x')),
      () => false,
    );
    const next = limit.run(
      () => Promise.resolve(1),
      () => false,
    );
    await expect(failed).rejects.toThrow('x');
    expect(await next).toBe(1);
  });
});
