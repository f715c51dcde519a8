import type { z } from 'zod';
import { parseValue } from '#contracts/index.ts';
import type { UpstreamResult } from './upstream-result.ts';
import { classifyResponse, isCompleteJson } from './classify-response.ts';
import type { Transport } from './create-transport.ts';
import type { TransportRequest } from './exchange.ts';
import { excerptBody } from './read-body.ts';

/** Requests JSON and classifies the response. */
export async function fetchJson(
  transport: Transport,
  request: Omit<TransportRequest, 'accept'>,
): Promise<UpstreamResult<unknown>> {
  const jsonRequest = { ...request, accept: 'application/json' };
  return classifyResponse(jsonRequest, await transport.send(jsonRequest, isCompleteJson));
}

/**
 * Parses the value of a successful response by a schema. A value that doesn't match it makes the response `unreadable`.
 * @param secrets Texts to mask, because the response may echo them.
 */
export function parseUpstreamResult<S extends z.ZodType>(
  answer: UpstreamResult<unknown>,
  schema: S,
  secrets: readonly string[] = [],
): UpstreamResult<z.output<S>> {
  if (answer.kind !== 'ok') return answer;
  const parsed = parseValue(schema, answer.value);
  if (parsed.ok) return { ...answer, value: parsed.value };
  const { method, url, status } = answer;
  const sample = excerptBody(JSON.stringify(answer.value), secrets);
  const detail = 'is not what the interface describes';
  return { kind: 'unreadable', method, url, status, sample, detail, problems: parsed.problems };
}
