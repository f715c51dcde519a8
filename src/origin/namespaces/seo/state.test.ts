import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import type { Role } from '#contracts/core/user-routes.ts';
import { ALERTS, INDEXING } from '#contracts/seo/state.ts';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';
import { outbox } from '#origin/platform/store/schema.ts';
import { loadSeoOptions } from './options.ts';
import { seoObjectSettings } from './tables.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

type Sender = Role | 'nobody';

async function send(method: string, path: string, body?: unknown, as: Sender = 'administrator') {
  const { status, body: answered } = await site.fetch(`/seo/v1/${path}`, {
    method,
    ...(as === 'nobody' ? {} : { as }),
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return { status, body: answered };
}
const get = (path: string, as?: Sender) => send('GET', path, undefined, as);
const post = (path: string, body: unknown = {}, as?: Sender) => send('POST', path, body, as);
const options = () => loadSeoOptions({ context: site.context });

const switchKeywords = (active: boolean) => post('integrations/set_active', { active, integration: 'keyword_service' });
const setCountry = () => post('keyword_service/country_code', { country_code: 'de' });
const askIdeas = (type: string, as: Sender) =>
  get(`ai_content_planner/get_suggestions?post_type=${type}&language=de&editor=classic`, as);
const measure = (url: string) => get(`file_size?url=${encodeURIComponent(url)}`);
const countMessages = () => site.context.store.db.$count(outbox);

async function addPage(slug: string, body: object = {}) {
  const { body: page } = await site.fetch('/core/v2/pages', {
    method: 'POST',
    as: 'editor',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ slug, title: `Page & ${slug}`, status: 'publish', ...body }),
  });
  return (page as { id: number }).id;
}
const addressOf = (slug: string) => `${site.context.publicUrl}/${slug}/`;

test('what a user dismisses and what is set for their page at the same moment are both kept', async () => {
  const { author } = site.users;
  const sent = [
    post('alerts/dismiss', { key: ALERTS[0] }, 'author'),
    post(`settings/user/${author}`, { title: 'Own' }),
  ];
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200]);
  await post('video_embed_permission', { value: true }, 'author');
  const [row] = await site.context.store.db
    .select()
    .from(seoObjectSettings)
    .where(eq(seoObjectSettings.objectId, author));
  expect(row?.meta).toMatchObject({ _seo_title: 'Own', state: expect.stringContaining(String(ALERTS[0])) });
});

/** Routes that only managers may use, each with parameters that are right. */
const MANAGED: readonly [string, string, unknown?][] = [
  ['POST', 'site_kit_configuration_permanent_dismissal', { is_dismissed: true }],
  ['POST', 'setup_steps_tracking', { setup_widget_loaded: 'yes' }],
  ['POST', 'action_tracking', { action: 'task_first_actioned_on' }],
  ['POST', 'integrations/set_active', { active: true, integration: 'rank_tracker' }],
  ['POST', 'keyword_service/country_code', { country_code: 'fr' }],
  ['POST', 'import/aioseo/posts'],
  ['GET', 'available_posts'],
  ['GET', 'file_size?url=x'],
  ['POST', 'configuration/site_representation', { company_or_person: 'company' }],
  ['POST', 'configuration/social_profiles', {}],
  ['GET', 'configuration/check_capability?user_id=1'],
  ['POST', 'configuration/enable_tracking', { tracking: false }],
  ['POST', 'configuration/save_configuration_state', { finishedSteps: [] }],
  ['GET', 'configuration/get_configuration_state'],
  ['GET', 'account/status'],
  ['POST', 'account/refresh-status'],
  ['POST', 'account/register'],
  ['PUT', 'account/registration'],
  ['DELETE', 'account/registration'],
  ['POST', 'account/authorize'],
  ['GET', 'seo_scores?contentType=post'],
  ['GET', 'readability_scores?contentType=post'],
  ['GET', 'get_tasks'],
  ['POST', 'complete_task', { options: { task: 'enable-llms-txt' } }],
  ['GET', 'bulk_editor/posts?content_type=post'],
  ['GET', 'bulk_editor/posts_content?ids=1'],
  ['POST', 'bulk_editor/update_search', { items: [{ id: 1, seo_title: 'x' }] }],
  ['POST', 'bulk_editor/update_social', { items: [{ id: 1, social_title: 'x' }] }],
  ['POST', 'bulk_editor/update_scores', { items: [{ id: 1, seo_title_score: 1 }] }],
];

test.each(MANAGED)('%s %s is for managers', async (method, path, body) => {
  expect(await send(method, path, body, 'nobody')).toMatchObject({ status: 401, body: { code: 'rest_forbidden' } });
  expect(await send(method, path, body, 'editor')).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } });
});

test('building records changes no option, and writes nothing if nothing changes', async () => {
  const steps = INDEXING.map((step) => step.path.replace('seo/v1/', ''));
  const before = await options();
  for (const path of steps) expect(await post(path, {}, 'contributor')).toMatchObject({ status: 200 });
  expect(await options()).toEqual(before);
  const version = () => site.context.store.writes.count;
  const sendAll = async () => {
    for (const path of steps) await post(path);
    for (const [method, path, body] of MANAGED) await send(method, path, body);
  };
  await sendAll();
  const [noted, written] = [await options(), version()];
  await sendAll();
  expect(await options()).toEqual(noted);
  expect(version()).toBe(written);
});

describe('what a user has seen', () => {
  test('is kept beside the settings of their page, and of no other user', async () => {
    const settings = `settings/user/${site.users.author}`;
    await post(settings, { title: 'About me' });
    expect((await post('alerts/dismiss', { key: 'indexing' }, 'author')).status).toBe(200);
    await post('video_embed_permission', {}, 'author');
    await post(settings, { description: 'I write.' });
    expect((await get(settings)).body).toMatchObject({ title: 'About me', description: 'I write.' });
    expect((await get('video_embed_permission', 'author')).body).toEqual({ json: { value: true } });
    expect((await get('video_embed_permission', 'contributor')).body).toEqual({ json: { value: false } });
  });

  test('is rejected for unknown names', async () => {
    expect((await post('introductions/welcome/seen', {}, 'contributor')).body).toEqual({ json: { success: true } });
    expect(await post('introductions/moon/seen', { is_seen: 'maybe' })).toEqual({ status: 400, body: [] });
    expect((await post('introductions/welcome/seen', { is_seen: 'maybe' })).body).toMatchObject({
      data: { details: { is_seen: { code: 'rest_invalid_type' } } },
    });
    expect((await post('alerts/dismiss', { key: '__proto__' })).body).toMatchObject({ code: 'rest_invalid_param' });
    expect((await post('video_embed_permission', { value: 'maybe' })).status).toBe(400);
    for (const [path, name] of [
      ['dismiss-post-type', 'post_type_name'],
      ['dismiss-post-type', 'postTypeName'],
      ['dismiss-taxonomy', 'taxonomy_name'],
      ['dismiss-taxonomy', 'taxonomyName'],
    ] as const) {
      expect((await post(`new-content-type-visibility/${path}`, { [name]: 'moon' })).body).toMatchObject({
        code: 'rest_invalid_param',
        data: { params: { [name]: expect.stringContaining(path === 'dismiss-taxonomy' ? 'category' : 'page') } },
      });
    }
    expect(await post('new-content-type-visibility/dismiss-taxonomy')).toMatchObject({ status: 400 });
  });
});

test('steps of the setup are stored under either spelling, first times only once', async () => {
  await post('setup_steps_tracking', { setup_widget_loaded: 'yes', lastInteractionStage: 'setup' });
  await post('setup_steps_tracking', { setupWidgetLoaded: 'no' });
  expect((await options()).site_kit_setup).toEqual({ setup_widget_loaded: 'no', last_interaction_stage: 'setup' });
  expect((await post('setup_steps_tracking', { setupWidgetLoaded: 'perhaps' })).status).toBe(400);

  await post('action_tracking', { action: 'frontend_inspector_first_actioned_on' });
  const { first_times: before } = await options();
  await post('action_tracking', { action: 'frontend_inspector_first_actioned_on' });
  expect((await options()).first_times).toEqual(before);
  expect(Object.keys(before)).toContain('frontend_inspector_first_actioned_on');
});

test('the keyword service has no routes while it is switched off', async () => {
  await switchKeywords(false);
  expect(await setCountry()).toMatchObject({ status: 404, body: { code: 'rest_no_route' } });
  // Before anything is said of parameters.
  expect(await get('keyword_service/related_keyphrases')).toMatchObject({ status: 404 });
  await switchKeywords(true);
  expect(await setCountry()).toEqual({ status: 200, body: { success: true, status: 200 } });
  expect((await options()).keyword_service_country_code).toBe('de');
});

describe('services elsewhere', () => {
  test('are not connected, and say so', async () => {
    const text = { focus_keyphrase: 'k', language: 'de_DE', platform: 'Google', editor: 'gutenberg' };
    const asked = { ...text, type: 'seo-title', prompt_content: 'Words.' };
    expect(await post('ai_generator/get_suggestions', asked, 'contributor')).toMatchObject({
      status: 501,
      body: { message: expect.stringContaining('No text generation service') },
    });
    expect((await post('ai_generator/get_usage')).status).toBe(501);
    expect((await post('ai/free_sparks')).status).toBe(501);
    expect((await post('ai_generator/consent', { consent: true })).status).toBe(501);
    expect((await post('ai_generator/consent', { consent: false })).status).toBe(200);
    expect(await get('keyword_service/related_keyphrases?keyphrase=roof&country_code=de')).toMatchObject({
      status: 501,
      body: { error: expect.stringContaining('No keyword service') },
    });
    expect((await post('account/register')).body).toMatchObject({ error_code: 'not_provisioned' });
  });

  test('are asked only for types of content that the caller may write', async () => {
    expect((await askIdeas('post', 'contributor')).status).toBe(501);
    expect((await askIdeas('page', 'contributor')).status).toBe(403);
    expect((await askIdeas('moon', 'administrator')).status).toBe(403);
    expect((await askIdeas('__proto__', 'administrator')).status).toBe(403);
  });
});

describe('the configuration', () => {
  test('says who the site is of: text without markup, and the tagline', async () => {
    const sent = { company_or_person: 'company', company_name: '<b>Acme</b> & <i>Sons</i>', description: '<u>New</u>' };
    expect((await post('configuration/site_representation', sent)).body).toEqual({ success: true, status: 200 });
    expect(await options()).toMatchObject({ company_name: 'Acme & Sons' });
    expect((await site.fetch('/core/v2/settings', { as: 'administrator' })).body).toMatchObject({ description: 'New' });
  });

  test('names what is wrong and stores the rest', async () => {
    const sent = {
      company_or_person: 'person',
      company_or_person_user_id: 4711,
      person_logo: 'javascript:alert(1)',
      company_name: 'Kept',
    };
    expect(await post('configuration/site_representation', sent)).toMatchObject({
      status: 400,
      body: { success: false, failures: ['person_logo', 'company_or_person_user_id'] },
    });
    expect(await options()).toMatchObject({ company_or_person: 'person', company_name: 'Kept', person_logo: '' });
  });

  test('stores all profiles or none', async () => {
    const good = { facebook_site: 'https://f.example/acme', twitter_site: 'https://x.com/acme' };
    await post('configuration/social_profiles', { ...good, other_social_urls: ['', 'https://s.example/@a'] });
    const before = await options();
    expect(before).toMatchObject({ twitter_site: 'acme', other_social_urls: ['https://s.example/@a'] });
    const bad = {
      facebook_site: 'https://f.example/b',
      other_social_urls: ['https://ok.example/', 'data:text/html,x'],
    };
    expect((await post('configuration/social_profiles', bad)).body).toMatchObject({
      json: { success: false, failures: ['other_social_urls-1'] },
    });
    expect(await options()).toEqual(before);
  });

  test('is over with three steps, which forms may send too', async () => {
    const form = { method: 'POST', as: 'administrator', body: 'finishedSteps[]=a&finishedSteps[]=%3Cb%3Eb' } as const;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await site.fetch('/seo/v1/configuration/save_configuration_state', { ...form, headers });
    expect((await get('configuration/get_configuration_state')).body).toMatchObject({ data: ['a', 'b'] });
    expect((await post('configuration/enable_tracking', { tracking: null })).body).toMatchObject({
      code: 'rest_missing_callback_param',
      data: { params: ['tracking'] },
    });
  });
});

describe('workouts', () => {
  test('are stored one by one, with ids in place of rows', async () => {
    const steps = { finishedSteps: ['choose'], indexablesByStep: { choose: [{ id: 7, title: 'x' }, 8] } };
    expect((await post('workouts', { cornerstone: steps }, 'editor')).body).toEqual({ json: true });
    await post('workouts', { configuration: { finishedSteps: ['a'] } }, 'editor');
    expect((await get('workouts', 'editor')).body).toEqual({
      json: {
        configuration: { finishedSteps: ['a'] },
        cornerstone: { finishedSteps: ['choose'], indexablesByStep: { choose: [7, 8] } },
      },
    });
    expect((await post('workouts', { orphaned: { indexablesByStep: { a: ['x'] } } })).status).toBe(400);
    expect((await get('workouts', 'author')).status).toBe(403);
  });

  test('list the texts that matter most and those that nothing links to', async () => {
    const main = await addPage('main');
    const alone = await addPage('alone', { content: `<p>See <a href="${addressOf('main')}">the main page</a>.</p>` });
    const draft = await addPage('draft', { status: 'draft' });
    for (const id of [main, draft]) await post(`settings/page/${id}`, { is_cornerstone: true }, 'editor');
    const { body } = await get('workouts?items=true', 'editor');
    const { items } = (body as { json: { items: Record<'cornerstone' | 'orphaned', { id: number }[]> } }).json;
    expect(items.cornerstone).toEqual([
      { id: main, type: 'page', title: 'Page & main', url: addressOf('main'), incoming_link_count: 1 },
    ]);
    expect(items.orphaned.filter(({ id }) => [main, alone, draft].includes(id))).toEqual([
      { id: alone, type: 'page', title: 'Page & alone', url: addressOf('alone'), incoming_link_count: 0 },
    ]);
  });
});

describe('look-ups', () => {
  test('offer only content that everybody can find, by text that stands for itself', async () => {
    const found = await site.addContent({ type: 'page', title: '100 % Äther_rein' });
    await site.addContent({ type: 'page', title: '100 % locked', password: 'x' });
    await site.addContent({ type: 'page', title: '100 % hidden', meta: { '_seo_meta-robots-noindex': '1' } });
    await site.addContent({ type: 'page', title: '100 pro draft', status: 'draft' });
    const search = async (text: string) => (await get(`available_posts?search=${encodeURIComponent(text)}`)).body;
    expect(await search('100 %')).toMatchObject([{ id: found, title: '100 % Äther_rein' }]);
    expect(await search('aether')).toEqual([]);
    expect(await search('ather_r')).toMatchObject([{ id: found }]);
    expect((await get('available_posts?postType=attachment')).status).toBe(200);
    expect((await get('available_posts?postType=revision')).status).toBe(400);
  });

  test('measure files of the site and nothing beside them', async () => {
    await site.context.files.uploads.put('2026/11/roof plan.jpg', Buffer.alloc(1234));
    await site.context.files.media.put('secret.bin', Buffer.alloc(99));
    const uploads = `${site.context.publicUrl}/uploads`;
    expect((await measure(`${uploads}/2026/11/roof%20plan.jpg`)).body).toEqual({
      type: 'success',
      size_in_bytes: 1234,
    });
    for (const wrong of [
      `${uploads}/../media/secret.bin`,
      `${uploads}/..%2fmedia%2fsecret.bin`,
      `${uploads}/%252e%252e/media/secret.bin`,
      `${uploads}/..\\media\\secret.bin`,
      `${uploads}/.incoming/x`,
      `${uploads}/2026/11`,
      `${uploads}/`,
      'https://elsewhere.example/uploads/2026/11/roof%20plan.jpg',
      'file:///etc/passwd',
      '%',
    ])
      expect(await measure(wrong), wrong).toMatchObject({ status: 404, body: { type: 'failure' } });
  });

  test('show fields of content to those who may edit it', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`field${i}`, `${i}`]));
    const id = await site.addContent({ authorId: site.users.author, meta: { _seo_title: 'T', ...many } });
    const { body } = await get(`meta/search?post_id=${id}`, 'author');
    expect((body as { meta: { key: string }[] }).meta).toHaveLength(25);
    expect(JSON.stringify(body)).not.toContain('_seo_title');
    expect((await get(`meta/search?post_id=${id}&query=_seo`, 'author')).body).toEqual({
      meta: [{ key: '_seo_title', value: 'T' }],
    });
    expect((await get(`meta/search?post_id=${id}`, 'contributor')).status).toBe(403);
    expect((await get('meta/search', 'author')).status).toBe(403);
    expect((await get('meta/search?post_id=4711', 'author')).body).toMatchObject({ code: 'rest_post_invalid_id' });
    expect((await get('meta/search?post_id=4711', 'nobody')).status).toBe(401);
  });
});

test('receivers hear of what readers notice, and of nothing else', async () => {
  const before = await countMessages();
  await post('action_tracking', { action: 'task_list_first_opened_on' });
  await post('configuration/save_configuration_state', { finishedSteps: ['x', 'y'] });
  await post('workouts', { configuration: { finishedSteps: ['x'] } });
  await post('configuration/social_profiles', { facebook_site: 'https://f.example/heard' });
  await post('configuration/social_profiles', { facebook_site: 'https://f.example/heard' });
  expect((await countMessages()) - before).toBe(1);
});

test('nothing is left to be imported, and unknown programs are named', async () => {
  expect((await post('import/aioseo/general_settings')).body).toEqual({ objects: false, next_url: false });
  expect((await post('import/constructor/name')).body).toMatchObject({
    code: 'rest_no_route',
    message: expect.stringContaining('"constructor"'),
  });
});
