import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '#contracts/core/user-routes.ts';
import { findUserByPassword } from '#origin/platform/accounts/users.ts';
import { findSession, openSession } from '#origin/platform/accounts/sessions.ts';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';
import { applicationPassword, comment, content, outbox } from '#origin/platform/store/schema.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

interface Body extends Record<string, unknown> {
  id: number;
}

async function send(method: string, path: string, body: object = {}, as: Role | undefined = 'administrator') {
  const headers = { 'content-type': 'application/json' };
  const about = { method, headers, body: JSON.stringify(body), ...(as ? { as } : {}) };
  const answer = await site.fetch(`/core/v2/users${path}`, about);
  return { ...answer, body: answer.body as Body };
}

let made = 0;
async function add(fields: object = {}) {
  made += 1;
  const login = `new-${made}`;
  return send('POST', '', { username: login, email: `${login}@origin.test`, password: 'long enough', ...fields });
}

describe('adding', () => {
  test('a user is a subscriber who can sign in, and is announced', async () => {
    const { status, body, headers } = await add({ name: '<b>New</b> One' });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${site.context.publicUrl}/rest/core/v2/users/${body.id}`);
    expect(body).toMatchObject({ name: 'New One', roles: ['subscriber'], slug: `new-${made}` });
    expect(JSON.stringify(body)).not.toMatch(/argon|long enough/);
    expect((await findUserByPassword(site.context, `new-${made}`, 'long enough'))?.id).toBe(body.id);
    const messages = JSON.stringify(await site.context.store.db.select().from(outbox));
    expect(messages).toContain(`{"id":"${body.id}","what":"user","action":"created"}`);
  });

  test.each([
    ['no e-mail address', { email: undefined }, 'rest_missing_callback_param'],
    ['a wrong e-mail address', { email: 'nobody' }, 'rest_invalid_param'],
    ['a taken login', { username: 'EDITOR' }, 'existing_user_login'],
    ['a taken e-mail address', { email: 'Editor@origin.test' }, 'existing_user_email'],
    ['a taken slug', { slug: 'editor' }, 'rest_user_invalid_slug'],
    ['an unknown role', { roles: ['king'] }, 'rest_user_invalid_role'],
    ['two roles', { roles: ['editor', 'author'] }, 'rest_user_invalid_role'],
    ['a script for a home page', { url: 'javascript:alert(1)' }, 'rest_invalid_param'],
    ['an id', { id: 1 }, 'rest_user_exists'],
  ])('%s is refused', async (_, fields, code) => {
    expect(await add(fields)).toMatchObject({ status: 400, body: { code } });
  });

  test('only administrators add users', async () => {
    const wanted = { username: 'x', email: 'x@origin.test', password: 'long enough' };
    expect(await send('POST', '', wanted, 'editor')).toMatchObject({
      status: 403,
      body: { code: 'rest_cannot_create_user' },
    });
  });
});

describe('changing', () => {
  test('users change themselves, and no more than what is theirs', async () => {
    const { body, status } = await send('PATCH', '/me', { description: 'Knows <i>roofs</i>' }, 'author');
    expect({ status, description: body['description'] }).toEqual({ status: 200, description: 'Knows <i>roofs</i>' });
    expect((await send('PUT', '/me', { roles: ['administrator'] }, 'author')).body).toMatchObject({
      code: 'rest_cannot_edit_roles',
    });
    expect((await send('POST', `/${site.users.editor}`, { name: 'x' }, 'author')).body).toMatchObject({
      code: 'rest_cannot_edit',
    });
    expect((await send('POST', '/me', { username: 'other' }, 'author')).body).toMatchObject({
      code: 'rest_user_invalid_argument',
    });
  });

  test('the profile is theirs to tell, without markup; what is empty shows the login', async () => {
    const about = { first_name: '<b>Ann</b>', last_name: 'Other', nickname: 'annie', locale: 'en_US' };
    expect((await send('POST', '/me', about, 'contributor')).body).toMatchObject({ ...about, first_name: 'Ann' });
    expect((await send('POST', '/me', { nickname: '', locale: '' }, 'contributor')).body).toMatchObject({
      nickname: 'contributor',
      locale: 'en_US',
    });
    expect((await send('POST', '/me', { locale: 'xx_XX' }, 'contributor')).status).toBe(400);
    expect((await send('POST', '/me', { last_name: 'x'.repeat(251) }, 'contributor')).body).toMatchObject({
      data: { params: { last_name: expect.stringContaining('250') } },
    });
    const unclosed = { last_name: '<img src=x onerror=alert(1) ', nickname: '<a'.repeat(120) };
    expect((await send('POST', '/me', unclosed, 'contributor')).body).toMatchObject({
      last_name: '',
      nickname: 'contributor',
    });
    expect(
      (await site.fetch(`/core/v2/users/${site.users.contributor}`, { as: 'administrator' })).body,
    ).not.toHaveProperty('nickname');
    const run = await site.fetch('/abilities/v1/abilities/core/get-user-info/run', { as: 'contributor' });
    expect(run.body).toMatchObject({ first_name: 'Ann', last_name: '', nickname: 'contributor' });
  });

  test('a new password ends the sessions of the old one', async () => {
    const { body } = await add();
    const key = await openSession(site.context, body.id);
    await send('POST', `/${body.id}`, { password: 'another one' });
    expect(await findSession(site.context, `sortiment_session=${key}`)).toBeUndefined();
    expect((await findUserByPassword(site.context, `new-${made}`, 'another one'))?.id).toBe(body.id);
  });

  test('the last administrator stays one', async () => {
    const demoted = await send('POST', '/me', { roles: ['editor'] });
    expect(demoted).toMatchObject({ status: 409, body: { code: 'rest_user_last_administrator' } });
    const deleted = await send('DELETE', '/me', { force: true, reassign: site.users.editor });
    expect(deleted).toMatchObject({ status: 409 });
  });

  test('what is allowed is told', async () => {
    const me = await site.fetch('/core/v2/users/me', { as: 'author' });
    expect(me.headers.get('allow')).toBe('GET, POST, PUT, PATCH');
    expect((await site.fetch('/core/v2/users/me', { as: 'administrator' })).headers.get('allow')).toMatch(/DELETE$/);
  });
});

describe('deleting', () => {
  test('hands over what was written, and ends every way in', async () => {
    const { body } = await add({ roles: ['author'] });
    const postId = await site.addContent({ authorId: body.id });
    await site.context.store.db.insert(comment).values({
      contentId: postId,
      authorId: body.id,
      authorName: 'Leaving',
      authorEmail: 'leaving@origin.test',
      text: 'Bye',
      status: 'approved',
      date: '2026-01-05 09:00:00',
      dateGmt: '2026-01-05 08:00:00',
    });
    await send('POST', `/${body.id}/application-passwords`, { name: 'App' });
    expect((await send('DELETE', `/${body.id}`, { reassign: 0 })).status).toBe(501);
    expect(await send('DELETE', `/${body.id}`, { force: true, reassign: 0 })).toMatchObject({
      status: 400,
      body: { code: 'rest_user_invalid_reassign' },
    });
    const gone = await send('DELETE', `/${body.id}`, { force: true, reassign: site.users.editor });
    expect(gone).toMatchObject({ status: 200, body: { deleted: true, previous: { id: body.id } } });
    const { db } = site.context.store;
    expect(await db.select({ by: content.authorId }).from(content).where(eq(content.id, postId))).toEqual([
      { by: site.users.editor },
    ]);
    expect(await db.select().from(applicationPassword).where(eq(applicationPassword.userId, body.id))).toEqual([]);
    expect(await db.select().from(comment).where(eq(comment.contentId, postId))).toMatchObject([
      { authorId: 0, authorName: 'Leaving', authorEmail: '' },
    ]);
    expect((await send('DELETE', `/${body.id}`, { force: true, reassign: 0 })).status).toBe(404);
  });
});

const signIn = (login: string, password: string) =>
  site.fetch('/core/v2/users/me/application-passwords/introspect', {
    headers: { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` },
  });

describe('application passwords', () => {
  test('are told once, sign in until they are revoked, and leave no trace of their letters in the store', async () => {
    const made_ = await send('POST', '/me/application-passwords', { name: '<b>My</b> app' }, 'contributor');
    const { password, uuid } = made_.body as unknown as { password: string; uuid: string };
    expect(made_).toMatchObject({ status: 201, body: { name: 'My app', last_used: null, last_ip: null } });
    expect(password).toMatch(/^(?:\w{4} ){5}\w{4}$/);
    const stored = JSON.stringify(await site.context.store.db.select().from(applicationPassword));
    expect(stored).not.toContain(password);
    expect(stored).not.toContain(password.replaceAll(' ', ''));

    expect((await signIn('contributor', password)).body).toMatchObject({ uuid, last_ip: expect.any(String) });
    const listed = await site.fetch('/core/v2/users/me/application-passwords', { as: 'contributor' });
    expect(listed.text).toContain(uuid);
    expect(listed.text).not.toContain('"password"');

    const renamed = await send('PATCH', `/me/application-passwords/${uuid}`, { name: 'Renamed' }, 'contributor');
    expect(renamed.body).toMatchObject({ name: 'Renamed' });
    const revoked = await send('DELETE', `/me/application-passwords/${uuid}`, {}, 'contributor');
    expect(revoked.body).toMatchObject({ deleted: true, previous: { uuid } });
    expect(await signIn('contributor', password)).toMatchObject({ status: 401, body: { code: 'incorrect_password' } });
  });

  test.each([
    ['', true],
    ['?_fields=name,_links', true],
    ['?_fields=name,uuid', false],
  ])('a new one tells its address where its links are shown: %s', async (query, isIncluded) => {
    const { headers } = await send('POST', `/me/application-passwords${query}`, { name: 'App' }, 'contributor');
    expect(headers.has('location')).toBe(isIncluded);
  });

  test.each([
    ['GET', 'rest_cannot_list_application_passwords'],
    ['POST', 'rest_cannot_create_application_passwords'],
    ['DELETE', 'rest_cannot_delete_application_passwords'],
  ])('of others are nobody’s business: %s', async (method, code) => {
    const about = { method, as: 'editor', headers: { 'content-type': 'application/json' } } as const;
    const body = method === 'GET' ? {} : { body: JSON.stringify({ name: 'x' }) };
    const answer = await site.fetch(`/core/v2/users/${site.users.author}/application-passwords`, { ...about, ...body });
    expect(answer).toMatchObject({ status: 403, body: { code } });
    expect(answer.headers.get('allow')).toBeNull();
  });

  test('administrators revoke all of another user’s', async () => {
    const { body } = await add();
    for (const name of ['one', 'two']) await send('POST', `/${body.id}/application-passwords`, { name });
    expect((await send('DELETE', `/${body.id}/application-passwords`)).body).toEqual({ deleted: true, count: 2 });
  });

  test('too many wrong ones have to wait, and never the right one', async () => {
    const login = 'subscriber';
    for (let i = 0; i < 20; i += 1) expect((await signIn(login, `wrong ${i}`)).status).toBe(401);
    const refused = await signIn('subscriber@origin.test', 'wrong');
    expect(refused).toMatchObject({ status: 429, body: { code: 'rest_too_many_attempts' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await site.fetch('/core/v2/users/me', { as: 'subscriber' })).status).toBe(200);
  });
});
