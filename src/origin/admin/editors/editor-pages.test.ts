import { readdirSync, statSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ADVICE_LANGUAGES, type AdviceLanguage } from '#analysis/types.ts';
import { auditAccessibility, findViolations } from '#e2e/audit-accessibility.ts';
import { launchBrowser } from '#e2e/launch-browser.ts';
import type { Role } from '#contracts/core/user-routes.ts';
import { decodeEntities } from '#contracts/html/html-text.ts';
import { parseSettingsMeta, type SeoSettings } from '#contracts/seo/settings.ts';
import { writeSeoSettings } from '#origin/namespaces/seo/settings.ts';
import { startJobs } from '#origin/namespaces/thumbnails/jobs/jobs.ts';
import { createTestImage } from '#origin/namespaces/thumbnails/testing/image-site.ts';
import type { LanguageRules } from '#origin/platform/context/origin-context.ts';
import { WriteCounter } from '#origin/platform/store/store.ts';
import { createUser } from '#origin/platform/accounts/users.ts';
import { openSession } from '#origin/platform/accounts/sessions.ts';
import { writeContent } from '#origin/platform/content/resources/resource.ts';
import { registerAll } from '#origin/platform/registry/content-kind.ts';
import { applyModuleMigrations } from '#origin/platform/store/apply-migrations.ts';
import { comment, content, contentTerm, option, outbox, term, user } from '#origin/platform/store/schema.ts';
import { createOrigin } from '#origin/server/create-origin.ts';
import { MODULES } from '#origin/server/modules.ts';
import { createTestContext, type TestContext } from '#origin/testing/test-context.ts';
import { startTestServer, type RawTestResponse, type TestServer } from '#origin/testing/test-server.ts';
import { adviceActions, ADVICE_PLANS } from './testing/advice-actions.ts';
import { EDITOR_TEXTS } from './editor-request.ts';

const PASSWORD = 'ein langes Passwort';

const RULES: LanguageRules = {
  rules: [
    { by: 'category', terms: { english: 'en-gb' } },
    { by: 'slug-prefix', prefixes: { 'fr-': 'fr-fr' } },
  ],
  main: 'de-de',
};

let context: TestContext;
let server: TestServer;
let browser: Browser;
/** Signs in as an editor. */
let visit: BrowserContext;
const users: Partial<Record<Role, number>> = {};

beforeAll(async () => {
  const open: { app?: ReturnType<typeof createOrigin> } = {};
  server = await startTestServer({
    fetch: (request, env) => open.app?.fetch(request, env) ?? new Response('', { status: 503 }),
  });
  context = await createTestContext({ publicUrl: server.url, languageRules: RULES, ...registerAll(MODULES) });
  await applyModuleMigrations(context.store, MODULES);
  await context.store.db.insert(option).values({ name: 'site', value: { name: 'Beschläge & mehr', url: server.url } });
  for (const role of ['administrator', 'editor', 'contributor', 'subscriber'] as const) {
    const named = { login: role, email: `${role}@origin.test`, role, locale: 'de_DE' };
    users[role] = (await createUser(context, { ...named, password: PASSWORD })).id;
  }
  open.app = createOrigin(context);
  browser = await launchBrowser();
  visit = await signIn('editor');
}, 120_000);
afterAll(async () => {
  await browser.close();
  await server.close();
  await context.store.close();
});

async function signIn(role: Role): Promise<BrowserContext> {
  const visit = await browser.newContext({ locale: 'de-DE' });
  const page = await visit.newPage();
  await page.goto(`${server.url}/admin/seo`);
  await page.fill('#login', role);
  await page.fill('#password', PASSWORD);
  await page.click('main form button');
  await page.waitForURL('**/admin/seo');
  await page.close();
  return visit;
}

/** Sends a request as a signed-in user. */
async function askAs(role: Role, path: string, form?: Record<string, string>): Promise<RawTestResponse> {
  const cookie = `sortiment_session=${await openSession(context, users[role] ?? 0)}`;
  const body = form && new URLSearchParams(form).toString();
  const headers = { cookie, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) };
  return server.ask(path, { method: form ? 'POST' : 'GET', headers, ...(body === undefined ? {} : { body }) });
}

/** Opens a form and returns a function that submits it with changes. */
async function openForm(role: Role, path: string) {
  const cookie = `sortiment_session=${await openSession(context, users[role] ?? 0)}`;
  const { status, body } = await server.ask(path, { headers: { cookie } });
  expect(status, path).toBe(200);
  const page = body.slice(body.indexOf('<main'));
  const hidden = Object.fromEntries(
    ['form_token', 'shown'].map((name) => [
      name,
      decodeEntities(new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''),
    ]),
  );
  return (fields: Readonly<Record<string, string>>, target = path) =>
    server.ask(target, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ action: 'save', ...hidden, ...fields }).toString(),
    });
}

/** Problems that a page reports. */
const alertOf = ({ body }: RawTestResponse) => decodeEntities(/role="alert"[^]*?<\/div>/.exec(body)?.[0] ?? '');

let slugs = 0;

async function addPost(row: Partial<typeof content.$inferInsert> = {}): Promise<number> {
  const at = '2026-01-05 09:00:00';
  const times = { date: at, dateGmt: at, modified: at, modifiedGmt: at };
  const [added] = await context.store.db
    .insert(content)
    .values({
      type: 'post',
      status: 'publish',
      slug: `beitrag-${++slugs}`,
      authorId: users.editor ?? 0,
      ...times,
      ...row,
    })
    .returning({ id: content.id });
  return added?.id ?? 0;
}

async function storedPost(id: number) {
  const [row] = await context.store.db.select().from(content).where(eq(content.id, id));
  return row;
}

const ratings = (page: Page) =>
  page.$$eval('#result [data-check-id]', (items) =>
    items.map((item) => ({
      id: item.getAttribute('data-check-id') ?? '',
      rating: item.getAttribute('data-rating') ?? '',
      advice: item.textContent,
    })),
  );

test('following the advice turns a page from red to green, in each language', async () => {
  await Promise.all(ADVICE_LANGUAGES.map(bringToGreen));
}, 120_000);

async function bringToGreen(language: AdviceLanguage): Promise<void> {
  const plan = ADVICE_PLANS[language];
  const words = EDITOR_TEXTS[language];
  const { title, slug, text, keyphrase } = plan.before;
  const id = await addPost({ slug, title, content: text, meta: { _seo_focuskw: keyphrase } });
  const named = {
    login: `editor-${language}`,
    email: `${language}@origin.test`,
    role: 'editor',
    locale: language,
  } as const;
  const account = await createUser(context, { ...named, password: PASSWORD });
  const visit = await browser.newContext();
  const value = await openSession(context, account.id);
  await visit.addCookies([{ name: 'sortiment_session', value, url: server.url }]);
  const page = await visit.newPage();
  await page.goto(`${server.url}/admin/seo/post/${id}`);
  const summary = async () => (await page.textContent('#result [data-state]'))?.replaceAll(/\s+/g, ' ').trim();
  const both = (rank: string) => new RegExp(`^${words.seo}: ${rank} \\(.*\\) ${words.readability}: ${rank} \\(`);
  expect(await summary()).toMatch(both(words.bad));

  const open = async () => (await ratings(page)).filter(({ rating }) => rating === 'bad' || rating === 'ok');
  const followed: string[] = [];
  for (let todo = await open(); todo.length > 0; todo = await open()) {
    const [next] = todo;
    const follow = adviceActions(plan)[next?.id ?? ''];
    expect(follow, `${next?.id}: ${next?.advice}`).toBeDefined();
    expect(followed, next?.advice).not.toContain(next?.id);
    followed.push(next?.id ?? '');
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/check'));
    await follow?.({
      write: (field, text) => page.fill(`#${field}`, text),
      change: async (field, change) => page.fill(`#${field}`, change(await page.inputValue(`#${field}`))),
    });
    await answered;
    // The check's response is on the page once the followed advice has disappeared.
    await page.waitForFunction(
      ([check, advice]) => document.querySelector(`[data-check-id=${check}]`)?.textContent !== advice,
      [next?.id, next?.advice] as const,
    );
  }
  expect(followed.length).toBeGreaterThan(8);
  expect(await summary()).toMatch(both(words.good));
  expect(await findViolations(page)).toEqual([]);
  await page.click('button[value=save]');
  await page.waitForURL('**?saved');
  expect(await page.textContent('.notice')).toBe(words.saved);
  expect(await summary()).toMatch(both(words.good));

  const row = await storedPost(id);
  const settings = parseSettingsMeta(row?.meta ?? {});
  expect(settings.seo_score).toBeGreaterThan(90);
  expect(settings).toMatchObject({ readability_score: 90, title_score: 100, description_score: 100 });
  expect(row?.slug).toBe(plan.slug);
  await page.goto(`${server.url}/admin/seo?seo_filter=good&readability_filter=good`);
  expect(await page.textContent('tbody')).toContain(plan.keyphrase);
  await visit.close();
}

const HOSTILE = `"></script><script>window.hacked=1</script><img src=x onerror="window.hacked=1">'&lt;%%title%%%%constructor%%`;

test('hostile values are shown as text on every page and in every field', async () => {
  const meta = {
    _seo_focuskw: HOSTILE,
    _seo_title: HOSTILE,
    _seo_metadesc: HOSTILE,
    '_seo_opengraph-title': HOSTILE,
    '_seo_opengraph-description': HOSTILE,
    _seo_bctitle: HOSTILE,
    '_seo_opengraph-image': 'javascript:alert(1)',
  };
  const id = await addPost({ slug: 'boese', title: HOSTILE, content: `<p>${HOSTILE}</p></textarea>${HOSTILE}`, meta });
  await context.store.db
    .insert(term)
    .values({ taxonomy: 'category', slug: 'boese', name: HOSTILE, description: HOSTILE });
  const [category] = await context.store.db.select().from(term).where(eq(term.slug, 'boese'));
  const page = await visit.newPage();
  for (const path of [
    '',
    '/bulk',
    `/post/${id}`,
    '?type=category',
    `/user/${users.editor}`,
    `/category/${category?.id}`,
    `/bulk?s=${encodeURIComponent(HOSTILE)}`,
  ]) {
    await page.goto(`${server.url}/admin/seo${path}`);
    expect(await page.locator('script').count(), path).toBe(1);
    expect(await page.locator('img').count(), path).toBe(0);
  }
  await page.goto(`${server.url}/admin/seo/post/${id}`);
  for (const list of await page.locator('form details > summary').all()) await list.click();
  for (const field of [
    'focus_keyphrase',
    'title',
    'description',
    'og_title',
    'og_description',
    'breadcrumb_title',
    'name',
  ]) {
    expect(await page.inputValue(`#${field}`), field).toBe(HOSTILE);
    await page.fill(`#${field}`, `${HOSTILE} x`);
  }
  await page.waitForFunction(() => document.querySelector('#result .title')?.textContent?.endsWith(' x'));
  expect(await page.inputValue('#content')).toBe(`<p>${HOSTILE}</p></textarea>${HOSTILE}`);
  expect(await page.locator('#result script, #result img').count()).toBe(0);
  await page.click('button[value=save]');
  await page.waitForURL('**?saved');

  // The site's head contains the same.
  const rest = `/${context.restRoot}`;
  const found = await askAs('editor', `${rest}/core/v2/posts/${id}?_fields=link`);
  const { link } = JSON.parse(found.body) as { link: string };
  const answer = await askAs('editor', `${rest}/seo/v1/get_head?url=${encodeURIComponent(link)}`);
  const { html } = JSON.parse(answer.body) as { html: string };
  await page.setContent(`<!doctype html><html><head>${html}</head><body></body></html>`);
  expect(await page.locator('script').count()).toBe(1);
  expect(await page.locator('img').count()).toBe(0);
  const graph = JSON.parse((await page.textContent('script[type="application/ld+json"]')) ?? '') as unknown;
  expect(JSON.stringify(graph)).not.toMatch(/<script|onerror|javascript:/);
  expect(await page.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined();
});

test('axe finds nothing on any of the pages, in both colour schemes', async () => {
  const id = await addPost({ slug: 'geprueft', title: 'Geprüft', content: ADVICE_PLANS.de.before.text });
  await context.store.db.insert(term).values({ taxonomy: 'category', slug: 'geprueft', name: 'Geprüft' });
  const [category] = await context.store.db.select().from(term).where(eq(term.slug, 'geprueft'));
  const pages = [
    '/admin/',
    '/admin/account/',
    '/admin/seo?language=de-de&status=publish&sort=seo',
    '/admin/seo',
    '/admin/seo/bulk',
    `/admin/seo/post/${id}`,
    '/admin/seo?s=nichts',
    '/admin/seo/bulk?type=category&count=3',
    `/admin/seo/category/${category?.id}?saved`,
    `/admin/seo/user/${users.editor}`,
  ];
  const signedIn = { siteUrl: server.url, storageState: await visit.storageState() };
  expect(await auditAccessibility(browser, { ...signedIn, pages })).toEqual([]);
});

test('without script the button shows the same advice, and nothing is saved', async () => {
  const id = await addPost({ slug: 'ohne-skript', title: 'Ohne Skript', content: ADVICE_PLANS.de.before.text });
  const plain = await browser.newContext({ javaScriptEnabled: false, storageState: await visit.storageState() });
  const page = await plain.newPage();
  await page.goto(`${server.url}/admin/seo/post/${id}`);
  await page.fill('#focus_keyphrase', 'Türdrücker');
  await page.click('button[value=check]');
  expect(await page.textContent('.notice')).toContain('noch nicht gespeichert');
  expect(await page.textContent('[data-check-id=keyphraseLength]')).toContain('Gut.');
  expect((await storedPost(id))?.meta).toEqual({});

  await page.goto(`${server.url}/admin/seo/bulk?s=Skript`);
  const usual = await page.getAttribute(`[name=title-${id}]`, 'placeholder');
  expect(usual).toBe('Ohne Skript - Beschläge & mehr');
  await page.fill(`[name=title-${id}]`, 'Neuer Titel');
  await page.click('main form[method=post] button');
  expect(await page.textContent('.notice')).toBe('1 gespeichert.');
  expect(parseSettingsMeta((await storedPost(id))?.meta ?? {})).toMatchObject({ title: 'Neuer Titel' });
  await plain.close();
});

test('concurrent changes of another user are not overwritten', async () => {
  const id = await addPost({ slug: 'zwei', title: 'Zwei', content: '<p>Eins.</p>' });
  const page = await visit.newPage();
  await page.goto(`${server.url}/admin/seo/post/${id}`);
  await context.store.db
    .update(content)
    .set({ content: '<p>Zwei.</p>', modified: '2026-02-01 10:00:00' })
    .where(eq(content.id, id));
  await page.fill('#content', '<p>Drei.</p>');
  await page.click('button[value=save]');
  expect(await page.textContent('[role=alert]')).toContain('Jemand hat dies geändert');
  expect(await page.inputValue('#content')).toBe('<p>Drei.</p>');
  expect((await storedPost(id))?.content).toBe('<p>Zwei.</p>');
  await page.click('button[value=save]');
  await page.waitForURL('**?saved');
  expect((await storedPost(id))?.content).toBe('<p>Drei.</p>');
});

const settingsOf = async (id: number) => parseSettingsMeta((await storedPost(id))?.meta ?? {});

test('a form saves only the fields that its user has changed', async () => {
  const id = await addPost({ slug: 'wenig', title: 'Wenig', content: '\n<p>Eins.\r\nZwei.</p>' });
  const path = `/admin/seo/post/${id}`;
  const [first, second] = [await openForm('editor', path), await openForm('administrator', path)];
  const shown = { title: '', description: '', content: '\r\n<p>Eins.\r\nZwei.</p>' };
  const times = (await storedPost(id))?.modified;
  expect((await first({ ...shown, description: 'Vom ersten.' })).status).toBe(303);
  expect((await second({ ...shown, title: 'Vom zweiten' })).status).toBe(303);
  expect(await settingsOf(id)).toMatchObject({ title: 'Vom zweiten', description: 'Vom ersten.' });
  expect(await storedPost(id)).toMatchObject({ content: '\n<p>Eins.\r\nZwei.</p>', modified: times });

  const late = await first({ ...shown, title: 'Auch vom ersten', is_cornerstone: '1' });
  expect(late.status).toBe(409);
  expect(alertOf(late)).toContain('SEO-Titel ist jetzt: Vom zweiten');
  expect(late.body).toContain('value="Auch vom ersten"');
  expect(await settingsOf(id)).toMatchObject({ title: 'Vom zweiten', is_cornerstone: false });
});

test('the table saves changed rows of its form that have moved to another page of the list', async () => {
  const rows = [await addPost({ title: 'Tabelle 1' }), await addPost({ title: 'Tabelle 2' })];
  const [id = 0, other = 0] = rows;
  const send = await openForm('editor', '/admin/seo/bulk?s=Tabelle');
  for (let i = 0; i < 20; i++) await addPost({ title: 'Tabelle, neuer', modified: '2027-01-01 00:00:00' });
  await setSettings(id, { description: 'Von anderen.' });
  const empty = { [`description-${id}`]: '', [`title-${other}`]: '', [`description-${other}`]: '' };
  expect((await send({ ...empty, [`title-${id}`]: 'Aus der Tabelle' })).status).toBe(303);
  expect(await settingsOf(id)).toMatchObject({ title: 'Aus der Tabelle', description: 'Von anderen.' });
  expect((await storedPost(other))?.meta).toEqual({});

  const clash = await send({ ...empty, [`description-${id}`]: 'Meine.', [`title-${other}`]: 'Nicht gespeichert' });
  expect(clash.status).toBe(409);
  expect(alertOf(clash)).toContain('Meta-Beschreibung ist jetzt: Von anderen.');
  expect(clash.body).toContain('value="Nicht gespeichert"');
  await context.store.db.update(content).set({ status: 'trash' }).where(eq(content.id, id));
  const gone = await send({ [`title-${id}`]: 'Zu spät', [`title-${other}`]: 'Nicht gespeichert' });
  expect([gone.status, alertOf(gone)]).toEqual([
    422,
    expect.stringContaining('Hier gibt es nichts, das Sie bearbeiten dürfen.'),
  ]);
  expect((await storedPost(other))?.meta).toEqual({});
});

test('simultaneous changes are all saved', async () => {
  const id = await addPost({ title: 'Gleichzeitig' });
  const path = `/admin/seo/post/${id}`;
  const changes = { title: 'A', description: 'B', og_title: 'C', breadcrumb_title: 'D', canonical: 'https://e.test/' };
  const forms = await Promise.all(
    Object.entries(changes).map(async (field) => [await openForm('editor', path), field] as const),
  );
  const answers = await Promise.all(forms.map(([send, [field, value]]) => send({ [field]: value })));
  expect(answers.map(({ status }) => status)).toEqual(forms.map(() => 303));
  expect(await settingsOf(id)).toMatchObject(changes);
  const [first, second] = [await openForm('editor', path), await openForm('administrator', path)];
  const same = await Promise.all([first({ title: 'Eins' }), second({ title: 'Zwei' })]);
  expect(same.map(({ status }) => status).toSorted()).toEqual([303, 409]);
});

test('hostile forms get a clear response and change nothing', async () => {
  const id = await addPost({ slug: 'angriff', title: 'Angriff', content: '<p>Ruhig.</p>' });
  const path = `/admin/seo/post/${id}`;
  const send = await openForm('editor', path);
  const long = 'x'.repeat(100_000);
  const refused: [fields: Record<string, string>, says: string][] = [
    [{ title: long }, 'SEO-Titel: höchstens 500 Zeichen'],
    [{ description: long }, 'Meta-Beschreibung: höchstens 2000 Zeichen'],
    [{ focus_keyphrase: long }, 'Fokus-Suchbegriff: höchstens 191 Zeichen'],
    [{ name: long }, 'Titel: höchstens 16384 Zeichen'],
    [{ slug: long }, 'URL-Slug: höchstens 2000 Zeichen'],
    [{ content: 'x'.repeat(2_100_000) }, 'Text (HTML): höchstens 2097152 Zeichen'],
    [{ index: 'toString' }, 'Dieser Wert ist nicht möglich'],
    ...['canonical', 'redirect', 'og_image'].flatMap((field) =>
      ['javascript:alert(1)', ' JaVaScRiPt:alert(1)', 'data:text/html,x', '//evil.test/', 'x', long].map(
        (address): [Record<string, string>, string] => [{ [field]: address }, 'Geben Sie eine Adresse ein'],
      ),
    ),
  ];
  for (const [fields, says] of refused) {
    const answer = await send(fields);
    expect([answer.status, alertOf(answer)], JSON.stringify(fields).slice(0, 60)).toEqual([
      422,
      expect.stringContaining(says),
    ]);
  }
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`title-${i + 1}`, 'x']));
  for (const to of ['/admin/seo/bulk', path]) expect((await send(many, to)).status).toBe(413);
  for (const odd of [{ shown: '{' }, { shown: '[null]' }, { language: 'constructor' }, { ['__proto__']: 'x' }]) {
    expect((await send({ ...odd, action: 'check' })).status, JSON.stringify(odd).slice(0, 60)).toBe(200);
  }
  for (const wrong of [
    'post/0',
    'post/9007199254740991',
    'post/99999999999999999999',
    `page/${id}`,
    `post%00/${id}`,
    'constructor/1',
    `attachment/${id}`,
  ])
    expect((await send({ title: 'x' }, `/admin/seo/${wrong}`)).status, wrong).toBe(404);
  for (const form_token of ['', 'x', `${'x'.repeat(43)}`])
    expect((await send({ form_token, title: 'x' })).status).toBe(403);
  const stranger = await openForm('administrator', path);
  const { body } = await askAs('editor', path);
  const theirs = [...body.matchAll(/name="form_token" value="([^"]*)"/g)].at(-1)?.[1] ?? '';
  expect((await stranger({ form_token: theirs, title: 'x' })).status).toBe(403);
  expect(await storedPost(id)).toMatchObject({ meta: {}, title: 'Angriff', slug: 'angriff', content: '<p>Ruhig.</p>' });

  expect((await send({ title: 'Null\0byte', name: 'Null\0byte' })).status).toBe(303);
  expect(await storedPost(id)).toMatchObject({ title: 'Nullbyte', meta: { _seo_title: 'Nullbyte' } });
});

test('authors can edit only their own texts, and not redirects', async () => {
  const [own, others] = [
    await addPost({ slug: 'eigenes', status: 'draft', title: 'Eigenes', authorId: users.contributor ?? 0 }),
    await addPost({ slug: 'anderer', status: 'draft', title: 'Anderer' }),
  ];
  const send = await openForm('contributor', `/admin/seo/post/${own}`);
  expect((await send({ title: 'Meins' })).status).toBe(303);
  for (const barred of [{ redirect: 'https://evil.test/' }, { canonical: 'https://evil.test/' }, { index: 'noindex' }])
    expect(alertOf(await send(barred))).toContain('nur Redakteure');
  for (const wrong of [`post/${others}`, `user/${users.editor}`, 'category/1'])
    expect((await send({ title: 'x' }, `/admin/seo/${wrong}`)).status, wrong).toBe(404);
  expect((await send({ [`title-${others}`]: 'x' }, '/admin/seo/bulk')).status).toBe(422);
  expect([(await settingsOf(own)).title, await settingsOf(own)]).toEqual([
    'Meins',
    expect.objectContaining({ redirect: '', canonical: '', index: 'default' }),
  ]);
  expect((await storedPost(others))?.meta).toEqual({});
});

test('keyphrase uses count only content that the user can read', async () => {
  const { contributor, editor, administrator } = users;
  const phrase = 'geheimes vorhaben';
  const own = await addPost({ slug: 'rat', status: 'draft', title: 'Rat', authorId: contributor ?? 0 });
  const reuse = async (role: Role) => {
    const send = await openForm(role, `/admin/seo/post/${own}`);
    const { body } = await send({ focus_keyphrase: phrase }, `/admin/seo/post/${own}/check`);
    expect(body).toContain('diesen Suchbegriff');
    return body.includes('1 andere Seite hat diesen Suchbegriff');
  };
  for (const [about, row, seenBy] of [
    ['a private page', { status: 'private', authorId: administrator ?? 0 }, ['editor']],
    ['a draft', { status: 'draft', authorId: editor ?? 0 }, ['editor']],
    ['a guarded page', { status: 'publish', password: 'x', authorId: editor ?? 0 }, ['editor']],
    ['what is in the trash', { status: 'trash', authorId: editor ?? 0 }, []],
    ['an own draft', { status: 'draft', authorId: contributor ?? 0 }, ['contributor', 'editor']],
    ['a public page', { status: 'publish', authorId: editor ?? 0 }, ['contributor', 'editor']],
  ] as const) {
    const id = await addPost({ ...row, meta: { _seo_focuskw: 'Geheimes Vorhaben' } });
    const found = [];
    for (const role of ['contributor', 'editor'] as const) if (await reuse(role)) found.push(role);
    expect(found, about).toEqual([...seenBy]);
    await context.store.db.delete(content).where(eq(content.id, id));
  }
});

test('users can not see or change content without permission, and forms require a token', async () => {
  const id = await addPost({ slug: 'fremd', title: 'Fremdes' });
  const path = `/admin/seo/post/${id}`;
  const stranger = await server.ask(path);
  expect([stranger.status, stranger.headers['location']]).toEqual([
    302,
    `/admin/sign-in/?next=${encodeURIComponent(path)}`,
  ]);
  expect((await askAs('subscriber', '/admin/seo')).status).toBe(403);
  expect((await askAs('contributor', path)).status).toBe(404);
  const list = await askAs('contributor', '/admin/seo');
  expect(list.body).not.toContain('Fremdes');
  const policy = list.headers['content-security-policy'];
  expect(policy).toMatch(
    /^default-src 'none'; .*script-src 'self'; connect-src 'self'; img-src 'self' \S+; form-action/,
  );
  for (const target of [path, `${path}/check`, '/admin/seo/bulk', '/admin/seo/analyse']) {
    expect((await askAs('editor', target, { action: 'save', title: 'x', [`title-${id}`]: 'x' })).status).toBe(403);
  }
  expect((await storedPost(id))?.meta).toEqual({});
});

test('invalid values are reported and the input is preserved', async () => {
  const id = await addPost({ slug: 'falsch', title: 'Falsch' });
  const page = await visit.newPage();
  await page.goto(`${server.url}/admin/seo/post/${id}`);
  await page.click('details:has(#canonical) > summary');
  expect(await page.getByLabel('Weiterleitungsziel').getAttribute('aria-describedby')).toBe('redirect-hint');
  expect(await page.textContent('#redirect-hint')).toContain('kommt stattdessen dorthin');
  await page.fill('#canonical', 'javascript:alert(1)');
  await page.fill('#title', 'Neu');
  await page.click('button[value=save]');
  expect(await page.textContent('[role=alert]')).toContain('Kanonische URL: Geben Sie eine Adresse ein');
  expect([await page.inputValue('#title'), await page.inputValue('#canonical')]).toEqual([
    'Neu',
    'javascript:alert(1)',
  ]);
  expect((await storedPost(id))?.meta).toEqual({});
  expect(await findViolations(page)).toEqual([]);
  await page.goto(`${server.url}/admin/seo/post/0`);
  expect([await page.textContent('[role=alert]'), await findViolations(page)]).toEqual([
    expect.stringContaining('Hier gibt es nichts'),
    [],
  ]);
});

/** A listed post with scores. */
async function addScored(seo_score: number, row: Partial<typeof content.$inferInsert>): Promise<void> {
  const id = await addPost({ ...row, title: `Liste ${seo_score}` });
  await setSettings(id, { seo_score, readability_score: 90 });
}

/** Settings that another user has changed in the meantime. */
async function setSettings(id: number, settings: Partial<SeoSettings>): Promise<void> {
  await writeContent(context.store.db, (tx) => writeSeoSettings(tx, context, { type: 'post', id }, settings));
}

/** Titles of these posts in a filtered overview. */
const listedTitles = async (query: string) => {
  const { status, body } = await askAs('editor', `/admin/seo?s=Liste&${query}`);
  expect(status, query).toBe(200);
  return [...body.matchAll(/>(Liste [^<]*)<\/a/g)].map(([, title]) => title).toSorted();
};

test('the overview is filtered by the parameters of interface links', async () => {
  await addScored(71, { slug: 'liste-gut' });
  await addScored(41, { slug: 'liste-ok', status: 'draft' });
  await addScored(40, { slug: 'liste-schlecht' });
  await addScored(0, { slug: 'liste-ohne' });
  expect(await listedTitles('')).toEqual(['Liste 0', 'Liste 40', 'Liste 41', 'Liste 71']);
  expect(await listedTitles('seo_filter=good')).toEqual(['Liste 71']);
  expect(await listedTitles('seo_filter=ok&status=draft')).toEqual(['Liste 41']);
  expect(await listedTitles('seo_filter=bad&readability_filter=good')).toEqual(['Liste 40']);
  expect(await listedTitles('seo_filter=na')).toEqual(['Liste 0']);
  for (const none of ['seo_filter=noindex', 'readability_filter=bad', 'category=keine', 'author=999999', 'page=99']) {
    expect(await listedTitles(none), none).toEqual([]);
  }
  for (const odd of ['status=constructor', 'author=9007199254740991', 'category=%00', 'page=1e99'])
    await listedTitles(odd);
  expect(await listedTitles('type=nonsense')).toEqual([]);
});

test('texts have the language of the catalogue and are filtered by it', async () => {
  const [english] = await context.store.db
    .insert(term)
    .values({ taxonomy: 'category', slug: 'english', name: 'English' })
    .returning();
  const [below] = await context.store.db
    .insert(term)
    .values({ taxonomy: 'category', slug: 'news', name: 'News', parentId: english?.id ?? 0 })
    .returning();
  const named = await addPost({ slug: 'fr-wand', title: 'Liste en' });
  await context.store.db.insert(contentTerm).values({ contentId: named, termId: below?.id ?? 0 });
  await addPost({ slug: 'fr-mur', title: 'Liste fr' });
  const above = await addPost({ type: 'page', slug: 'fr-toit', title: 'Liste fr oben' });
  const middle = await addPost({ type: 'page', slug: 'tuile', title: 'Liste fr mitte', parentId: above });
  await addPost({ type: 'page', slug: 'argile', title: 'Liste fr unten', parentId: middle });
  await addPost({ type: 'page', slug: 'dach', title: 'Liste de' });
  expect(await listedTitles('language=en-gb')).toEqual(['Liste en']);
  expect(await listedTitles('language=fr-fr')).toEqual(['Liste fr']);
  expect(await listedTitles('language=fr-fr&type=page')).toEqual(['Liste fr mitte', 'Liste fr oben', 'Liste fr unten']);
  expect(await listedTitles('language=de-de&type=page')).toEqual(['Liste de']);
  expect(await listedTitles('language=xx')).toEqual([]);
  const { body } = await askAs('editor', '/admin/seo?s=Liste+en&links=1');
  expect(body).toMatch(/<td data-label="Eingehende Links">\s*0/);
  expect(body).toMatch(/<td data-label="Sprache">\s*Englisch/);
  expect((await askAs('editor', '/admin/seo?type=category')).body).not.toContain('data-label="Sprache"');
});

test('the list is sorted by links, together with filters', async () => {
  for (const [title, seo_score, modified] of [
    ['Reihe b', 30, '2026-01-03 00:00:00'],
    ['Reihe Ä', 80, '2026-01-01 00:00:00'],
    ['Reihe c', 50, '2026-01-02 00:00:00'],
  ] as const) {
    const id = await addPost({ title, modified });
    await setSettings(id, { seo_score, focus_keyphrase: title });
  }
  const plain = await browser.newContext({ javaScriptEnabled: false, storageState: await visit.storageState() });
  const page = await plain.newPage();
  const titles = () => page.$$eval('tbody th a', (links) => links.map(({ textContent }) => textContent));
  const sorted = () =>
    page.$$eval('th[aria-sort]', (heads) => heads.map((head) => `${head.textContent} ${head.ariaSort}`));
  await page.goto(`${server.url}/admin/seo?s=Reihe&status=publish`);
  expect([await titles(), await sorted()]).toEqual([['Reihe b', 'Reihe c', 'Reihe Ä'], ['Geändert ↓ descending']]);
  for (const [head, order, state] of [
    ['Titel', ['Reihe Ä', 'Reihe b', 'Reihe c'], 'Titel ↑ ascending'],
    ['Titel', ['Reihe c', 'Reihe b', 'Reihe Ä'], 'Titel ↓ descending'],
    ['SEO-Bewertung', ['Reihe Ä', 'Reihe c', 'Reihe b'], 'SEO-Bewertung ↓ descending'],
    ['SEO-Bewertung', ['Reihe b', 'Reihe c', 'Reihe Ä'], 'SEO-Bewertung ↑ ascending'],
  ] as const) {
    await page.click(`thead a:has-text("${head}")`);
    await page.waitForLoadState();
    expect([await titles(), await sorted()], state).toEqual([order, [state]]);
  }
  await page.selectOption('#seo_filter', 'ok');
  await page.click('.filter button');
  await page.waitForLoadState();
  expect([await titles(), new URL(page.url()).searchParams.get('order')]).toEqual([['Reihe c'], 'asc']);
  await page.goto(`${server.url}/admin/seo?type=category&sort=seo&order=desc`);
  const names = await titles();
  expect(names).toEqual(names.toSorted().toReversed());
  await plain.close();
});

test('a page of the list takes one statement, and its number another', async () => {
  await askAs('editor', '/admin/seo');
  const query = vi.spyOn(WriteCounter.prototype, 'isWrite');
  await askAs('editor', '/admin/seo?language=de-de&sort=title&missing=description');
  const statements = query.mock.calls.map(([sql]) => sql).filter((sql) => sql.includes('from "content"'));
  query.mockRestore();
  expect(statements).toHaveLength(2);
});

test('the start page counts what needs attention, with a link to as many rows', async () => {
  const id = await addPost({ slug: 'start', title: 'Start', status: 'draft', authorId: users.contributor ?? 0 });
  const times = { date: '2026-01-05 09:00:00', dateGmt: '2026-01-05 09:00:00' };
  await context.store.db.insert(comment).values({ contentId: id, text: 'Wartet', status: 'hold', ...times });
  await context.store.db.insert(outbox).values({ kind: 'origin.changed', payload: {}, attempts: 2 });
  const picture = await addPicture('leer.jpg', 'Ohne Text');
  const manager = await signIn('administrator');
  const page = await manager.newPage();
  const read = () =>
    page.$$eval('.todo > li', (items) =>
      items.map((item) => ({
        total: Number(item.querySelector('strong')?.textContent),
        name: item.querySelector('h2')?.textContent,
        links: [...item.querySelectorAll('a')].map(({ href, lastElementChild }) => ({
          href,
          count: Number(lastElementChild?.textContent),
        })),
      })),
    );
  await page.goto(`${server.url}/admin/`);
  const todos = await read();
  expect(todos.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Kommentare warten auf Freigabe', 'Entwürfe', 'Ohne Beschreibung', 'Ohne Alternativtext']),
  );
  for (const { name, total, links } of todos) {
    if (links.length > 0)
      expect(
        links.reduce((sum, { count }) => sum + count, 0),
        name ?? '',
      ).toBe(total);
    for (const { href, count } of links) {
      await page.goto(href);
      expect(await page.textContent('main'), href).toContain(`${count} gefunden`);
    }
  }
  await page.setViewportSize({ width: 320, height: 700 });
  for (const path of ['/admin/', '/admin/account/', '/admin/seo', '/admin/seo/bulk', `/admin/seo/post/${id}`]) {
    await page.goto(server.url + path);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320);
  }
  await manager.close();
  await context.store.db.delete(content).where(eq(content.id, picture));

  const ofContributor = (await askAs('contributor', '/admin/')).body;
  expect(ofContributor).toMatch(/status=draft/);
  for (const hidden of ['Alternativtext', 'Kommentare', 'Commentaires', 'type=page', PICTURES])
    expect(ofContributor).not.toContain(hidden);
  expect((await askAs('subscriber', '/admin/')).headers['location']).toBe('/admin/account/');
  expect((await server.ask('/admin/')).headers['location']).toBe('/admin/sign-in/');
});

const PICTURES = '/admin/seo/thumbnails';

test('the pages use the language of the account, otherwise of the browser', async () => {
  await context.store.db.update(user).set({ locale: 'fr_FR' }).where(eq(user.login, 'contributor'));
  const { body } = await askAs('contributor', '/admin/seo/bulk');
  expect(body).toContain('<html lang="fr">');
  expect(body).toContain('Titres et descriptions');
});

async function addPicture(name: string, title: string): Promise<number> {
  const folder = join(context.filesFolder, 'uploads/2026/01');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), await createTestImage(400, 200));
  const mediaDetails = { width: 400, height: 200 };
  const file = { mimeType: 'image/jpeg', file: `2026/01/${name}`, mediaDetails };
  return addPost({ type: 'attachment', status: 'inherit', slug: name, title, ...file });
}

test('managers see missing image sizes and regenerate them, with and without script', async () => {
  const id = await addPicture('dach.jpg', HOSTILE);
  const manager = await signIn('administrator');
  const path = `${server.url}/admin/seo/thumbnails`;
  const plain = await browser.newContext({ javaScriptEnabled: false, storageState: await manager.storageState() });
  const page = await plain.newPage();
  const row = async () => (await page.locator('tr', { hasText: HOSTILE }).textContent())?.replaceAll(/\s+/g, ' ');
  await page.goto(path);
  expect(await row()).toContain('400 × 200 0 von 2 thumbnail, medium');
  await page.click('button[value=begin]');
  expect(await page.textContent('#result')).toContain('wartet');
  const first = await startJobs(context);
  const isDone = async () => {
    await page.click('a:text-is("Aktualisieren")');
    return /fertig.*1 von 1 Bildern/s.test((await page.textContent('#result')) ?? '');
  };
  await expect.poll(isDone, { timeout: 20_000 }).toBe(true);
  await first.stop();
  expect(await row()).toContain('400 × 200 2 von 2');

  await page.click('button[value=begin]');
  await page.click('button[value=cancel]');
  expect(await page.textContent('#result')).toContain('abgebrochen');
  await rm(join(context.filesFolder, 'uploads/2026/01/dach-300x150.jpg'));
  await page.click(`a[href$="/thumbnails/${id}"]`);
  expect(await page.textContent('tr:has-text("dach-300x150.jpg")')).toContain('fehlt');
  await page.click('main form[method=post] button');
  expect(await page.textContent('.notice')).toBe('Die Größen sind erzeugt.');
  expect(await page.textContent('tr:has-text("dach-300x150.jpg")')).toContain('vorhanden');
  await plain.close();

  const live = await manager.newPage();
  await live.goto(path);
  await live.selectOption('#scope', 'featured');
  await live.click('button[value=begin]');
  await live.focus('button[value=cancel]');
  const second = await startJobs(context);
  await live.waitForFunction(() => document.querySelector('#summary')?.textContent?.includes('fertig'));
  expect(await live.locator('#result [data-open]').count()).toBe(0);
  await second.stop();
  const pages = ['/admin/seo/thumbnails', `/admin/seo/thumbnails/${id}`];
  const signedIn = { siteUrl: server.url, storageState: await manager.storageState() };
  expect(await auditAccessibility(browser, { ...signedIn, pages })).toEqual([]);
  expect(await live.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined();
  await manager.close();
});

test('image sizes require a manager, and forms require a token', async () => {
  const id = await addPicture('wand.jpg', 'Wand');
  for (const path of ['', '/progress', `/${id}`])
    expect((await askAs('editor', `/admin/seo/thumbnails${path}`)).status).toBe(403);
  expect((await askAs('editor', '/admin/seo')).body).not.toContain('/admin/seo/thumbnails');
  for (const path of ['', `/${id}`])
    expect((await askAs('administrator', `/admin/seo/thumbnails${path}`, { action: 'begin' })).status).toBe(403);
  for (const path of ['/999999', `/${await addPost({ slug: 'kein-bild' })}`, '/99999999999999999999'])
    expect((await askAs('administrator', `/admin/seo/thumbnails${path}`)).status).toBe(404);
});

test('all script of the pages is under 20 kB', () => {
  const scripts = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.mjs'));
  const bytes = scripts.map((name) => statSync(join(import.meta.dirname, name)).size);
  expect(bytes.length).toBeGreaterThan(0);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(20_000);
});
