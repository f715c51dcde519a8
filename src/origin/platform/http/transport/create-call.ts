import type { z } from 'zod';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { Caller } from '../callers/caller.ts';
import { Memo } from '#origin/platform/context/memo.ts';
import type { Addresses, DispatchedCall } from './call.ts';
import type { ParsedParameters } from './parse-parameters.ts';
import { errorFactory } from './rest-error.ts';
import { getFieldSelection, type MergedParameter, type RestRequest } from './rest-request.ts';
import type { RouteRegistry, ServedRoute } from './route-registry.ts';

/** Creates the argument of a handler. */
export function createCall(
  { declaration, methods }: ServedRoute,
  values: ParsedParameters,
  merged: ReadonlyMap<string, MergedParameter>,
  scope: DispatchScope & { memo: Memo; request: RestRequest },
): DispatchedCall {
  const { request } = scope;
  const pick = (object: z.ZodObject | undefined) => {
    const picked: ParsedParameters = {};
    for (const name in object?.shape) if (Object.hasOwn(values, name)) picked[name] = values[name];
    return picked;
  };
  const undeclared = [...merged]
    .filter(([name]) => !Object.hasOwn(values, name))
    .map(([name, { sent }]) => [name, sent]);
  const requestMethod = request.method === 'HEAD' ? 'GET' : request.method;
  const method = requestMethod === 'OPTIONS' ? requestMethod : methods.find((candidate) => candidate === requestMethod);
  return {
    method: method ?? declaration.method,
    isOffered: method === undefined,
    params: pick(declaration.params),
    query: pick(declaration.query),
    body: pick(declaration.body),
    others: Object.fromEntries(undeclared),
    sources: new Map([...merged].map(([name, { source }]) => [name, source])),
    files: request.files ?? new Map(),
    ...(declaration.maxUploadBytes && request.http ? { upload: request.http.request } : {}),
    caller: scope.caller,
    context: scope.context,
    addresses: scope.addresses,
    refuse: errorFactory(declaration.errors ?? {}, scope.caller),
    fields: getFieldSelection(request),
    methodsOn: (path) => scope.registry.methodsOn(path),
    memo: scope.memo,
    requestMemo: scope.requestMemo,
  };
}

/** Everything a dispatch needs in addition to the request. */
export interface DispatchScope {
  context: OriginContext;
  registry: RouteRegistry;
  addresses: Addresses;
  caller: Caller;
  requestMemo: Memo;
}
