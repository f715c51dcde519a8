export { can, restNonce, type Caller } from './callers/index.ts';
export {
  collection,
  created,
  item,
  createCommonError,
  RestError,
  RouteRegistry,
  type RouteResult,
  type Call,
  type Handler,
  type RouteRules,
  type ServedPath,
} from './transport/index.ts';
export { describeParameter, type JsonSchema } from './transport/describe-parameter.ts';
