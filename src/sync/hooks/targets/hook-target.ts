import { parseRetryAfter } from '#client/create-transport.ts';
import type { PLACEHOLDERS } from '#config/hook-options.ts';
import type { CatalogueChanged } from '../compose-message.ts';

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
