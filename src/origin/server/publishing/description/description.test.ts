import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';

type Described = {
  endpoints: { args: Record<string, Record<string, unknown>> }[];
  schema?: { properties: Record<string, Record<string, unknown>>; links?: Record<string, unknown>[] };
};

type Body = Record<string, unknown>;

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

const describePath = async (path: string) => (await site.fetch(path, { method: 'OPTIONS' })).body as Described;

describe('the schema of a resource', () => {
  test('lists the actions on a row and their fields', async () => {
    const { schema } = await describePath('/core/v2/posts');
    const links = schema?.links ?? [];
    expect(links.map(({ rel }) => String(rel).replace('https://api.w.org/action-', ''))).toEqual([
      'publish',
      'unfiltered-html',
      'sticky',
      'assign-author',
      'assign-categories',
      'create-categories',
      'assign-tags',
      'create-tags',
    ]);
    expect(links[2]).toMatchObject({
      href: `${site.context.publicUrl}/rest/core/v2/posts/{id}`,
      targetSchema: { type: 'object', properties: { sticky: { type: 'boolean' } } },
    });
    expect((await describePath('/core/v2/posts/1')).schema?.links).toEqual(links);
    expect((await describePath('/core/v2/posts/1/revisions')).schema).not.toHaveProperty('links');
  });

  test('omits fields that only some sites have', async () => {
    expect((await describePath('/core/v2/posts')).schema?.properties).not.toHaveProperty('custom_fields_html');
    expect((await describePath('/core/v2/pages')).schema?.properties).not.toHaveProperty('level');
  });

  test('belongs to readable resources; actions have none', async () => {
    const { properties } = (await describePath('/core/v2/media')).schema ?? {};
    expect(properties).toMatchObject({ post: { type: 'integer' }, meta: { properties: {} } });
    expect(properties?.['media_details']).not.toHaveProperty('properties');
    expect(await describePath('/core/v2/media/1/post-process')).not.toHaveProperty('schema');
    const { schema } = await describePath('/abilities/v1/abilities/core/get-site-info/run');
    expect(schema).toMatchObject({ title: 'ability-execution', properties: { result: { readonly: true } } });
  });
});

const argsOf = async (path: string, endpoint = 0) => (await describePath(path)).endpoints[endpoint]?.args ?? {};

describe('arguments', () => {
  test('of an edit: its formats and exclusive bounds', async () => {
    const args = await argsOf('/core/v2/media/1/edit');
    expect(Object.keys(args)[0]).toBe('src');
    expect(args['rotation']).toMatchObject({
      minimum: 0,
      exclusiveMinimum: true,
      maximum: 360,
      exclusiveMaximum: true,
    });
    expect(args['modifiers']).toMatchObject({
      items: {
        required: ['type', 'args'],
        oneOf: [
          { title: 'Flip', properties: { type: { enum: ['flip'] } } },
          { title: 'Rotation' },
          { title: 'Crop', properties: { args: { required: ['left', 'top', 'width', 'height'] } } },
        ],
      },
    });
  });

  test('of an autosave name its parent', async () => {
    for (const endpoint of [0, 1]) {
      const args = await argsOf('/core/v2/posts/1/autosaves', endpoint);
      expect(Object.keys(args)[0]).toBe('parent');
      expect(args).not.toHaveProperty('id');
    }
  });

  test('of a batch: the members of each request', async () => {
    expect(await argsOf('/batch/v1')).toMatchObject({
      requests: {
        maxItems: 25,
        items: { properties: { path: { required: true }, body: { additionalProperties: true } } },
      },
    });
  });

  test('of objects: their required members, as the interface document has them', async () => {
    const required = true;
    expect(await argsOf('/podcast/v2/episodes/1', 1)).toMatchObject({
      ext_webhook_config: { required: false, properties: { authkey: { required }, enabled: { required } } },
    });
    for (const endpoint of [1, 2])
      expect(await argsOf('/podcast/v2/chapters/1', endpoint)).toMatchObject({
        chapters: { required, items: { required: ['start', 'title'] } },
      });
    expect(await argsOf('/seo/v1/complete_task')).toMatchObject({
      options: { required, properties: { task: { required } } },
    });
  });

  test('of paths: those that the interface document requires', async () => {
    const required = true;
    expect(await argsOf('/podcast/v2/chapters/1')).toMatchObject({ id: { required } });
    expect(await argsOf('/podcast/v2/chapters/1', 3)).toMatchObject({ id: { required } });
    expect(await argsOf('/player/5.9.2/config/one')).toMatchObject({ id: { required, pattern: '^[a-z0-9-]+$' } });
    expect(await argsOf('/player/shortcode/show/one')).toMatchObject({ slug: { required } });
    expect(await argsOf('/player/shortcode/config/one/theme/two')).toMatchObject({
      config: { required },
      theme: { required },
    });
    // As on stock servers.
    expect(await argsOf('/core/v2/posts/1')).toMatchObject({ id: { required: false } });
  });

  test('of lists: how many items they may hold', async () => {
    expect(await argsOf('/seo/v1/bulk_editor/posts')).toMatchObject({ include: { maxItems: 100 } });
  });

  test('without accepted values say so', async () => {
    expect(await argsOf('/core/v2/media')).toMatchObject({
      media_type: { default: null },
      mime_type: { default: null },
    });
  });
});

test('cached descriptions are the same for every caller, field selection and format', async () => {
  for (const [path, method] of [
    ['', 'GET'],
    ['?context=help', 'GET'],
    ['/core/v2', 'GET'],
    ['/core/v2/posts', 'OPTIONS'],
  ] as const) {
    const first = await site.fetch(path, { method });
    const again = await site.fetch(path, { method });
    expect(again.text === first.text, path).toBe(true);
    const { _links, ...others } = (await site.fetch(path, { method, as: 'administrator' })).body as Body;
    expect(first.body).toMatchObject(others);
    expect(first.headers.get('content-length')).toBe(String(first.text.length));
    const joint = path.includes('?') ? '&' : '?';
    const pretty = await site.fetch(`${path}${joint}_pretty`, { method });
    expect(pretty.body).toEqual(first.body);
    const part = await site.fetch(`${path}${joint}_fields=namespace,name`, { method });
    expect(first.body).toMatchObject(part.body as object);
  }
});

test('a path matches the first declared route, ignoring case', async () => {
  for (const path of [
    '/core/v2/users/me',
    '/CORE/v2/Users/ME',
    '/core/v2/posts/1/revisions/2',
    '/core/v2',
    '/batch/v1',
    '',
  ]) {
    expect((await site.fetch(path, { method: 'OPTIONS' })).status, path).toBe(200);
  }
  const { endpoints } = await describePath('/core/v2/users/me');
  expect(endpoints[0]?.args).not.toHaveProperty('id');
  for (const path of ['/core/v2/', '/core', '/core/v2/posts/x', '/nowhere']) {
    expect((await site.fetch(path, { method: 'OPTIONS' })).status, path).toBe(path === '/core/v2/' ? 200 : 404);
  }
});
