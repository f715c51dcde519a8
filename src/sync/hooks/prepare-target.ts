import { spawn, type ChildProcess } from 'node:child_process';
import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';
import { USER_AGENT } from '#client/exchange.ts';
import { maskSecrets as maskAll } from '#client/upstream-result.ts';
import type { HookOptions, PLACEHOLDERS } from '#config/hook-options.ts';
import { describeNetworkError, hasUserInfo, memberOf, trimTrailing, tryParse } from '#contracts/index.ts';
import { isSigningSecret, parseRetryAfter } from '#contracts/webhooks.ts';
import { MAX_GTINS, type CatalogueChanged } from './compose-message.ts';

/** A message as sent to a target. */
export interface HookMessage {
  id: string;
  /** The exact text of the event. */
  body: string;
  event: CatalogueChanged;
}

export type DeliveryResult =
  /** @property reference The target's id for the build that it started. */
  | { outcome: 'delivered'; reference?: string | undefined }
  /** The target no longer exists. */
  | { outcome: 'gone'; problem: string }
  /** @property problem Without addresses and response texts, because it is stored. */
  | { outcome: 'failed'; problem: string; slowDown?: boolean; retryAfterMs?: number | undefined };

export interface SendResult {
  verdict: DeliveryResult;
  /** The response without secrets; undefined if there was none. */
  answer?: { status: number; body: string };
}

/** A request without secrets. */
export type MaskedRequest =
  | { method: string; url: string; headers: Record<string, string>; body: string }
  | { command: readonly string[]; body: string };

/** A hook that is ready to send. */
export interface ReadyTarget {
  ok: true;
  /** Never throws. */
  send(message: HookMessage, at: Date): Promise<SendResult>;
  /** Returns the request without secrets. */
  show(message: HookMessage, at: Date): MaskedRequest;
  /** Maximum duration of a delivery. */
  timeoutMs: number;
}

export interface TargetContext {
  /** Working directory of programs. */
  folder: string;
  environment: NodeJS.ProcessEnv;
  /** Timeout for one request. */
  timeoutMs: number;
  /** Aborts a request, and stops a program with all processes that it started. */
  signal?: AbortSignal | undefined;
}

/**
 * Prepares the target of a hook from its environment variables.
 * @returns A problem names missing variables, never their values.
 */
export function prepareTarget(hook: HookOptions, context: TargetContext): ReadyTarget | { ok: false; problem: string } {
  if (hook.type !== 'command') return prepareHttp(describeTarget(hook), context);
  return {
    ok: true,
    send: async (message) => ({ verdict: await runHookCommand(hook, message, context) }),
    show: ({ body }) => ({ command: hook.command, body }),
    timeoutMs: hook.timeoutSeconds * 1000,
  };
}

/** Values of the environment variables; empty if the target needs none. */
interface VariableValues {
  url: string;
  /** All of them sign: during a key rotation the receiver may know the old or the new one. */
  keys: Webhook[];
  token: string;
}

interface HttpTarget {
  /** Names of environment variables. */
  variables: { url?: string; keys?: string; token?: string };
  /** @param at Time of this attempt; receivers reject old timestamps. */
  compose(message: HookMessage, values: VariableValues, at: Date): { url: string; headers?: Headers; body?: string };
  /** Meaning of a status at this target. */
  hints?: Readonly<Record<number, string>>;
  /** Path of the build's id in the JSON of a response. */
  reference?: readonly string[];
  /** True if a response reports `success`; that of a started build is true or, if it is optional, missing. */
  success?: 'required' | 'optional';
}

type Headers = Record<string, string>;

const JSON_TYPE = { 'content-type': 'application/json' };

const GITHUB_HINTS = {
  401: 'the token is invalid or expired',
  403: 'the token lacks permission, or its rate limit is exceeded',
  404: 'no such repository or workflow, or the token has no access',
  422: 'the ref, an input or the event type was rejected',
};

const GITLAB_HINTS = {
  400: 'the ref does not exist, or a variable or input was rejected',
  404: 'no such project, or the trigger token belongs to another project',
};

function describeTarget(hook: Exclude<HookOptions, { type: 'command' }>): HttpTarget {
  switch (hook.type) {
    case 'generic':
      // Standard Webhooks.
      return {
        variables: { url: hook.urlEnv, keys: hook.secretEnv },
        compose: ({ id, body }, { url, keys }, at) => ({
          url,
          headers: {
            ...JSON_TYPE,
            'webhook-id': id,
            'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
            'webhook-signature': keys.map((key) => key.sign(id, at, body)).join(' '),
          },
          body,
        }),
      };
    case 'netlify':
      return {
        variables: { url: hook.urlEnv },
        compose: ({ id, event }, { url }) => {
          const { runId, digest, classes } = event.data;
          const clearCache = hook.clearCache ? 'true' : undefined;
          return {
            url: withParameters(url, {
              trigger_branch: hook.branch,
              trigger_title: titleOf(event),
              clear_cache: clearCache,
            }),
            headers: JSON_TYPE,
            // Short, because the build reads it from INCOMING_HOOK_BODY.
            body: JSON.stringify({ id, type: event.type, runId, digest, classes }),
          };
        },
      };
    case 'vercel':
      return {
        variables: { url: hook.urlEnv },
        compose: (_, { url }) => ({ url: withParameters(url, { buildCache: hook.buildCache ? undefined : 'false' }) }),
        reference: ['job', 'id'],
      };
    case 'cloudflare-pages':
      return {
        variables: { url: hook.urlEnv },
        compose: (_, { url }) => ({ url }),
        reference: ['result', 'id'],
        success: 'optional',
      };
    case 'cloudflare-workers':
      return {
        variables: { url: hook.urlEnv },
        compose: (_, { url }) => ({ url }),
        reference: ['result', 'build_uuid'],
        success: 'required',
      };
    case 'github-repository-dispatch':
      return {
        variables: { token: hook.tokenEnv },
        compose: (message, { token }) =>
          githubRequest(hook, 'dispatches', token, { event_type: hook.eventType, client_payload: payloadOf(message) }),
        hints: GITHUB_HINTS,
      };
    case 'github-workflow-dispatch':
      return {
        variables: { token: hook.tokenEnv },
        compose: (message, { token }) =>
          githubRequest(hook, `actions/workflows/${hook.workflow}/dispatches`, token, {
            ref: hook.ref,
            inputs: Object.fromEntries(expandAll(hook.inputs, message)),
          }),
        hints: GITHUB_HINTS,
      };
    case 'gitlab':
      return {
        variables: { token: hook.tokenEnv },
        compose: (message, { token }) => {
          const form = new URLSearchParams({ token, ref: hook.ref });
          for (const [name, text] of expandAll(hook.variables, message)) form.append(`variables[${name}]`, text);
          for (const [name, text] of expandAll(hook.inputs, message)) form.append(`inputs[${name}]`, text);
          const project = encodeURIComponent(hook.project);
          return {
            url: `${trimTrailing(hook.apiUrl, '/')}/projects/${project}/trigger/pipeline`,
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            body: form.toString(),
          };
        },
        hints: GITLAB_HINTS,
        reference: ['id'],
      };
  }
}

function withParameters(address: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

const MAX_TITLE = 100;

function titleOf({ type, data: { classes, gtins } }: CatalogueChanged): string {
  const products = `${gtins.length}${gtins.length === MAX_GTINS ? ' or more' : ''} products`;
  const details = [classes.join(', '), ...(gtins.length > 0 ? [gtins.length === 1 ? '1 product' : products] : [])];
  return [type, details.filter(Boolean).join('; ')].filter(Boolean).join(': ').slice(0, MAX_TITLE);
}

function githubRequest(
  { apiUrl, repository }: { apiUrl: string; repository: string },
  path: string,
  token: string,
  body: object,
) {
  return {
    url: `${trimTrailing(apiUrl, '/')}/repos/${repository}/${path}`,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      ...JSON_TYPE,
      'x-github-api-version': '2022-11-28',
    },
    body: JSON.stringify(body),
  };
}

/** Maximum length of the payload of a repository dispatch, in characters. */
const MAX_PAYLOAD = 65_535;

/** Creates a payload of nine properties; GitHub allows ten. If it is too long, the counts are omitted. */
function payloadOf({ id, event: { type, timestamp, data } }: HookMessage): object {
  const payload = { id, type, timestamp, ...data };
  if (JSON.stringify(payload).length < MAX_PAYLOAD) return payload;
  const { counts: _counts, ...short } = payload;
  return short;
}

/** Replaces placeholders such as `{digest}` and `{gtins}` by the values of a message. */
function expandAll(templates: Readonly<Record<string, string>>, { id, event }: HookMessage): [string, string][] {
  const { type, data } = event;
  const { runId, digest, gtins, classes } = data;
  const values: Record<(typeof PLACEHOLDERS)[number], string> = {
    id,
    type,
    runId,
    previousDigest: data.previousDigest ?? '',
    digest,
    gtins: gtins.join(','),
    classes: classes.join(','),
  };
  const expand = (template: string) =>
    template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (name in values ? values[name as 'id'] : whole));
  return Object.entries(templates).map(([name, template]) => [name, expand(template)]);
}

function prepareHttp(
  target: HttpTarget,
  { environment, timeoutMs, signal }: TargetContext,
): ReturnType<typeof prepareTarget> {
  const { variables, compose } = target;
  const unset = Object.values(variables).filter((name) => !environment[name]?.trim());
  if (unset.length > 0) {
    return { ok: false, problem: `${unset.join(' and ')} ${unset.length > 1 ? 'are' : 'is'} not set` };
  }
  const valueOf = (name: string | undefined): string => (name === undefined ? '' : (environment[name]?.trim() ?? ''));
  const [url, token, secret] = [valueOf(variables.url), valueOf(variables.token), valueOf(variables.keys)];
  if (variables.url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    return { ok: false, problem: `${variables.url} is not an http(s) address` };
  if (hasUserInfo(url)) {
    // HTTP clients don't send user info, and addresses end up in logs.
    return { ok: false, problem: `${variables.url} contains a user name or password, which is not sent; remove it` };
  }
  if (/[^\x21-\x7e]/.test(token))
    return { ok: false, problem: `${variables.token} contains characters that are not allowed in a token` };
  const keys = secret === '' ? [] : secret.split(/\s+/);
  if (!keys.every(isSigningSecret))
    return { ok: false, problem: `${variables.keys} is not of the form whsec_<base64 of 24 to 64 bytes>` };

  const values = { url, keys: keys.map((key) => new Webhook(key)), token };
  const signing = keys.flatMap((key) => [key, key.replace(/^whsec_/, '')]);
  const secrets = [...(url ? secretsOfUrl(url) : []), token, ...signing].filter(Boolean);
  return {
    ok: true,
    timeoutMs,
    show: (message, at) => {
      const { url: address, headers = {}, body = '' } = compose(message, values, at);
      const masked = Object.entries(headers).map(([name, value]) => [name, maskHeader(name, value, secrets)]);
      return {
        method: 'POST',
        url: url ? maskUrl(address, url) : maskSecrets(address, secrets),
        headers: Object.fromEntries(masked) as Headers,
        body: maskSecrets(body, secrets),
      };
    },
    send: async (message, at) => {
      const outgoing = { method: 'POST', headers: {}, body: '', ...compose(message, values, at) } as const;
      const exchanged = await exchangeRequest(outgoing, timeoutMs, signal);
      if (exchanged.outcome === 'failed') return { verdict: exchanged };
      const { status, body } = exchanged;
      const verdict = evaluate(target, exchanged, at);
      if (verdict.outcome === 'delivered' && verdict.reference !== undefined) {
        verdict.reference = maskSecrets(verdict.reference, secrets).slice(0, 100);
      }
      return { verdict, answer: { status, body: maskSecrets(body, secrets) } };
    },
  };
}

/** Status codes of an overloaded target, as defined by Standard Webhooks. */
const SLOW_DOWN = [429, 502, 503, 504];

/** A 2xx status is a delivery, 410 disables the hook. Anything else, including redirects, is a failure to be retried. */
function evaluate(
  { hints = {}, reference, success }: HttpTarget,
  { status, retryAfter, body }: HookResponse,
  at: Date,
): DeliveryResult {
  if (status === 410) return { outcome: 'gone', problem: '410' };
  if (status >= 200 && status < 300) {
    const answer = tryParse(body);
    const flag = memberOf(answer, 'success');
    if (success && flag !== true && (success === 'required' || flag === false))
      return { outcome: 'failed', problem: `${status}, but no success` };
    const id = reference?.reduce(memberOf, answer);
    return { outcome: 'delivered', reference: ['string', 'number'].includes(typeof id) ? String(id) : undefined };
  }
  const hint = hints[status];
  const retryAfterMs = parseRetryAfter(retryAfter, at.getTime());
  return {
    outcome: 'failed',
    problem: hint ? `${status}: ${hint}` : String(status),
    slowDown: SLOW_DOWN.includes(status),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function maskHeader(name: string, value: string, secrets: readonly string[]): string {
  if (name === 'webhook-signature') return value.replaceAll(/v1,\S+/g, 'v1,***');
  return name === 'authorization' ? value.replace(/ .*/, ' ***') : maskSecrets(value, secrets);
}

/** Masks a secret address: only its host and added query parameters are shown. */
function maskUrl(address: string, secretUrl: string): string {
  const url = new URL(address);
  for (const name of new URL(secretUrl).searchParams.keys()) url.searchParams.delete(name);
  return `${url.origin}/***${url.search}`;
}

/**
 * Masks secrets in a text that may echo them. Secrets shorter than four characters are skipped, because they would
 * match ordinary text.
 */
function maskSecrets(text: string, secrets: readonly string[]): string {
  const encoded = secrets.flatMap((secret) => [secret, new URLSearchParams({ '': secret }).toString().slice(1)]);
  const long = encoded.filter((secret) => secret.length >= 4);
  return maskAll(
    text,
    long.toSorted((a, b) => b.length - a.length),
  );
}

/** Lists the parts of an address that may be secret. */
function secretsOfUrl(address: string): string[] {
  const { href, pathname, search, searchParams } = new URL(address);
  const segments = pathname.split('/').filter((segment) => segment.length >= 6);
  return [address, href, pathname + search, ...searchParams.values(), ...segments];
}

type HookResponse = Extract<Awaited<ReturnType<typeof exchangeRequest>>, { outcome: 'answered' }>;

/** Maximum size of a response body; the rest is not read. */
const MAX_ANSWER_BYTES = 65_536;

/**
 * Sends a request without following redirects. Never throws. The problem of a failure contains no texts of the original
 * error, which may include the address.
 * @param timeoutMs Timeout for the whole exchange.
 */
export async function exchangeRequest(
  { method, url, headers, body }: { method: 'GET' | 'POST'; url: string; headers: Headers; body?: string },
  timeoutMs: number,
  signal?: AbortSignal,
) {
  // No keep-alive: hooks are called rarely, and often through a proxy that closes idle connections early.
  const dispatcher = new Agent({ connect: { timeout: timeoutMs }, keepAliveTimeout: 1, keepAliveMaxTimeout: 1 });
  try {
    const response = await request(url, {
      dispatcher,
      method,
      body: body ?? null,
      headers: { ...headers, 'user-agent': USER_AGENT },
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
    });
    const { statusCode: status, headers: received } = response;
    const retryAfter = received['retry-after']?.toString();
    return { outcome: 'answered' as const, status, retryAfter, body: await readStart(response.body) };
  } catch (error) {
    const isLate = error instanceof Error && /^(TimeoutError|AbortError)$/.test(error.name);
    const reason =
      error instanceof Error && 'code' in error ? describeNetworkError(String(error.code)) : 'network error';
    return { outcome: 'failed' as const, problem: isLate ? `timed out after ${timeoutMs} ms` : reason };
  } finally {
    await dispatcher.destroy();
  }
}

/** Reads the beginning of a body. A truncated response still counts by its status. */
async function readStart(stream: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    stream.destroy();
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString();
}

/**
 * Runs a program with the event on its standard input and the message ID in SORTIMENT_MESSAGE_ID. Exit code 0 means
 * delivered. Its output is ignored. It is killed after its timeout or when this process ends.
 */
function runHookCommand(
  { command: [program, ...words], timeoutSeconds }: Extract<HookOptions, { type: 'command' }>,
  { id, body }: HookMessage,
  { folder, environment, signal }: TargetContext,
): Promise<DeliveryResult> {
  // `npm run build` starts three processes, and all must end before the next attempt. A process group ends as one.
  // Ctrl+C doesn't reach that group, so it is forwarded.
  const isGroup = signal !== undefined && process.platform !== 'win32';
  return new Promise<DeliveryResult>((resolve) => {
    const child = spawn(program, words, {
      cwd: folder,
      env: { ...environment, SORTIMENT_MESSAGE_ID: id },
      shell: false,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: isGroup,
    });
    const failed = (problem: string): void => resolve({ outcome: 'failed', problem });
    const kill = (): void => killAll(child, isGroup, 'SIGKILL');
    const timer = setTimeout(() => {
      kill();
      failed(`timed out after ${timeoutSeconds} s`);
    }, timeoutSeconds * 1000);
    // Don't wait for the program to stop.
    const stop = (): void => {
      killAll(child, isGroup, 'SIGTERM');
      child.unref();
      timer.unref();
      failed('stopped');
    };
    const cleanUp = (): void => {
      clearTimeout(timer);
      process.removeListener('exit', kill);
      signal?.removeEventListener('abort', stop);
    };
    process.once('exit', kill);
    signal?.addEventListener('abort', stop, { once: true });
    child.once('error', (error) => {
      cleanUp();
      failed('code' in error ? String(error.code) : 'not started');
    });
    child.once('exit', (code, killedBy) => {
      cleanUp();
      if (code === 0) resolve({ outcome: 'delivered' });
      else failed(code === null ? `ended by ${killedBy}` : `exit code ${code}`);
    });
    // The program need not read its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(body);
  }).catch((): DeliveryResult => ({ outcome: 'failed', problem: 'not started' }));
}

function killAll(child: ChildProcess, isGroup: boolean, signal: NodeJS.Signals): void {
  try {
    if (isGroup && child.pid !== undefined) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // Already ended.
  }
}
