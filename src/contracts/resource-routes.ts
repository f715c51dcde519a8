import { z } from 'zod';
import type { RouteDeclaration } from './route.ts';

/** Properties that the routes of a resource share. */
export interface ResourceDeclaration extends Pick<RouteDeclaration, 'access' | 'batch'> {
  /** Path of the collection: `core/v2/posts`. */
  path: string;
  /** Parameters of an item. The last one follows the path of the collection. */
  params: z.ZodObject;
  /** Schema of an item. */
  resource: z.ZodType;
}

type Operation = 'list' | 'get' | 'create' | 'update' | 'remove';

type OperationDeclaration = Partial<RouteDeclaration> & Pick<RouteDeclaration, 'summary'>;

/** A route, with defaults for missing properties: a list responds with an array, other routes with the item. */
type ResourceRoute<R extends ResourceDeclaration, K extends Operation, D> = D &
  Pick<RouteDeclaration, 'method' | 'also' | 'path' | 'summary' | 'access' | 'batch'> &
  (K extends 'get' | 'update' | 'remove' ? Pick<R, 'params'> : unknown) &
  (D extends Pick<RouteDeclaration, 'response'>
    ? unknown
    : { response: K extends 'list' ? z.ZodArray<R['resource']> : R['resource'] });

/** Declares routes of a collection and its items. Writing requires a user; `access` applies to reading. */
export function resourceRoutes<
  const R extends ResourceDeclaration,
  const D extends Readonly<Partial<Record<Operation, OperationDeclaration>>>,
>(shared: R, operations: D): { [K in keyof D & Operation]: ResourceRoute<R, K, D[K]> } {
  const { path, params, access, batch, resource: response } = shared;
  const item = { path: `${path}/<${Object.keys(params.shape).at(-1)}>`, params, response };
  const defaults: Readonly<Record<Operation, Omit<RouteDeclaration, 'summary'>>> = {
    list: { method: 'GET', path, access, response: z.array(response) },
    get: { method: 'GET', access, ...item },
    create: { method: 'POST', path, access: 'user', response },
    update: { method: 'POST', also: ['PUT', 'PATCH'], access: 'user', ...item },
    remove: { method: 'DELETE', access: 'user', ...item },
  };
  const routes = Object.entries(operations).map(([name, operation]) => [
    name,
    { ...(batch && { batch }), ...defaults[name as Operation], ...operation },
  ]);
  return Object.fromEntries(routes) as { [K in keyof D & Operation]: ResourceRoute<R, K, D[K]> };
}
