import { formatProblems, maskUserInfo, SortimentError, withoutUserInfo, type Problem } from '#contracts/index.ts';

export interface UpstreamErrorOptions {
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
} as const satisfies Record<Exclude<UpstreamResultKind, 'ok'>, string>;

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
  switch (kind) {
    case 'unauthorised':
      return 'Ask the operator of the server why it rejects this record but not others.';
    case 'wrong-address':
      return 'Open the address and ask the operator of the server why it returns no JSON: an error page, a redirect or a firewall.';
    case 'refused':
    case 'gone':
      return 'Ask the operator of the server why it rejects this record.';
    case 'throttled':
      return 'Lower `sync.concurrency` or sync less often.';
    case 'unavailable':
      if (cause === 'too-large') return 'Ask the operator of the server why the response is so large.';
      if (cause === 'timeout') return 'Sync again; if the server is still slow, raise `sync.timeoutMs`.';
      return 'Sync again; if the problem persists, ask the operator of the server to check its log.';
    default:
      return 'Ask the operator of the server to compare the response with the description of the interface.';
  }
}

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
