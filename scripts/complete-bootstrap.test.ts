import { expect, test } from 'vitest';
import { completeBootstrap } from './complete-bootstrap.ts';

const FILE = JSON.stringify({
  site: { name: 'Notes' },
  users: [
    { login: 'ann', name: 'Ann', email: 'ann@example.test' },
    { login: 'ben', name: 'Ben' },
    { login: 'cleo', name: 'Cleo' },
  ],
});

const PASSWORDS = '/core/v2/users/me/application-passwords';
const get = (path: string, body: unknown, auth = 'none') => ({
  request: { method: 'GET', path, auth },
  response: { body },
});

function complete(...steps: object[]): unknown {
  return JSON.parse(completeBootstrap(FILE, steps.map((step) => JSON.stringify(step)).join('\n')));
}

test('names come from users, embedded ones too, from embeds and from what users see of themselves', () => {
  const ann = { slug: 'ann', name: 'ann', avatar_urls: {}, url: 'http://old.test' };
  const completed = complete(
    get('/core/v2/posts', [{ id: 1, slug: 'ben', name: 'a tag', _embedded: { author: [ann] } }]),
    get('/oembed', { provider_name: 'Notes', author_name: 'Ben Author', author_url: 'http://old.test/author/ben/' }),
    get('/run', { user_login: 'cleo', display_name: 'Cleo Reader', nickname: 'cleo', first_name: '' }),
    get('/oembed', { provider_name: 'Notes', author_name: 'Nobody', author_url: 'http://old.test/author/nobody/' }),
  );
  expect(completed).toEqual({
    site: { name: 'Notes' },
    users: [
      { login: 'ann', name: 'ann', email: 'ann@example.test' },
      { login: 'ben', name: 'Ben Author' },
      { login: 'cleo', name: 'Cleo Reader', nickname: 'cleo' },
    ],
  });
});

test('the theme comes from the index as editors see it', () => {
  const link = { href: 'http://old.test/rest/core/v2/themes/plain' };
  expect(complete(get('/', { _links: { 'wp:active-theme': [link] } }))).toMatchObject({
    site: { name: 'Notes', theme: 'plain' },
  });
});

test('application passwords come from lists that nothing was added to, and from the one in use', () => {
  const [own, added, used] = ['own', 'added', 'used'].map((name) => ({ name, uuid: `id of ${name}` }));
  const completed = complete(
    get(PASSWORDS, [own], 'ann'),
    { request: { method: 'POST', path: PASSWORDS, auth: 'ben' }, response: { body: added } },
    get(PASSWORDS, [added], 'ben'),
    get(`${PASSWORDS}/introspect`, used, 'ben'),
    get(PASSWORDS, { code: 'rest_not_logged_in' }, 'cleo'),
    get(PASSWORDS, [own]),
  );
  expect(completed).toMatchObject({
    users: [
      { applicationPasswordName: 'own', applicationPasswordId: 'id of own' },
      { applicationPasswordName: 'used', applicationPasswordId: 'id of used' },
      { login: 'cleo', name: 'Cleo' },
    ],
  });
  expect(JSON.stringify(completed)).not.toContain('added');
});
