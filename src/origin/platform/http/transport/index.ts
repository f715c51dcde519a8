export type { Addresses } from './call.ts';
export { collection, created, failure, item, type Answer, type Paging, type Shown } from './answer.ts';
export { boundedBody } from './bounded-body.ts';
export type {
  AnswerOf,
  AnyCall,
  Call,
  CheckedBefore,
  CheckScope,
  Handler,
  ParameterCheck,
  RouteRules,
} from './call.ts';
export type { FieldSelection } from './field-selection.ts';
export { Memo } from '#origin/platform/context/memo.ts';
export { invalidParameters, type ParameterProblem } from './parameter-problem.ts';
export { parseJson, readText } from './read-body.ts';
export { fileTooLarge } from './read-form.ts';
export type { SentFile } from './rest-request.ts';
export { refusalStatus, refuseCommon, refuser, RestError, type Refuse } from './rest-error.ts';
export { presentRows } from './response-size.ts';
export { RouteRegistry, type ServedPath, type ServedRoute } from './route-registry.ts';
export { createScratchFile } from './scratch-file.ts';
