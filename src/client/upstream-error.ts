import { formatProblems, maskUserInfo, SortimentError, withoutUserInfo } from '#contracts/index.ts';
import type { AnswerKind, FailedAnswer } from './answer.ts';

export interface UpstreamErrorOptions {
  /** What the reader should change when the credential isn't accepted. */
  unauthorisedHint?: string;
  /** What the reader should change when something else answers at the address. */
  addressHint?: string;
}

/** Hints for the product interface. */
export const PRODUCT_HINTS: UpstreamErrorOptions = {
  unauthorisedHint:
    "Set PRODUCT_API_TOKEN to the token that the interface's docs/ page shows you, or PRODUCT_API_USER and PRODUCT_API_PASSWORD where it asks for a user and a password. With both, the token is sent.",
  addressHint: 'Set PRODUCT_API_URL to the address that the product interface is served at.',
};

/** Hints for the publishing site. */
export const PUBLISHING_HINTS: UpstreamErrorOptions = {
  unauthorisedHint:
    'Make sure that the address may be read without signing in, or that PUBLISHING_USER and PUBLISHING_PASSWORD are set and right: an application password, or what the server in front of the site asks for.',
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
} as const satisfies Record<Exclude<AnswerKind, 'ok'>, string>;

/** The error for an answer that a caller can't go on with: `[GET] "<url>": 503 Service Unavailable`. */
export function upstreamError(answer: FailedAnswer, options: UpstreamErrorOptions = {}): SortimentError {
  const lines = [`[${answer.method}] "${answer.url}": ${answer.detail}`];
  if (answer.kind === 'unreadable') lines.push(formatProblems(answer.problems));
  if (answer.sample && answer.kind !== 'unavailable') lines.push(`  The answer begins: ${answer.sample}`);
  return new SortimentError(CODES[answer.kind], lines.join('\n'), { hint: hintFor(answer, options) });
}

function hintFor({ kind, status }: FailedAnswer, options: UpstreamErrorOptions): string {
  switch (kind) {
    case 'unauthorised':
      return options.unauthorisedHint ?? 'Make sure that the address may be read without signing in.';
    case 'wrong-address':
    case 'gone':
      return options.addressHint ?? 'Correct the address in the environment.';
    case 'throttled':
      return 'Lower `sync.concurrency` or sync less often.';
    case 'unavailable':
      return status === undefined
        ? 'Check the address and the network; if the server is slow rather than away, raise `sync.timeoutMs`.'
        : 'Try again later: the server itself has failed.';
    default:
      return 'Compare the answer with the description of the interface; the server may have been updated.';
  }
}

/** What to do about an answer that is a problem of one record, while others of the same source are answered well. */
export function adviseOnRecord({ kind, status, cause }: FailedAnswer): string {
  if (status === 410) {
    return 'If the record is gone for good, take it out of the assortment: only the answer 404 in JSON counts as a removal.';
  }
  switch (kind) {
    case 'unauthorised':
      return 'Ask the operator of the server why this record is refused while others are answered.';
    case 'wrong-address':
      return 'Open the address and ask the operator of the server why it is no JSON: an error page, a redirect or a firewall.';
    case 'refused':
    case 'gone':
      return 'Ask the operator of the server why it refuses this record.';
    case 'throttled':
      return 'Lower `sync.concurrency` or sync less often.';
    case 'unavailable':
      if (cause === 'too-large') return 'Ask the operator of the server why the answer is so large.';
      if (cause === 'timeout') return 'Sync again; if it stays slow, raise `sync.timeoutMs`.';
      return 'Sync again; if it stays so, ask the operator of the server to look into its log.';
    default:
      return 'Ask the operator of the server to compare the answer with the description of the interface.';
  }
}

/** An address as it may be shown: without credentials, fragment and secrets in its query. */
export function displayUrl(address: string, secrets: readonly string[] = []): string {
  if (!URL.canParse(address)) return maskSecrets(maskUserInfo(address), secrets);
  const url = new URL(withoutUserInfo(address));
  url.hash = '';
  return maskSecrets(url.href, secrets);
}

/** Takes secrets out of a text that may echo them, such as the documentation page that shows its reader's token. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter(Boolean)
    .reduce((masked, secret) => masked.replaceAll(secret, '***').replaceAll(encodeURIComponent(secret), '***'), text);
}
