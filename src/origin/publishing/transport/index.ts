export type { Addresses } from './addresses.ts';
export { collection, created, item, type Answer, type Paging } from './answer.ts';
export type { AnyCall, Call, CheckScope, Handler, ParameterCheck, RouteRules } from './call.ts';
export type { FieldSelection } from './field-selection.ts';
export { Memo } from './memo.ts';
export { invalidParameters, type ParameterProblem } from './parameter-problem.ts';
export { refusalStatus, refuse, RestError } from './rest-error.ts';
export { RouteRegistry, type ServedPath, type ServedRoute } from './route-registry.ts';
