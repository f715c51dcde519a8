import { expect, test } from 'vitest';
import { startTestServer } from '#origin/testing/test-server.ts';

test('handles requests without the cache while the version of the store is unknown', async () => {
  let answers = 0;
  const fetch = () => new Response(`answer ${(answers += 1)}`);
  const version = { read: () => Promise.reject(new Error('The database is silent.')), disregard: () => undefined };
  const server = await startTestServer({ fetch }, { store: { version }, cacheBytes: 1000 });
  expect((await server.ask('/')).body).toBe('answer 1');
  expect((await server.ask('/')).body).toBe('answer 2');
  await server.close();
});
