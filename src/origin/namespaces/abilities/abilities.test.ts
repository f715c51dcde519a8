import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { environmentInfo, siteInfo, userInfo } from '#contracts/abilities.ts';
import { OPEN_TIMEOUT_MS, openTestSite, type TestRequest, type TestSite } from '#origin/testing/open-test-site.ts';
import { outbox, product } from '#origin/platform/store/schema.ts';

const GTIN = '9524010000016';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ hasReceivers: true });
  const record = { gtin: GTIN, name: 'Tape', language: 'de-de' };
  await site.context.store.db
    .insert(product)
    .values({ gtin: GTIN, language: 'de-de', digest: 'x', record: record as never });
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

const ask = (path: string, as?: TestRequest['as'], request: TestRequest = {}) =>
  site.fetch(`/abilities/v1/${path}`, { ...request, ...(as ? { as } : {}) });
const send = (path: string, body: object, as?: TestRequest['as']) =>
  ask(path, as, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const names = ({ body }: { body: unknown }) => (body as { name: string }[]).map(({ name }) => name);

describe('the list', () => {
  test('describes input, output and annotations', async () => {
    const { body } = await ask('abilities/sortiment/get-product', 'subscriber');
    expect(body).toMatchObject({
      name: 'sortiment/get-product',
      input_schema: { type: 'object', properties: { gtin: { type: 'string' } } },
      meta: { annotations: { readonly: true } },
    });
  });

  test('offers the fields of the built-in abilities to choose from, each under a label', async () => {
    const schemas = { 'get-site-info': siteInfo, 'get-user-info': userInfo, 'get-environment-info': environmentInfo };
    for (const [name, schema] of Object.entries(schemas)) {
      const { body } = await ask(`abilities/core/${name}`, 'administrator');
      const shown = body as Record<
        'input_schema' | 'output_schema',
        { properties: Record<string, { title?: string }> }
      >;
      const fields = Object.keys(schema.shape);
      expect(shown.input_schema).toMatchObject({
        additionalProperties: false,
        default: {},
        properties: { fields: { type: 'array', items: { enum: fields } } },
      });
      expect(shown.output_schema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(Object.keys(shown.output_schema.properties).toSorted()).toEqual(fields.toSorted());
      expect(Object.values(shown.output_schema.properties).filter(({ title }) => !title)).toEqual([]);
      const run = await ask(`abilities/core/${name}/run?input[fields][]=${fields[1]}`, 'administrator');
      expect(Object.keys(run.body as object)).toEqual([fields[1]]);
    }
  });

  test('by namespace, category and annotation, in pages', async () => {
    expect(names(await ask('abilities?namespace=sortiment', 'subscriber'))).toEqual([
      'sortiment/get-product',
      'sortiment/announce-change',
    ]);
    expect(names(await ask('abilities?category=user', 'subscriber'))).toEqual(['core/get-user-info']);
    expect(names(await ask('abilities?meta[annotations][readonly]=false', 'subscriber'))).toEqual([
      'sortiment/announce-change',
    ]);
    const second = await ask('abilities?per_page=2&page=2', 'subscriber');
    expect(second.headers.get('x-wp-total')).toBe('5');
    expect(names(second)).toHaveLength(2);
    expect((await ask('categories', 'subscriber')).body).toMatchObject([{ slug: 'site' }, { slug: 'user' }]);
  });

  test('omits unavailable abilities', async () => {
    const empty = await openTestSite();
    const { body, headers } = await empty.fetch('/abilities/v1/abilities', { as: 'administrator' });
    expect(names({ body })).toEqual(['core/get-site-info', 'core/get-user-info', 'core/get-environment-info']);
    expect(headers.get('x-wp-total')).toBe('3');
    const { status } = await empty.fetch('/abilities/v1/abilities/sortiment/get-product', { as: 'administrator' });
    expect(status).toBe(404);
    await empty.close();
  });

  test('requires a signed-in user', async () => {
    expect(await ask('abilities')).toMatchObject({ status: 401, body: { code: 'rest_forbidden' } });
  });
});

describe('running', () => {
  test('reads a product, for callers who can read products', async () => {
    const run = `abilities/sortiment/get-product/run?input[gtin]=${GTIN}`;
    expect(await ask(run, 'contributor')).toMatchObject({ status: 200, body: { gtin: GTIN, name: 'Tape' } });
    expect(await ask(run, 'subscriber')).toMatchObject({ status: 403, body: { code: 'rest_ability_cannot_execute' } });
    const unknown = await ask('abilities/sortiment/get-product/run?input[gtin]=4006381333931', 'editor');
    expect(unknown).toMatchObject({ status: 404, body: { code: 'sortiment_product_not_found' } });
  });

  test('announces a change to build hooks', async () => {
    const run = 'abilities/sortiment/announce-change/run';
    expect(await send(run, { input: { what: 'prices' } }, 'administrator')).toMatchObject({
      body: { announced: true },
    });
    const messages = await site.context.store.db.select().from(outbox);
    expect(messages.at(-1)?.payload).toMatchObject({ changes: [{ what: 'prices', id: 'all', action: 'updated' }] });
    expect((await send(run, {}, 'editor')).status).toBe(403);
  });

  test('returns the site, the caller and the environment', async () => {
    const site_ = await ask('abilities/core/get-site-info/run?input[fields][]=name', 'administrator');
    expect(site_.body).toEqual({ name: 'Dach &amp; Wand' });
    const me = await ask('abilities/core/get-user-info/run', 'subscriber');
    expect(me.body).toMatchObject({ user_login: 'subscriber', roles: ['subscriber'] });
    expect(me.text).not.toMatch(/argon|@/);
    const environment = await ask('abilities/core/get-environment-info/run', 'administrator');
    expect(environment.body).toMatchObject({
      php_version: `Node.js ${process.versions.node}`,
      environment: 'production',
    });
  });

  test('returns the described fields of the site, under the labels of stock servers', async () => {
    const { body } = await ask('abilities/core/get-site-info/run', 'administrator');
    expect(siteInfo.safeParse(body)).toMatchObject({ success: true });
    const described = await ask('abilities/core/get-site-info', 'administrator');
    const labels = {
      name: { title: 'Site Title' },
      description: { title: 'Tagline' },
      charset: { title: 'Site Charset' },
    };
    expect(described.body).toMatchObject({ output_schema: { properties: labels } });
  });

  test('what would be allowed is not told before it is known what is asked for', async () => {
    const options = await ask('abilities/core/get-site-info/run', 'administrator', { method: 'OPTIONS' });
    expect([options.status, options.headers.has('allow')]).toEqual([200, false]);
    expect((await ask('abilities/core/get-site-info/run', 'administrator')).headers.get('allow')).toContain('GET');
  });

  test.each([
    ['a name that is none', 'core/nope/run', 'GET', 404, 'rest_ability_not_found'],
    ['the wrong method', 'core/get-site-info/run', 'POST', 405, 'rest_ability_invalid_method'],
    ['the wrong method for writing', 'sortiment/announce-change/run', 'GET', 405, 'rest_ability_invalid_method'],
    ['an unknown input', 'core/get-site-info/run?input[zzz]=1', 'GET', 400, 'ability_invalid_input'],
    ['no GTIN', 'sortiment/get-product/run?input[gtin]=1', 'GET', 400, 'ability_invalid_input'],
  ])('not with %s', async (_, path, method, status, code) => {
    const answer = await ask(`abilities/${path}`, 'administrator', { method });
    expect(answer).toMatchObject({ status, body: { code } });
  });
});
