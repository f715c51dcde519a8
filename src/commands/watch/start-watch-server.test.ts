import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { checkHealth } from './list-metrics.ts';
import { startWatchServer } from './watch-server.ts';

it('refuses several Host headers', async () => {
  const server = await startWatchServer({
    host: '127.0.0.1',
    port: 0,
    verify: () => ({ result: 'refused', reason: 'No.' }),
    report: () => undefined,
    health: () =>
      checkHealth({
        now: 0,
        lastSuccess: 0,
        intervalMs: 1,
        digest: undefined,
        running: false,
        nextRunAt: undefined,
        failures: 0,
      }),
    metrics: () => [],
  });
  const statusWith = async (...headers: string[]) => {
    const asked = request(`${server.url}/metrics`, { headers }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return answer.resume().statusCode;
  };
  expect(await statusWith('Host', 'a.example')).toBe(200);
  expect(await statusWith('Host', 'a.example', 'Host', 'b.example')).toBe(400);
  await server.close();
});
