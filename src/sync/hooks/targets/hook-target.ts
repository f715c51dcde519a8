import { parseRetryAfter } from '#contracts/webhooks.ts';
import type { PLACEHOLDERS, HookOptions } from '#config/hook-options.ts';
import type { CatalogueChanged } from '../compose-message.ts';
import { trimTrailing } from '#contracts/index.ts';

/** Status codes of an overloaded target, as defined by Standard Webhooks. */
const SLOW_DOWN = [429, 502, 503, 504];

/** A message as sent to a target. */
export interface HookMessage {
  id: string;
  /** The exact text of the event. */
  body: string;
  event: CatalogueChanged;
}

export interface HookRequest {
  method: 'POST';
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface HookResponse {
  status: number;
  retryAfter: string | undefined;
  /** First 64 KiB of the response. */
  body: string;
}

export type DeliveryResult =
  /** @property reference The target's id for the build that it started. */
  | { outcome: 'delivered'; reference?: string | undefined }
  /** The target no longer exists. */
  | { outcome: 'gone'; problem: string }
  /** @property problem Without addresses and response texts, because it is stored. */
  | { outcome: 'failed'; problem: string; slowDown?: boolean; retryAfterMs?: number | undefined };

/** Replaces placeholders such as `{digest}` and `{gtins}` by the values of a message. */
export function expandTemplate(template: string, { id, event: { type, data } }: HookMessage): string {
  const values: Record<(typeof PLACEHOLDERS)[number], string> = {
    id,
    type,
    runId: data.runId,
    previousDigest: data.previousDigest ?? '',
    digest: data.digest,
    gtins: data.gtins.join(','),
    classes: data.classes.join(','),
  };
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (name in values ? values[name as 'id'] : whole));
}

/**
 * Evaluates a response by its status: 2xx is a delivery, 410 disables the hook. Anything else, including redirects, is
 * a failure to be retried.
 * @param hints Meaning of a status at this target.
 */
export function evaluateStatus(
  { status, retryAfter }: HookResponse,
  at: Date,
  hints: Readonly<Record<number, string>> = {},
): DeliveryResult {
  if (status >= 200 && status < 300) return { outcome: 'delivered' };
  if (status === 410) return { outcome: 'gone', problem: '410' };
  const hint = hints[status];
  const retryAfterMs = parseRetryAfter(retryAfter, at.getTime());
  return {
    outcome: 'failed',
    problem: hint ? `${status}: ${hint}` : String(status),
    slowDown: SLOW_DOWN.includes(status),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** Reads a text or number from a JSON response, such as `['job', 'id']`. */
export function readReference(body: string, path: readonly string[]): string | undefined {
  let value = parseJson(body);
  for (const name of path) value = isRecord(value) ? value[name] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Reads the `success` flag of a JSON response; undefined if it has none. */
export function readSuccess(body: string): boolean | undefined {
  const answer = parseJson(body);
  const success = isRecord(answer) ? answer['success'] : undefined;
  return typeof success === 'boolean' ? success : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

type RepositoryDispatch = Extract<HookOptions, { type: 'github-repository-dispatch' }>;
type WorkflowDispatch = Extract<HookOptions, { type: 'github-workflow-dispatch' }>;

/** Maximum length of the payload, in characters. */
const MAX_PAYLOAD = 65_535;

const HINTS = {
  401: 'the token is invalid or expired',
  403: 'the token lacks permission, or its rate limit is exceeded',
  404: 'no such repository or workflow, or the token has no access',
  422: 'the ref, an input or the event type was rejected',
};

export function composeRepositoryDispatch(hook: RepositoryDispatch, message: HookMessage, token: string): HookRequest {
  return request(hook, 'dispatches', token, { event_type: hook.eventType, client_payload: payloadOf(message) });
}

export function composeWorkflowDispatch(hook: WorkflowDispatch, message: HookMessage, token: string): HookRequest {
  const inputs = Object.entries(hook.inputs).map(([name, template]) => [name, expandTemplate(template, message)]);
  const path = `actions/workflows/${hook.workflow}/dispatches`;
  return request(hook, path, token, { ref: hook.ref, inputs: Object.fromEntries(inputs) });
}

export function evaluateGithub(answer: HookResponse, at: Date): DeliveryResult {
  const verdict = evaluateStatus(answer, at, HINTS);
  // The secondary rate limit is a 403 with Retry-After.
  return verdict.outcome === 'failed' && answer.status === 403 && verdict.retryAfterMs !== undefined
    ? { ...verdict, slowDown: true }
    : verdict;
}

function request(
  { apiUrl, repository }: Pick<RepositoryDispatch, 'apiUrl' | 'repository'>,
  path: string,
  token: string,
  body: object,
): HookRequest {
  return {
    method: 'POST',
    url: `${trimTrailing(apiUrl, '/')}/repos/${repository}/${path}`,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-github-api-version': '2022-11-28',
    },
    body: JSON.stringify(body),
  };
}

/** Creates a payload of nine properties; GitHub allows ten. If it is too long, the counts are omitted. */
function payloadOf({ id, event: { type, timestamp, data } }: HookMessage): object {
  const payload = { id, type, timestamp, ...data };
  if (JSON.stringify(payload).length < MAX_PAYLOAD) return payload;
  const { counts: _counts, ...short } = payload;
  return short;
}
