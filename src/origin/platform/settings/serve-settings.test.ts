import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { option } from '#origin/platform/store/schema.ts';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

const save = (body: object) =>
  site.fetch('/core/v2/settings', {
    method: 'POST',
    as: 'administrator',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test('settings that two requests save at once are kept, though none were before', async () => {
  for (let round = 0; round < 20; round += 1) {
    await site.context.store.db.delete(option).where(eq(option.name, 'site'));
    await Promise.all([save({ title: 'Dach' }), save({ description: 'Notes' })]);
    const { body } = await site.fetch('/core/v2/settings', { as: 'administrator' });
    expect(body).toMatchObject({ title: 'Dach', description: 'Notes' });
  }
});
