import type { z } from 'zod';
import { readValue } from '#contracts/index.ts';
import type { Answer } from './answer.ts';
import { classifyAnswer, isIntactJson } from './classify-answer.ts';
import type { Transport } from './create-transport.ts';
import type { TransportRequest } from './exchange.ts';
import { sampleBody } from './read-body.ts';

/** Requests JSON and classifies the answer. */
export async function callJson(
  transport: Transport,
  request: Omit<TransportRequest, 'accept'>,
): Promise<Answer<unknown>> {
  const asked = { ...request, accept: 'application/json' };
  return classifyAnswer(asked, await transport.send(asked, isIntactJson));
}

/**
 * Parses the value of a good answer by the contract; if it doesn't fit, the answer is `unreadable`.
 * @param secrets What the answer may echo and must be masked.
 */
export function readAnswer<S extends z.ZodType>(
  answer: Answer<unknown>,
  schema: S,
  secrets: readonly string[] = [],
): Answer<z.output<S>> {
  if (answer.kind !== 'ok') return answer;
  const reading = readValue(schema, answer.value);
  if (reading.ok) return { ...answer, value: reading.value };
  const { method, url, status } = answer;
  const sample = sampleBody(JSON.stringify(answer.value), secrets);
  const detail = 'is not what the interface describes';
  return { kind: 'unreadable', method, url, status, sample, detail, problems: reading.problems };
}
