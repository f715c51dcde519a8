import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser } from '#origin/platform/accounts/users.ts';
import { findTokenOwner, listProductTokens, decryptTokens } from '#origin/platform/accounts/product-tokens.ts';
import { openSession } from '#origin/platform/accounts/sessions.ts';
import { FULL_GTIN, upsertRecord, startTestInterface, type TestInterface } from './testing/test-interface.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8';
const PRODUCT = `product/${FULL_GTIN}/`;
const EVIL_GTIN = '9524010000030';
const PAYLOAD = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&lt;`;

let origin: TestInterface;
let cookie: string;

beforeAll(async () => {
  origin = await startTestInterface();
  const { id } = await createUser(origin.context, {
    login: 'dealer',
    name: '<i>Händlerin</i>',
    email: 'dealer@example.org',
    role: 'contributor',
  });
  cookie = `sortiment_session=${await openSession(origin.context, id)}`;
  await upsertRecord(origin.context, {
    gtin: EVIL_GTIN,
    language: 'de-de',
    name: PAYLOAD,
    application: `<p>${PAYLOAD}</p>`,
    datasheet: 'javascript:alert(1)',
    image: `https://evil.example/"onmouseover="alert(3)`,
    attributes: [{ name: PAYLOAD, norm: `https://example.org/'><script>`, value: '</pre></main>' }],
  });
}, 60_000);
afterAll(() => origin.close());

function browse(path: string, headers: Record<string, string> = { cookie }) {
  return origin.ask(path, { authorization: null, headers: { accept: BROWSER, ...headers } });
}

describe('pages', () => {
  test.each(['', PRODUCT, 'language/', 'product/', 'docs/', 'product/4012345678901/'])(
    '%s is HTML without scripts',
    async (path) => {
      const answer = await browse(path);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.body)));
      expect(answer.body).not.toContain('<script');
    },
  );

  test('show the request, the status, the headers, and the JSON with its links', async () => {
    const { body, headers, status } = await browse(`${PRODUCT}?language=fr-fr`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ vary: 'Accept, Cookie', 'cache-control': 'private', allow: 'GET, HEAD, OPTIONS' });
    expect(body).toContain(`GET /api/partner/v1/${PRODUCT}?language=fr-fr`);
    expect(body).toContain('HTTP 200 OK');
    expect(body).toContain('href="http://origin.test/media/fr-fr/hw-10110.pdf"');
    expect(body).toContain('href="/api/partner/v1/">Produktschnittstelle</a>');
    expect(body).toMatch(/\?language=fr-fr&amp;format=json"/);
    expect(body).toMatch(/\?language=en-gb"[^>]*lang="en-GB"/);
    expect(body).toMatch(/\?language=fr-fr"[^>]*aria-current="true"/);
    expect(body).toContain('&lt;i&gt;Händlerin&lt;/i&gt;');
  });

  test('the JSON of the page is the JSON of the interface', async () => {
    const json = await browse(`${PRODUCT}?format=json`);
    const shown = /HTTP 200 OK<\/span>[\s\S]*?\n\n([\s\S]*?)<\/pre>/.exec((await browse(PRODUCT)).body)?.[1] ?? '';
    const text = shown
      .replace(/<[^>]+>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&');
    expect(text).toBe(JSON.stringify(JSON.parse(json.body), null, 4));
  });

  test('records are escaped', async () => {
    const { body } = await browse(`product/${EVIL_GTIN}/`);
    const shown = body.slice(body.indexOf('<main'));
    expect(shown).not.toMatch(/<script|<img|onmouseover="|onerror='/i);
    expect(shown).not.toMatch(/href="(?!https?:|\/|#)/i);
    expect(shown.match(/<\/pre>/g)).toHaveLength(2);
    expect(shown).toContain('&lt;/pre&gt;&lt;/main&gt;');
  });

  test('the requested address is escaped', async () => {
    const { body } = await browse(`?language="><script>alert(1)</script>&x='`);
    expect(body).not.toContain('<script');
  });

  test('ETag and 304 hold for pages', async () => {
    const { headers } = await browse(PRODUCT);
    expect((await browse(PRODUCT, { cookie, 'if-none-match': headers['etag'] ?? '' })).status).toBe(304);
  });
});

describe('a browser’s session', () => {
  test('can read only', async () => {
    expect((await origin.ask(PRODUCT, { authorization: null, headers: { cookie } })).status).toBe(200);
    expect((await origin.ask(PRODUCT, { authorization: null, method: 'OPTIONS', headers: { cookie } })).status).toBe(
      200,
    );
    expect((await origin.ask(PRODUCT, { authorization: null, method: 'POST', headers: { cookie } })).status).toBe(401);
  });

  test('does not replace an invalid token', async () => {
    expect((await origin.ask(PRODUCT, { authorization: 'Token nope', headers: { cookie } })).status).toBe(401);
    expect((await origin.ask(PRODUCT, { authorization: 'Bearer nope', headers: { cookie } })).status).toBe(200);
  });

  test('of a subscriber is told 403', async () => {
    const { id } = await createUser(origin.context, { login: 'new', email: 'new@example.org', role: 'subscriber' });
    const stranger = `sortiment_session=${await openSession(origin.context, id)}`;
    const answer = await browse(PRODUCT, { cookie: stranger });
    expect(answer.status).toBe(403);
    expect(answer.body).toContain('You do not have permission');
    expect((await browse('docs/', { cookie: stranger })).body).toContain('noch nicht freigegeben');
  });
});

describe('docs/', () => {
  test('is for everybody and offers to sign in', async () => {
    const answer = await browse('docs/', {});
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('/admin/sign-in/?next=%2Fapi%2Fpartner%2Fv1%2Fdocs%2F');
    expect(answer.body).not.toContain(origin.token);
    for (const word of ['packaging_unit_quantity', 'Handelseinheiten', 'not_available', 'Invalid token.', 'curl -H']) {
      expect(answer.body).toContain(word);
    }
  });

  test('creates the first token by a button and shows it only to its owner', async () => {
    const before = await browse('docs/');
    expect(before.headers['cache-control']).toBe('no-store');
    expect(before.headers['etag']).toBeUndefined();
    const formToken = /product-token[\s\S]*?name="form_token" value="([^"]+)"/.exec(before.body)?.[1] ?? '';
    const send = (token: string) =>
      origin.server.ask('/admin/product-token/', {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ form_token: token, next: '/api/partner/v1/docs/' }).toString(),
      });
    expect((await send('forged')).status).toBe(403);
    expect(await send(formToken)).toMatchObject({ status: 303, headers: { location: '/api/partner/v1/docs/' } });
    await send(formToken);

    const after = await browse('docs/');
    const token = /<code class="token">([0-9a-f]{40})<\/code>/.exec(after.body)?.[1] ?? '';
    const owner = await findTokenOwner(origin.context, token);
    expect(owner?.user.login).toBe('dealer');
    expect(await listProductTokens(origin.context, { userId: owner?.user.id ?? 0 })).toHaveLength(1);
    expect((await decryptTokens(origin.context, owner?.user.id ?? 0))[0]?.token).toBe(token);
    expect(after.body).not.toContain(origin.token);
    expect(after.body).not.toContain('<button>Token erzeugen');
    expect(origin.context.logged.join()).not.toContain(token);
  });

  test('shows its token to a caller with a token', async () => {
    const { body } = await origin.ask('docs/', { headers: { accept: BROWSER } });
    expect(body).toContain(`<code class="token">${origin.token}</code>`);
    expect((await origin.ask('docs/', { authorization: 'Token nope' })).status).toBe(401);
  });
});
