import { Agent, request } from 'undici';
import { USER_AGENT } from '../client/index.ts';

export type WebhookAnswer =
  | { outcome: 'answered'; status: number; retryAfter: string | undefined }
  /** An error's code only: its text may name the address. */
  | { outcome: 'failed'; problem: string };

/** Standard Webhooks asks for 15 to 30 s. */
const TIMEOUT_MS = 15_000;

/** Sends one webhook. Redirects are not followed, the answer's body isn't read. */
export async function postWebhook(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number = TIMEOUT_MS,
): Promise<WebhookAnswer> {
  // A hook answers once in a while, and often through a proxy that closes early: no connection is kept.
  const dispatcher = new Agent({ connect: { timeout: timeoutMs }, keepAliveTimeout: 1, keepAliveMaxTimeout: 1 });
  try {
    const response = await request(url, {
      dispatcher,
      method: 'POST',
      body,
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': USER_AGENT },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const retryAfter = response.headers['retry-after'];
    response.body.on('error', () => undefined).destroy();
    return { outcome: 'answered', status: response.statusCode, retryAfter: retryAfter?.toString() };
  } catch (error) {
    if (error instanceof Error && /^(TimeoutError|AbortError)$/.test(error.name)) {
      return { outcome: 'failed', problem: `timed out after ${timeoutMs} ms` };
    }
    return {
      outcome: 'failed',
      problem: error instanceof Error && 'code' in error ? String(error.code) : 'network error',
    };
  } finally {
    await dispatcher.destroy();
  }
}
