import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getClientAddress, parseTrustedProxies, getClientNetwork } from './client-address.ts';

const ask = (trusted: string, socket: string, forwardedFor?: string, forwarded?: string) =>
  getClientAddress(
    { socket: { remoteAddress: socket } },
    { get: (name) => ({ 'x-forwarded-for': forwardedFor, forwarded })[name] ?? null },
    parseTrustedProxies(trusted),
  );

test.each([
  ['', '10.0.0.1', '1.2.3.4', undefined, '10.0.0.1'],
  ['1', '10.0.0.1', '6.6.6.6, 1.2.3.4', undefined, '1.2.3.4'],
  ['2', '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2', undefined, '1.2.3.4'],
  ['2', '10.0.0.1', '1.2.3.4', undefined, '1.2.3.4'],
  ['10.0.0.0/8', '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.9.9.9', undefined, '1.2.3.4'],
  ['10.0.0.0/8', '9.9.9.9', '1.2.3.4', undefined, '9.9.9.9'],
  ['10.0.0.0/8', '::ffff:10.0.0.1', '1.2.3.4:5678', undefined, '1.2.3.4'],
  ['::1, 10.0.0.1', '::1', '[2001:db8::7]:443', undefined, '2001:db8::7'],
  ['1', '10.0.0.1', undefined, 'for=6.6.6.6, for="[2001:db8::7]:443";proto=https', '2001:db8::7'],
  ['1', '10.0.0.1', '1.2.3.4', 'for=6.6.6.6', '10.0.0.1'],
  ['1', '10.0.0.1', '1.2.3.4', 'For=1.2.3.4', '1.2.3.4'],
  ['1', '10.0.0.1', 'unknown', undefined, '10.0.0.1'],
  ['1', '10.0.0.1', '', undefined, '10.0.0.1'],
])('trusting "%s", %s for %s (%s) comes from %s', (trusted, socket, forwardedFor, forwarded, expected) => {
  expect(ask(trusted, socket, forwardedFor, forwarded)).toBe(expected);
});

test('what a client writes before the hops of trusted proxies changes nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), { maxLength: 5 }), fc.ipV4(), (forged, real) => {
      const header = [...forged.map((part) => part.replaceAll(',', '')), real, '10.0.0.2'].join(', ');
      expect(ask('2', '10.0.0.1', header)).toBe(real);
      expect(ask('10.0.0.0/8, 172.16.0.1', '10.0.0.1', header)).toBe(
        real.startsWith('10.') ? expect.any(String) : real,
      );
      expect(ask('', '10.0.0.1', header)).toBe('10.0.0.1');
    }),
    { seed: 20_261_122, numRuns: 200 },
  );
});

test.each(['proxy', '10.0.0.0/33', '1.2.3', '::1/129', '99', '10.0.0.0/8/8', '10.0.0.0/'])(
  '"%s" is refused',
  (text) => {
    expect(() => parseTrustedProxies(text)).toThrow(expect.objectContaining({ code: 'TRUSTED_PROXIES_INVALID' }));
  },
);

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:DB8:0:1::5', '2001:db8:0:1::/64'],
  ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s counts as %s', (address, source) => {
  expect(getClientNetwork(address)).toBe(source);
});
