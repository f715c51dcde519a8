import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestUpstream, type TestUpstream } from '#sync/testing/test-upstream.ts';
import { startTestWatch, WATCH_SECRET, type TestWatch } from './testing/start-test-watch.ts';

const page = readFileSync('content/docs/wake-the-watch.md', 'utf8');
const php = /```php\n<\?php\n([^`]+)```/.exec(page)?.[1] ?? '';

let upstream: TestUpstream;
let watch: TestWatch;
beforeEach(async () => {
  upstream = await startTestUpstream();
  watch = await startTestWatch({ ...upstream.settings, upstreams: upstream.upstreams });
});
afterEach(async () => {
  await watch.stop();
  await upstream.close();
});

it('the plug-in of the documentation signs as the watch asks for', async () => {
  // The same steps as in PHP: signed content, key, and headers.
  expect(php).toContain("base64_decode( substr( WATCH_SECRET, strlen( 'whsec_' ) ) )");
  const signed = /hash_hmac\( 'sha256', "([^"]+)", \$key, true \)/.exec(php)?.[1] ?? '';
  const headers = [...php.matchAll(/'([a-z]+-[a-z]+)'\s*(?:=>|\] =) ('[^']+'|"[^"]+"|(?:\(string\) )?\$\w+)/g)];
  const values: Record<string, string> = {
    id: `msg_${randomUUID()}`,
    time: String(Math.floor(Date.now() / 1000)),
    body: JSON.stringify({ type: 'site.changed', timestamp: new Date().toISOString() }),
  };
  const fill = (text: string) => text.replaceAll(/\$(\w+)/g, (_, name: string) => values[name] ?? '');
  const key = Buffer.from(WATCH_SECRET.slice('whsec_'.length), 'base64');
  values['sign'] = createHmac('sha256', key).update(fill(signed)).digest('base64');
  const sent = Object.fromEntries(
    headers.map(([, name = '', value = '']) => [name, fill(value.replace(/^\(string\) /, '').replaceAll(/['"]/g, ''))]),
  );
  expect(Object.keys(sent)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature', 'content-type']);
  const answer = await fetch(`${watch.url}/hooks/changed`, {
    method: 'POST',
    headers: sent,
    body: values['body'] ?? '',
  });
  expect([answer.status, await answer.text()]).toEqual([202, 'Accepted; a sync follows.\n']);
});
