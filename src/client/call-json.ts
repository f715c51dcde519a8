import type { z } from 'zod';
import { readValue } from '#contracts/index.ts';
import type { Answer } from './answer.ts';
import { classifyAnswer, isIntactJson } from './classify-answer.ts';
import type { Transport } from './create-transport.ts';
import type { TransportRequest } from './exchange.ts';
import { sampleBody } from './read-body.ts';

/** Requests JSON and classifies the response. */
export async function callJson(
  transport: Transport,
  request: Omit<TransportRequest, 'accept'>,
): Promise<Answer<unknown>> {
  const jsonRequest = { ...request, accept: 'application/json' };
  return classifyAnswer(jsonRequest, await transport.send(jsonRequest, isIntactJson));
}

/**
 * Parses the value of a successful response by a schema. A value that doesn't match it makes the response `unreadable`.
 * @param secrets Texts to mask, because the response may echo them.
 */
export function readAnswer<S extends z.ZodType>(
  answer: Answer<unknown>,
  schema: S,
  secrets: readonly string[] = [],
): Answer<z.output<S>> {
  if (answer.kind !== 'ok') return answer;
  const parsed = readValue(schema, answer.value);
  if (parsed.ok) return { ...answer, value: parsed.value };
  const { method, url, status } = answer;
  const sample = sampleBody(JSON.stringify(answer.value), secrets);
  const detail = 'is not what the interface describes';
  return { kind: 'unreadable', method, url, status, sample, detail, problems: parsed.problems };
}
