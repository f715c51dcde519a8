export type { Answer, AnswerKind, FailedAnswer, Validators } from './answer.ts';
export { createTransport, USER_AGENT, type Transport, type TransportOptions } from './create-transport.ts';
export { detectPublishing, type PublishingSite } from './detect-publishing.ts';
export { displayUrl } from './display-url.ts';
export type { Exchange, TransportRequest } from './exchange.ts';
export { isTooDeep } from './is-too-deep.ts';
export { readCount } from './list-all.ts';
export type { OddPage } from './publishing-client-types.ts';
export type { ListedPage } from './publishing-client-types.ts';
export { maskSecret } from './mask-secret.ts';
export {
  probeProductInterface,
  readProfile,
  upstreamProfile,
  writeProfile,
  type ProbeOptions,
  type UpstreamProfile,
} from './probe/index.ts';
export { productClient, type ProductClient } from './product-client.ts';
export { publishingClient, type PublishingAccount } from './publishing-client.ts';
export type { Called, CallInput } from './publishing-client-types.ts';
export type { PublishingClient, RowOf, RowProblem } from './publishing-client-types.ts';
export type { LineExchange } from './open-lines.ts';
export { BodyError } from './read-body.ts';
export { readRetryAfter } from './retry-delay.ts';
export { adviseOnRecord, upstreamError, type UpstreamErrorOptions } from './upstream-error.ts';
