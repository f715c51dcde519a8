export type { Addresses } from './call.ts';
export { collection, created, failure, item, type RouteResult, type Paging, type SelectedFields } from './call.ts';
export { boundedBody } from './bounded-body.ts';
export type {
  ResultOf,
  AnyCall,
  Call,
  ParameterCheckResult,
  CheckContext,
  Handler,
  ParameterCheck,
  RouteRules,
} from './call.ts';
export type { FieldSelection } from './rest-request.ts';
export { Memo } from '#origin/platform/context/memo.ts';
export { invalidParameters, type ParameterProblem } from './rest-error.ts';
export { parseJson, readText } from './read-body.ts';
export { createFileTooLargeError } from './read-form.ts';
export type { UploadedFile } from './rest-request.ts';
export { deniedStatus, createCommonError, errorFactory, RestError, type CreateRestError } from './rest-error.ts';
export { presentRows } from './bounded-body.ts';
export { RouteRegistry, type ServedPath, type ServedRoute } from './route-registry.ts';
export { createScratchFile } from './rest-request.ts';
