import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ jsonp: true });
  await site.addContent({ slug: 'kit', title: 'Kit – new' });
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

async function ask(path: string) {
  const answer = await fetch(`${site.context.publicUrl}/rest${path}`);
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
}
const SCRIPT = 'application/javascript; charset=UTF-8';

test('responses and errors are wrapped in a call of the function', async () => {
  expect(await ask('/core/v2/posts?_fields=slug&_jsonp=app.show')).toEqual({
    status: 200,
    type: SCRIPT,
    text: '/**/app.show([{"slug":"kit"}])',
  });
  const refused = await ask('/core/v2/nothing?_jsonp=show');
  expect(refused).toMatchObject({ status: 404, type: SCRIPT });
  expect(refused.text).toMatch(/^\/\*\*\/show\(\{"code":"rest_no_route"/);
});

test('a response that could be XML stays a script', async () => {
  const address = encodeURIComponent(`${site.context.publicUrl}/kit/`);
  const { type, text } = await ask(`/oembed/1.0/embed?url=${address}&format=xml&_jsonp=show&_fields=title`);
  expect([type, text]).toEqual([SCRIPT, '/**/show({"title":"Kit \\u2013 new"})']);
});

test.each(['alert(1)', 'a b', 'a;b', 'a<b'])('%s is the name of no function', async (name) => {
  const { status, type, text } = await ask(`/core/v2/posts?_jsonp=${encodeURIComponent(name)}`);
  expect([status, type]).toEqual([400, SCRIPT]);
  expect(JSON.parse(text)).toEqual({ code: 'rest_callback_invalid', message: expect.any(String) });
});

test('without a name it is JSON', async () => {
  expect((await ask('/core/v2/posts?_jsonp=')).type).toMatch(/^application\/json/);
});
