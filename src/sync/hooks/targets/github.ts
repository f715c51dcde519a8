import type { HookOptions } from '#config/hook-options.ts';
import { trimTrailing } from '#contracts/index.ts';
import {
  expandTemplate,
  type HookResponse,
  type HookRequest,
  type HookMessage,
  type DeliveryResult,
  evaluateStatus,
} from './hook-target.ts';

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
