import { expect, test, vi } from 'vitest';
import { failureThrottle } from './sign-in.ts';

test('counts failures by source and account', () => {
  const attempt = failureThrottle(2);
  const waits = () => attempt('a', 'x').waitSeconds;
  expect([waits(), waits(), waits()]).toEqual([undefined, undefined, 900]);
  expect(attempt('b', 'x').waitSeconds).toBeUndefined();
  expect(attempt('a', 'y').waitSeconds).toBeUndefined();
});

test('a success wipes out what failed before it', () => {
  const attempt = failureThrottle(1);
  attempt('a', 'x');
  attempt('a', 'x').succeed();
  expect(attempt('a', 'x').waitSeconds).toBeUndefined();
});

test('failures are forgotten after their time', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const attempt = failureThrottle(1, { windowMs: 1000 });
    attempt('a', 'x');
    expect(attempt('a', 'x').waitSeconds).toBe(1);
    vi.advanceTimersByTime(1000);
    expect(attempt('a', 'x').waitSeconds).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

test('the oldest are forgotten first, so that memory stays bounded', () => {
  const attempt = failureThrottle(1, { maxEntries: 10 });
  attempt('first', 'x');
  for (let i = 0; i < 12; i += 1) attempt(`source ${i}`, 'x');
  expect(attempt('first', 'x').waitSeconds).toBeUndefined();
  expect(attempt('source 11', 'x').waitSeconds).toBe(900);
});
