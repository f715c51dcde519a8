import type { HookOptions } from '#config/hook-options.ts';
import { trimTrailing } from '#contracts/index.ts';
import {
  expandTemplate,
  type HookResponse,
  type HookRequest,
  type HookMessage,
  type DeliveryResult,
  evaluateStatus,
  readReference,
} from './hook-target.ts';

type GitlabHook = Extract<HookOptions, { type: 'gitlab' }>;

const HINTS = {
  400: 'the ref does not exist, or a variable or input was rejected',
  404: 'no such project, or the trigger token belongs to another project',
};

export function composeGitlabRequest(hook: GitlabHook, message: HookMessage, token: string): HookRequest {
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

export function evaluateGitlab(answer: HookResponse, at: Date): DeliveryResult {
  const verdict = evaluateStatus(answer, at, HINTS);
  return verdict.outcome === 'delivered' ? { ...verdict, reference: readReference(answer.body, ['id']) } : verdict;
}
