import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession } from '#origin/platform/accounts/sessions.ts';
import { createUser } from '#origin/platform/accounts/users.ts';
import { validateHtml } from '#files/testing/validate-html.ts';
import { FULL_GTIN, startTestInterface, upsertRecord, type TestInterface } from './testing/test-interface.ts';

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&lt;`;
const HOSTILE_GTIN = '9524010000030';

let origin: TestInterface;
let cookie: string;
beforeAll(async () => {
  origin = await startTestInterface();
  const dealer = { login: 'dealer', name: HOSTILE, email: 'dealer@example.org', role: 'contributor' } as const;
  const { id } = await createUser(origin.context, dealer);
  cookie = `sortiment_session=${await openSession(origin.context, id)}`;
  await upsertRecord(origin.context, { gtin: HOSTILE_GTIN, language: 'de-de', name: HOSTILE });
}, 60_000);
afterAll(() => origin.close());

test.each([
  '',
  `product/${FULL_GTIN}/`,
  `product/${HOSTILE_GTIN}/`,
  'language/',
  'product/',
  'docs/',
  'product/4012345678901/',
])('%s is valid HTML', async (path) => {
  const { body } = await origin.ask(path, { authorization: null, headers: { accept: 'text/html', cookie } });
  // A lone button of a form submits it. Style sheets come from this server.
  expect(await validateHtml(body, { 'no-implicit-button-type': 'off', 'require-sri': 'off' })).toEqual([]);
});
