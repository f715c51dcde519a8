import type { Problem } from '#contracts/index.ts';

/** Validators of a representation, for conditional requests. */
export interface Validators {
  etag?: string | undefined;
  lastModified?: string | undefined;
}

/** Cause of a failure, where the hint depends on it. */
export type FailureCause = 'timeout' | 'too-large';

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

export type UpstreamResultKind =
  | 'ok'
  | 'not-modified'
  | 'gone'
  | 'refused'
  | 'unauthorised'
  | 'wrong-address'
  | 'throttled'
  | 'unavailable'
  | 'unreadable';

export type UpstreamFailure = Exclude<UpstreamResult<never>, { kind: 'ok' }>;
