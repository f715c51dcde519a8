import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { webhookVerifier } from './verify-webhook.ts';

const secretOf = (fill: number) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`;
const BODY = '{"type":"origin.changed"}';

function headers({ id = 'msg_1', fill = 1, agoSeconds = 0 } = {}): Record<string, string> {
  const at = new Date(Date.now() - agoSeconds * 1000);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secretOf(fill)).sign(id, at, BODY),
  };
}

it('takes what any of its secrets has signed', () => {
  const verify = webhookVerifier([secretOf(1), secretOf(2)]);
  expect(verify(headers({ id: 'a', fill: 1 }), BODY)).toEqual({ result: 'accepted', id: 'a' });
  expect(verify(headers({ id: 'b', fill: 2 }), BODY)).toEqual({ result: 'accepted', id: 'b' });
  expect(verify(headers({ id: 'c', fill: 3 }), BODY)).toEqual({
    result: 'refused',
    reason: 'The signature is invalid.',
  });
});

it.each([
  ['another body', headers(), `${BODY} `, /signature is invalid/],
  ['an old one', headers({ agoSeconds: 301 }), BODY, /more than five minutes old/],
  ['one from the future', headers({ agoSeconds: -310 }), BODY, /five minutes ahead/],
  ['no id', { ...headers(), 'webhook-id': '' }, BODY, /missing/],
  ['a signature without a value', { ...headers(), 'webhook-signature': 'v1' }, BODY, /signature is invalid/],
  ['another id under the same signature', { ...headers(), 'webhook-id': 'msg_2' }, BODY, /signature is invalid/],
  ['no number', { ...headers(), 'webhook-timestamp': 'now' }, BODY, /not a number/],
])('refuses %s and says why', (_what, given, body, reason) => {
  expect(webhookVerifier([secretOf(1)])(given, body)).toEqual({
    result: 'refused',
    reason: expect.stringMatching(reason),
  });
});

it('refuses everything without a secret', () => {
  expect(webhookVerifier([])(headers(), BODY)).toEqual({
    result: 'refused',
    reason: 'SORTIMENT_WATCH_SECRET is not set where the watch runs.',
  });
});

it('knows an id again as long as its signature could be good, and no refused one', () => {
  let now = Date.now();
  const verify = webhookVerifier([secretOf(1)], () => now);
  expect(verify(headers({ fill: 2 }), BODY).result).toBe('refused');
  expect(verify(headers(), BODY).result).toBe('accepted');
  expect(verify(headers({ agoSeconds: 200 }), BODY).result).toBe('repeated');
  now += 9 * 60_000;
  expect(verify(headers(), BODY).result).toBe('repeated');
  now += 2 * 60_000;
  expect(verify(headers(), BODY).result).toBe('accepted');
});

it.each(['secret', 'whsec_', 'whsec_short', `whsec_${'ü'.repeat(30)}`])('takes no secret such as "%s"', (secret) => {
  expect(() => webhookVerifier([secret])).toThrow(/SORTIMENT_WATCH_SECRET is not of the form/);
});
