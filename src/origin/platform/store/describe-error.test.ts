import { expect, test } from 'vitest';
import { createTestContext } from '#origin/testing/test-context.ts';
import { describeError } from './log-error.ts';
import { option } from './schema.ts';

test('describes a failed statement by its reason, without its SQL and values', async () => {
  const { store } = await createTestContext();
  const row = { name: 'password', value: 'correct horse battery staple' };
  await store.db.insert(option).values(row);
  const error: unknown = await store.db
    .insert(option)
    .values(row)
    .then(
      () => undefined,
      (found: unknown) => found,
    );
  await store.close();
  expect(String(error)).toContain(row.value);
  expect(describeError(new Error('Not saved', { cause: error }))).toMatch(
    /^Not saved: duplicate key value violates unique constraint "\w+"$/,
  );
});

test('describes any other error on one line, with all its causes', () => {
  expect(describeError('gone')).toBe('gone');
  expect(describeError(new Error('No answer', { cause: new Error('refused\nby\nall') }))).toBe(
    'No answer: refused by all',
  );
  expect(describeError(new AggregateError([new Error('refused by ::1'), new Error('refused by 127.0.0.1')]))).toBe(
    'refused by ::1, refused by 127.0.0.1',
  );
});
