import { Webhook } from 'standardwebhooks';
import { maskSecrets as maskAll } from '#client/upstream-error.ts';
import type { HookOptions } from '#config/hook-options.ts';
import { hasUserInfo, trimTrailing } from '#contracts/index.ts';
import { isSigningSecret } from '#contracts/webhooks.ts';
import { exchangeRequest } from './exchange-request.ts';
import {
  composeRepositoryDispatch,
  composeWorkflowDispatch,
  evaluateGithub,
  type HookResponse,
  type HookRequest,
  type HookMessage,
  type DeliveryResult,
  evaluateStatus,
  expandTemplate,
  readReference,
  readSuccess,
} from './targets/hook-target.ts';
import { MAX_GTINS, type CatalogueChanged } from './compose-message.ts';
import { spawn, type ChildProcess } from 'node:child_process';

export interface SendResult {
  verdict: DeliveryResult;
  /** The response without secrets; undefined if there was none. */
  answer?: { status: number; body: string };
}

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

/** @property problem Names of missing variables, never their values. */
export type PreparedTarget = ReadyTarget | { ok: false; problem: string };

export interface TargetContext extends CommandContext {
  /** Timeout for one request. */
  timeoutMs: number;
}

/** Prepares the target of a hook from its environment variables. */
export function prepareTarget(hook: HookOptions, surroundings: TargetContext): PreparedTarget {
  const http = (variables: VariableNames, compose: Compose, evaluate?: EvaluateAnswer) =>
    prepareHttp(variables, compose, evaluate, surroundings);
  switch (hook.type) {
    case 'generic':
      return http({ url: hook.urlEnv, keys: hook.secretEnv }, (message, values, at) =>
        composeGenericRequest(message, values, at),
      );
    case 'netlify':
      return http({ url: hook.urlEnv }, (message, { url }) => composeNetlifyRequest(hook, message, url));
    case 'vercel':
      return http({ url: hook.urlEnv }, (_, { url }) => composeVercelRequest(hook, url), evaluateVercel);
    case 'cloudflare-pages':
      return http({ url: hook.urlEnv }, (_, { url }) => composeCloudflareRequest(url), evaluateCloudflarePages);
    case 'cloudflare-workers':
      return http({ url: hook.urlEnv }, (_, { url }) => composeCloudflareRequest(url), evaluateCloudflareWorkers);
    case 'github-repository-dispatch':
      return http(
        { token: hook.tokenEnv },
        (message, { token }) => composeRepositoryDispatch(hook, message, token),
        evaluateGithub,
      );
    case 'github-workflow-dispatch':
      return http(
        { token: hook.tokenEnv },
        (message, { token }) => composeWorkflowDispatch(hook, message, token),
        evaluateGithub,
      );
    case 'gitlab':
      return http(
        { token: hook.tokenEnv },
        (message, { token }) => composeGitlabRequest(hook, message, token),
        evaluateGitlab,
      );
    case 'command':
      return {
        ok: true,
        send: async (message) => ({ verdict: await runHookCommand(hook, message, surroundings) }),
        show: ({ body }) => ({ command: hook.command, body }),
        timeoutMs: hook.timeoutSeconds * 1000,
      };
  }
}

/** Names of the environment variables. */
interface VariableNames {
  url?: string;
  keys?: string;
  token?: string;
}

/** Values of the variables; empty if the target needs none. */
interface VariableValues {
  url: string;
  keys: NonNullable<ReturnType<typeof readSigningKeys>>;
  token: string;
}

type Compose = (message: HookMessage, values: VariableValues, at: Date) => HookRequest;
type EvaluateAnswer = (answer: HookResponse, at: Date) => DeliveryResult;

function prepareHttp(
  variables: VariableNames,
  compose: Compose,
  evaluate: EvaluateAnswer = evaluateStatus,
  { environment, timeoutMs, signal }: TargetContext,
): PreparedTarget {
  const names = [variables.url, variables.keys, variables.token].filter((name) => name !== undefined);
  const unset = names.filter((name) => !environment[name]?.trim());
  if (unset.length > 0) {
    return { ok: false, problem: `${unset.join(' and ')} ${unset.length > 1 ? 'are' : 'is'} not set` };
  }
  const valueOf = (name: string | undefined): string => (name === undefined ? '' : (environment[name]?.trim() ?? ''));
  const [url, token, secret] = [valueOf(variables.url), valueOf(variables.token), valueOf(variables.keys)];
  if (variables.url !== undefined && !isAddress(url))
    return { ok: false, problem: `${variables.url} is not an http(s) address` };
  if (hasUserInfo(url)) {
    // HTTP clients don't send user info, and addresses end up in logs.
    return { ok: false, problem: `${variables.url} contains a user name or password, which is not sent; remove it` };
  }
  if (/[^\x21-\x7e]/.test(token))
    return { ok: false, problem: `${variables.token} contains characters that are not allowed in a token` };
  const keys = variables.keys === undefined ? [] : readSigningKeys(secret);
  if (!keys) return { ok: false, problem: `${variables.keys} is not of the form whsec_<base64 of 24 to 64 bytes>` };

  const values = { url, keys, token };
  const signing = secret.split(/\s+/).flatMap((key) => [key, key.replace(/^whsec_/, '')]);
  const secrets = [...(url ? secretsOfUrl(url) : []), token, ...signing].filter(Boolean);
  return {
    ok: true,
    timeoutMs,
    show: (message, at) => showRequest(compose(message, values, at), { secrets, secretUrl: url || undefined }),
    send: async (message, at) => {
      const exchanged = await exchangeRequest(compose(message, values, at), timeoutMs, signal);
      if (exchanged.outcome === 'failed') return { verdict: exchanged };
      const { status, body } = exchanged.answer;
      const verdict = evaluate(exchanged.answer, at);
      if (verdict.outcome === 'delivered' && verdict.reference !== undefined) {
        verdict.reference = maskSecrets(verdict.reference, secrets).slice(0, 100);
      }
      return { verdict, answer: { status, body: maskSecrets(body, secrets) } };
    },
  };
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Parses space-separated keys; undefined if one is not of the form `whsec_<base64>`. */
function readSigningKeys(text: string): Webhook[] | undefined {
  const secrets = text.trim().split(/\s+/);
  return secrets.every(isSigningSecret) ? secrets.map((secret) => new Webhook(secret)) : undefined;
}

/** A request without secrets. */
export type MaskedRequest =
  | { method: string; url: string; headers: Record<string, string>; body: string }
  | { command: readonly string[]; body: string };

interface ShowOptions {
  secrets: readonly string[];
  /** An address that is a secret itself: only its host and added query parameters are shown. */
  secretUrl?: string | undefined;
}

function showRequest({ method, url, headers, body }: HookRequest, options: ShowOptions): MaskedRequest {
  const { secrets, secretUrl } = options;
  const maskedHeaders = Object.entries(headers).map(([name, value]) => [name, maskHeader(name, value, secrets)]);
  return {
    method,
    url: secretUrl === undefined ? maskSecrets(url, secrets) : maskUrl(url, secretUrl),
    headers: Object.fromEntries(maskedHeaders),
    body: maskSecrets(body, secrets),
  };
}

function maskHeader(name: string, value: string, secrets: readonly string[]): string {
  if (name === 'webhook-signature') return value.replaceAll(/v1,\S+/g, 'v1,***');
  return name === 'authorization' ? value.replace(/ .*/, ' ***') : maskSecrets(value, secrets);
}

function maskUrl(address: string, secretUrl: string): string {
  const url = new URL(address);
  for (const name of new URL(secretUrl).searchParams.keys()) url.searchParams.delete(name);
  return `${url.origin}/***${url.search}`;
}

/**
 * Masks secrets in a text that may echo them. Secrets shorter than four characters are skipped, because they would
 * match ordinary text.
 */
export function maskSecrets(text: string, secrets: readonly string[]): string {
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
  return [address, href, pathname + search, ...searchParams.values(), ...segments].filter(
    (secret) => secret.length >= 4,
  );
}

/**
 * Creates a request as defined by Standard Webhooks.
 * @param keys All of them sign: during a key rotation the receiver may know the old or the new one.
 * @param at Time of this attempt; receivers reject old timestamps.
 */
function composeGenericRequest(
  { id, body }: HookMessage,
  { url, keys }: { url: string; keys: readonly Webhook[] },
  at: Date,
): HookRequest {
  return {
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': keys.map((key) => key.sign(id, at, body)).join(' '),
    },
    body,
  };
}

type GitlabHook = Extract<HookOptions, { type: 'gitlab' }>;

const HINTS = {
  400: 'the ref does not exist, or a variable or input was rejected',
  404: 'no such project, or the trigger token belongs to another project',
};

function composeGitlabRequest(hook: GitlabHook, message: HookMessage, token: string): HookRequest {
  const form = new URLSearchParams({ token, ref: hook.ref });
  for (const [name, template] of Object.entries(hook.variables)) {
    form.append(`variables[${name}]`, expandTemplate(template, message));
  }
  for (const [name, template] of Object.entries(hook.inputs)) {
    form.append(`inputs[${name}]`, expandTemplate(template, message));
  }
  const project = encodeURIComponent(hook.project);
  return {
    method: 'POST',
    url: `${trimTrailing(hook.apiUrl, '/')}/projects/${project}/trigger/pipeline`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  };
}

function evaluateGitlab(answer: HookResponse, at: Date): DeliveryResult {
  const verdict = evaluateStatus(answer, at, HINTS);
  return verdict.outcome === 'delivered' ? { ...verdict, reference: readReference(answer.body, ['id']) } : verdict;
}

const MAX_TITLE = 100;

/** Cloudflare deploy hooks take no payload. */
function composeCloudflareRequest(url: string): HookRequest {
  return { method: 'POST', url, headers: {}, body: '' };
}

function evaluateCloudflarePages(answer: HookResponse, at: Date): DeliveryResult {
  const verdict = evaluateStatus(answer, at);
  if (verdict.outcome !== 'delivered') return verdict;
  if (readSuccess(answer.body) === false) return { outcome: 'failed', problem: `${answer.status}, but no success` };
  return { ...verdict, reference: readReference(answer.body, ['result', 'id']) };
}

/** Requires `success` in the response: only then was a build started. */
function evaluateCloudflareWorkers(answer: HookResponse, at: Date): DeliveryResult {
  const verdict = evaluateStatus(answer, at);
  if (verdict.outcome !== 'delivered') return verdict;
  if (readSuccess(answer.body) !== true) return { outcome: 'failed', problem: `${answer.status}, but no success` };
  return { ...verdict, reference: readReference(answer.body, ['result', 'build_uuid']) };
}

type NetlifyHook = Extract<HookOptions, { type: 'netlify' }>;

/** Keeps the body short, because the build reads it from INCOMING_HOOK_BODY. */
function composeNetlifyRequest(hook: NetlifyHook, { id, event }: HookMessage, address: string): HookRequest {
  const url = new URL(address);
  if (hook.branch !== undefined) url.searchParams.set('trigger_branch', hook.branch);
  url.searchParams.set('trigger_title', titleOf(event));
  if (hook.clearCache) url.searchParams.set('clear_cache', 'true');
  const { runId, digest, classes } = event.data;
  return {
    method: 'POST',
    url: url.href,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, type: event.type, runId, digest, classes }),
  };
}

function titleOf({ type, data: { classes, gtins } }: CatalogueChanged): string {
  const products = `${gtins.length}${gtins.length === MAX_GTINS ? ' or more' : ''} products`;
  const details = [classes.join(', '), ...(gtins.length > 0 ? [gtins.length === 1 ? '1 product' : products] : [])];
  return [type, details.filter(Boolean).join('; ')].filter(Boolean).join(': ').slice(0, MAX_TITLE);
}

type VercelHook = Extract<HookOptions, { type: 'vercel' }>;

/** Vercel deploy hooks take no payload. */
function composeVercelRequest(hook: VercelHook, address: string): HookRequest {
  const url = new URL(address);
  if (!hook.buildCache) url.searchParams.set('buildCache', 'false');
  return { method: 'POST', url: url.href, headers: {}, body: '' };
}

function evaluateVercel(answer: HookResponse, at: Date): DeliveryResult {
  const verdict = evaluateStatus(answer, at);
  return verdict.outcome === 'delivered'
    ? { ...verdict, reference: readReference(answer.body, ['job', 'id']) }
    : verdict;
}

type CommandHook = Extract<HookOptions, { type: 'command' }>;

interface CommandContext {
  /** Working directory. */
  folder: string;
  environment: NodeJS.ProcessEnv;
  /** Stops the program and all processes that it started. */
  signal?: AbortSignal | undefined;
}

/**
 * Runs a program with the event on its standard input and the message ID in SORTIMENT_MESSAGE_ID. Exit code 0 means
 * delivered. Its output is ignored. It is killed after its timeout or when this process ends.
 */
function runHookCommand(
  { command: [program, ...words], timeoutSeconds }: CommandHook,
  { id, body }: HookMessage,
  { folder, environment, signal }: CommandContext,
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
