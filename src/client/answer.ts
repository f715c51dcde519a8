import type { Problem } from '#contracts/index.ts';

/** Validators of a representation, for conditional requests. */
export interface Validators {
  etag?: string | undefined;
  lastModified?: string | undefined;
}

/** Why there was no usable answer, as far as the advice depends on it. */
export type FailureCause = 'timeout' | 'too-large';

interface AnswerBase {
  method: string;
  /** The requested address, without secrets. */
  url: string;
  /** Undefined when no answer came. */
  status: number | undefined;
  /** `503 Service Unavailable`, `timed out after 20000 ms`, ... */
  detail: string;
  cause?: FailureCause;
  /** Begin of the body as one line, secrets masked; empty for a good answer. */
  sample: string;
}

/**
 * A classified answer, by its status and content type, never by its wording (servers translate
 * that):
 * - `gone`: the interface itself, in JSON, doesn't know what was asked for.
 * - `refused`: the interface itself, in JSON, doesn't take the request (400, 405, 406, ...).
 * - `unauthorised`: 401 or 403; both are given for the same fault.
 * - `wrong-address`: something else than the interface answers there (HTML, a redirect to elsewhere).
 * - `throttled`: 429, still after the retries.
 * - `unavailable`: 5xx, time-outs, network errors, bodies that were cut off; still after the retries.
 * - `unreadable`: JSON that isn't what the contract says.
 */
export type Answer<T> =
  | (AnswerBase & { kind: 'ok'; value: T; validators: Validators; headers: Readonly<Record<string, string>> })
  | (AnswerBase & { kind: 'unreadable'; problems: Problem[] })
  | (AnswerBase & { kind: Exclude<AnswerKind, 'ok' | 'unreadable'> });

export type AnswerKind =
  | 'ok'
  | 'not-modified'
  | 'gone'
  | 'refused'
  | 'unauthorised'
  | 'wrong-address'
  | 'throttled'
  | 'unavailable'
  | 'unreadable';

export type FailedAnswer = Exclude<Answer<never>, { kind: 'ok' }>;
