export { can, restNonce, rightsOf, type Caller, type Right } from './callers/index.ts';
export { publishingInterface, type Room } from './publishing-interface.ts';
export {
  collection,
  created,
  item,
  refuse,
  RestError,
  RouteRegistry,
  type Answer,
  type Call,
  type Handler,
  type RouteRules,
} from './transport/index.ts';
