import { Webhook } from 'standardwebhooks';
import { maskSecrets as maskAll } from '#client/upstream-error.ts';
import type { HookOptions } from '#config/hook-options.ts';
import { hasUserInfo } from '#contracts/index.ts';
import { exchangeRequest } from './exchange-request.ts';
import { runHookCommand, type CommandContext } from './targets/command.ts';
import {
  composeCloudflareRequest,
  evaluateCloudflarePages,
  evaluateCloudflareWorkers,
  composeNetlifyRequest,
  composeVercelRequest,
  evaluateVercel,
} from './targets/deploy-hooks.ts';
import { composeGenericRequest } from './targets/generic.ts';
import { composeRepositoryDispatch, composeWorkflowDispatch, evaluateGithub } from './targets/github.ts';
import { composeGitlabRequest, evaluateGitlab } from './targets/gitlab.ts';
import {
  type HookResponse,
  type HookRequest,
  type HookMessage,
  type DeliveryResult,
  evaluateStatus,
} from './targets/hook-target.ts';

const PREFIX = 'whsec_';

/** Key length in bytes, as defined by Standard Webhooks. */
const [MIN_BYTES, MAX_BYTES] = [24, 64];

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
  return secrets.every(isSecret) ? secrets.map((secret) => new Webhook(secret)) : undefined;
}

function isSecret(secret: string): boolean {
  const base64 = secret.slice(PREFIX.length);
  const bytes = Buffer.from(base64, 'base64').length;
  return secret.startsWith(PREFIX) && /^[A-Za-z0-9+/]+={0,2}$/.test(base64) && bytes >= MIN_BYTES && bytes <= MAX_BYTES;
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
