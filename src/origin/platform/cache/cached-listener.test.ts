import { expect, test } from 'vitest';
import { startTestServer } from '#origin/testing/test-server.ts';

test('requests are answered without the cache while nobody knows the version of the store', async () => {
  let answers = 0;
  const fetch = () => new Response(`answer ${(answers += 1)}`);
  const version = { read: () => Promise.reject(new Error('The database is silent.')), disregard: () => undefined };
  const server = await startTestServer({ fetch }, { store: { version }, cacheBytes: 1000 });
  expect((await server.ask('/')).body).toBe('answer 1');
  expect((await server.ask('/')).body).toBe('answer 2');
  await server.close();
});
