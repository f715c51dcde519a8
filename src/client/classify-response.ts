import { STATUS_CODES } from 'node:http';
import { type UpstreamResult, type UpstreamResultKind, displayUrl } from './upstream-error.ts';
import { listSecrets } from './credential.ts';
import type { Exchange, TransportRequest } from './exchange.ts';
import { excerptBody } from './read-body.ts';
import type { z } from 'zod';
import { parseValue } from '#contracts/index.ts';
import type { Transport } from './create-transport.ts';

/** Deeper than any document of the interfaces, and shallow enough for recursion. */
const MAX_DEPTH = 64;

/** Classifies the response to a request for JSON. */
export function classifyResponse(request: TransportRequest, answer: Exchange): UpstreamResult<unknown> {
  const secrets = listSecrets(request.credential);
  const base = { method: request.method ?? 'GET', url: displayUrl(request.url, secrets), sample: '' };
  if (answer.outcome === 'failed') {
    const { problem: detail, cause } = answer;
    return { ...base, kind: 'unavailable', status: undefined, detail, ...(cause && { cause }) };
  }
  const { status, headers } = answer;
  const evaluated = { ...base, status, detail: statusLine(status) };
  const kind = evaluateStatus(status, isJson(headers));
  if (kind !== 'ok') {
    const sample = excerptBody(answer.body.toString('utf8', 0, 65_536), secrets);
    return { ...evaluated, kind, sample, detail: evaluated.detail + explain(kind, headers, secrets) };
  }
  const json = parseJson(answer);
  if (!json.ok) return { ...evaluated, kind: 'unavailable', detail: json.problem };
  if (isNestedTooDeep(json.value)) {
    const problems = [{ field: '', problem: `is nested more than ${MAX_DEPTH} levels deep` }];
    return { ...evaluated, kind: 'unreadable', detail: 'is not what the interface describes', problems };
  }
  return {
    ...evaluated,
    kind: 'ok',
    value: json.value,
    headers,
    validators: { etag: headers['etag'], lastModified: headers['last-modified'] },
  };
}

/** False if a 200 response claims to be JSON but can't be parsed, which indicates a truncated body. */
export function isCompleteJson(answer: Exchange): boolean {
  return answer.outcome === 'failed' || answer.status !== 200 || !isJson(answer.headers) || parseJson(answer).ok;
}

function evaluateStatus(status: number, json: boolean): Exclude<UpstreamResultKind, 'unreadable'> {
  if (status === 304) return 'not-modified';
  if (status === 401 || status === 403) return 'unauthorised';
  if (status === 429) return 'throttled';
  if (status === 408 || status >= 500) return 'unavailable';
  if (!json || (status >= 300 && status < 400)) return 'wrong-address';
  if (status === 404) return 'gone';
  return status >= 200 && status < 300 ? 'ok' : 'refused';
}

function explain(
  kind: UpstreamResultKind,
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[],
): string {
  if (kind !== 'wrong-address') return '';
  if (headers['location']) return ` to ${displayUrl(headers['location'], secrets)}`;
  return `, ${headers['content-type']?.split(';')[0] ?? 'no content type'} instead of JSON`;
}

function parseJson(
  answer: Extract<Exchange, { outcome: 'answered' }>,
): { ok: true; value: unknown } | { ok: false; problem: string } {
  try {
    // The message of a parse error is left out, because it quotes the body.
    return { ok: true, value: JSON.parse(decode(answer)) as unknown };
  } catch (error) {
    const problem =
      error instanceof SyntaxError ? 'is not complete JSON' : 'is not in the character set of its Content-Type';
    return { ok: false, problem: `${statusLine(answer.status)}, but the body ${problem}` };
  }
}

/** JSON is UTF-8 (RFC 8259), but a charset in the header takes precedence. Throws for an unknown charset. */
function decode(answer: Extract<Exchange, { outcome: 'answered' }>): string {
  const charset = /charset="?([\w-]+)/i.exec(answer.headers['content-type'] ?? '')?.[1];
  return new TextDecoder(charset ?? 'utf-8', { fatal: true }).decode(answer.body);
}

function isJson(headers: Readonly<Record<string, string>>): boolean {
  return /^application\/([\w.+-]+\+)?json\b/i.test(headers['content-type']?.trim() ?? '');
}

function statusLine(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim();
}

/**
 * True if JSON is nested so deeply that recursive code could overflow the stack. `JSON.parse` itself has no such limit.
 */
export function isNestedTooDeep(value: unknown, depth: number = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((member) => isNestedTooDeep(member, depth - 1));
}

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
