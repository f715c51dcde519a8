import { STATUS_CODES } from 'node:http';
import type { z } from 'zod';
import {
  formatProblems,
  maskUserInfo,
  parseValue,
  SortimentError,
  withoutUserInfo,
  type Problem,
} from '#contracts/index.ts';
import { listSecrets } from './credential.ts';
import type { Exchange, FailureCause, TransportRequest, Validators } from './exchange.ts';

interface UpstreamErrorOptions {
  /** Hint for a rejected credential. */
  unauthorisedHint?: string;
  /** Hint for an address where something else responds. */
  addressHint?: string;
}

export const PRODUCT_HINTS: UpstreamErrorOptions = {
  unauthorisedHint:
    "Set PRODUCT_API_TOKEN to the token that the interface's docs/ page shows you, or PRODUCT_API_USER and PRODUCT_API_PASSWORD if it requires a user and a password. With both, the token is sent.",
  addressHint: 'Set PRODUCT_API_URL to the address of the product interface.',
};

export const PUBLISHING_HINTS: UpstreamErrorOptions = {
  unauthorisedHint:
    'Make the address readable without signing in, or set PUBLISHING_USER and PUBLISHING_PASSWORD correctly: an application password, or the account that the server in front of the site requires.',
  addressHint: 'Correct PUBLISHING_URL, PUBLISHING_REST_ROOT or PUBLISHING_NAMESPACES in the environment.',
};

const CODES = {
  'not-modified': 'UPSTREAM_UNREADABLE',
  gone: 'UPSTREAM_WRONG_ADDRESS',
  refused: 'UPSTREAM_REFUSED',
  unauthorised: 'UPSTREAM_UNAUTHORISED',
  'wrong-address': 'UPSTREAM_WRONG_ADDRESS',
  throttled: 'UPSTREAM_THROTTLED',
  unavailable: 'UPSTREAM_UNAVAILABLE',
  unreadable: 'UPSTREAM_UNREADABLE',
} as const;

/** Creates the error for a failed response: `[GET] "<url>": 503 Service Unavailable`. */
export function upstreamError(answer: UpstreamFailure, options: UpstreamErrorOptions = {}): SortimentError {
  const lines = [`[${answer.method}] "${answer.url}": ${answer.detail}`];
  if (answer.kind === 'unreadable') lines.push(formatProblems(answer.problems));
  if (answer.sample && answer.kind !== 'unavailable') lines.push(`  The response starts with: ${answer.sample}`);
  return new SortimentError(CODES[answer.kind], lines.join('\n'), { hint: hintFor(answer, options) });
}

function hintFor({ kind, status }: UpstreamFailure, options: UpstreamErrorOptions): string {
  switch (kind) {
    case 'unauthorised':
      return options.unauthorisedHint ?? 'Make the address readable without signing in.';
    case 'wrong-address':
    case 'gone':
      return options.addressHint ?? 'Correct the address in the environment.';
    case 'throttled':
      return 'Lower `sync.concurrency` or sync less often.';
    case 'unavailable':
      return status === undefined
        ? 'Check the address and the network; if the server is slow, raise `sync.timeoutMs`.'
        : 'Try again later: the server failed.';
    default:
      return 'Compare the response with the description of the interface; the server may have been updated.';
  }
}

/** Returns the advice for a failed response for one record, while other records of the source are fine. */
export function recordFailureAdvice({ kind, status, cause }: UpstreamFailure): string {
  if (status === 410) {
    return 'If the record is permanently gone, remove it from the assortment: only a JSON 404 counts as a removal.';
  }
  if (cause === 'too-large') return 'Ask the operator of the server why the response is so large.';
  if (cause === 'timeout') return 'Sync again; if the server is still slow, raise `sync.timeoutMs`.';
  return RECORD_ADVICE[kind];
}

const REJECTED_RECORD = 'Ask the operator of the server why it rejects this record.';
const UNDOCUMENTED = 'Ask the operator of the server to compare the response with the description of the interface.';

const RECORD_ADVICE: Record<UpstreamFailure['kind'], string> = {
  unauthorised: 'Ask the operator of the server why it rejects this record but not others.',
  'wrong-address':
    'Open the address and ask the operator of the server why it returns no JSON: an error page, a redirect or a firewall.',
  refused: REJECTED_RECORD,
  gone: REJECTED_RECORD,
  throttled: 'Lower `sync.concurrency` or sync less often.',
  unavailable: 'Sync again; if the problem persists, ask the operator of the server to check its log.',
  unreadable: UNDOCUMENTED,
  'not-modified': UNDOCUMENTED,
};

/** Formats a URL for messages: without credentials, fragment and secrets. */
export function displayUrl(address: string, secrets: readonly string[] = []): string {
  if (!URL.canParse(address)) return maskSecrets(maskUserInfo(address), secrets);
  const url = new URL(withoutUserInfo(address));
  url.hash = '';
  return maskSecrets(url.href, secrets);
}

/** Masks secrets in a text that may echo them, such as a documentation page that shows the user's token. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter(Boolean)
    .reduce((masked, secret) => masked.replaceAll(secret, '***').replaceAll(encodeURIComponent(secret), '***'), text);
}

interface AnswerBase {
  method: string;
  /** Requested URL, without secrets. */
  url: string;
  /** Undefined if no response was received. */
  status: number | undefined;
  /** `503 Service Unavailable`, `timed out after 20000 ms`, ... */
  detail: string;
  cause?: FailureCause;
  /** Start of the body as one line, secrets masked; empty for a successful response. */
  sample: string;
}

/**
 * A response classified by its status and content type, never by its wording, which servers translate:
 * - `gone`: the interface itself reports, in JSON, that the resource doesn't exist.
 * - `refused`: the interface itself rejects the request, in JSON (400, 405, 406, ...).
 * - `unauthorised`: 401 or 403; servers use both for a rejected credential.
 * - `wrong-address`: something other than the interface responds (HTML, a redirect to another address).
 * - `throttled`: 429, even after the retries.
 * - `unavailable`: 5xx, timeouts, network errors or truncated bodies, even after the retries.
 * - `unreadable`: JSON that doesn't match the contract.
 */
export type UpstreamResult<T> =
  | (AnswerBase & { kind: 'ok'; value: T; validators: Validators; headers: Readonly<Record<string, string>> })
  | (AnswerBase & { kind: 'unreadable'; problems: Problem[] })
  | (AnswerBase & { kind: Exclude<UpstreamResultKind, 'ok' | 'unreadable'> });

type UpstreamResultKind = 'ok' | keyof typeof CODES;

export type UpstreamFailure = Exclude<UpstreamResult<never>, { kind: 'ok' }>;

const SAMPLE_LENGTH = 200;

/** Returns the start of a body as one line for messages. @param secrets Texts to mask. */
export function excerptBody(body: string, secrets: readonly string[]): string {
  return maskSecrets(maskUserInfo(body), secrets)
    .replace(/\p{C}+|\s+/gu, ' ')
    .trim()
    .slice(0, SAMPLE_LENGTH);
}

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
  if (isNestedTooDeep(json.value))
    return unreadableResult(evaluated, [{ field: '', problem: `is nested more than ${MAX_DEPTH} levels deep` }]);
  return {
    ...evaluated,
    kind: 'ok',
    value: json.value,
    headers,
    validators: { etag: headers['etag'], lastModified: headers['last-modified'] },
  };
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

export async function fetchJson(
  transport: { send(request: TransportRequest, isIntact: (answer: Exchange) => boolean): Promise<Exchange> },
  request: Omit<TransportRequest, 'accept'>,
): Promise<UpstreamResult<unknown>> {
  const jsonRequest = { ...request, accept: 'application/json' };
  const results = new Map<Exchange, UpstreamResult<unknown>>();
  const classify = (answer: Exchange): UpstreamResult<unknown> => {
    const result = results.get(answer) ?? classifyResponse(jsonRequest, answer);
    results.set(answer, result);
    return result;
  };
  // A 200 response whose JSON can't be parsed was probably cut off.
  const isIntact = (answer: Exchange): boolean => {
    const { kind, status } = classify(answer);
    return kind !== 'unavailable' || status !== 200;
  };
  return classify(await transport.send(jsonRequest, isIntact));
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
  return unreadableResult({ ...answer, sample: excerptBody(JSON.stringify(answer.value), secrets) }, parsed.problems);
}

export function unreadableResult(
  { method, url, status, sample }: Omit<AnswerBase, 'detail'>,
  problems: Problem[],
): UpstreamResult<never> {
  return { kind: 'unreadable', method, url, status, sample, detail: 'is not what the interface describes', problems };
}
