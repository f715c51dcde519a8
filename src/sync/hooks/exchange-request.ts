import { Agent, request } from 'undici';
import { USER_AGENT } from '#client/create-transport.ts';
import { describeNetworkError } from '#contracts/index.ts';
import type { HookResponse } from './targets/hook-target.ts';

export interface OutgoingRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

export type ExchangeResult =
  | { outcome: 'answered'; answer: HookResponse }
  /** `problem` contains no texts of the original error, which may include the address. */
  | { outcome: 'failed'; problem: string };

/** Maximum size of a response body; the rest is not read. */
const MAX_ANSWER_BYTES = 65_536;

/**
 * Sends a request without following redirects. Never throws.
 * @param timeoutMs Timeout for the whole exchange.
 */
export async function exchangeRequest(
  outgoing: OutgoingRequest,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<ExchangeResult> {
  // No keep-alive: hooks are called rarely, and often through a proxy that closes idle connections early.
  const dispatcher = new Agent({ connect: { timeout: timeoutMs }, keepAliveTimeout: 1, keepAliveMaxTimeout: 1 });
  try {
    const response = await request(outgoing.url, {
      dispatcher,
      method: outgoing.method,
      body: outgoing.body ?? null,
      headers: { ...outgoing.headers, 'user-agent': USER_AGENT },
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
    });
    const { statusCode: status, headers } = response;
    const body = await readStart(response.body);
    return { outcome: 'answered', answer: { status, retryAfter: headers['retry-after']?.toString(), body } };
  } catch (error) {
    return { outcome: 'failed', problem: describeFailure(error, timeoutMs) };
  } finally {
    await dispatcher.destroy();
  }
}

/** Reads the beginning of a body. A truncated response still counts by its status. */
async function readStart(stream: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    stream.destroy();
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString();
}

function describeFailure(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && /^(TimeoutError|AbortError)$/.test(error.name))
    return `timed out after ${timeoutMs} ms`;
  return error instanceof Error && 'code' in error ? describeNetworkError(String(error.code)) : 'network error';
}
