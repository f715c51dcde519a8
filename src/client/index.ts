export type { Answer, AnswerKind, FailedAnswer, Validators } from './answer.ts';
export { createTransport, USER_AGENT, type Transport, type TransportOptions } from './create-transport.ts';
export { detectPublishing, namespaceOf, unusedNamespaces, type PublishingSite } from './detect-publishing.ts';
export { describeAmbiguous } from './map-namespaces.ts';
export { describeStatus, downloadFile, readBeginning, removePartials } from './download-file.ts';
export { displayUrl } from './upstream-error.ts';
export type { Exchange, TransportRequest } from './exchange.ts';
export { isTooDeep } from './classify-answer.ts';
export { readCount } from './publishing-client.ts';
export type { OddPage } from './publishing-client.ts';
export type { ListedPage } from './publishing-client.ts';
export { maskSecrets, PRODUCT_HINTS, PUBLISHING_HINTS } from './upstream-error.ts';
export {
  probeProductInterface,
  readProfile,
  upstreamProfile,
  writeProfile,
  type ProbeOptions,
  type UpstreamProfile,
} from './probe/index.ts';
export { listPages, productClient, type ProductClient } from './product-client.ts';
export { publishingClient } from './publishing-client.ts';
export { basicCredential, fileCredential, type Credential } from './credential.ts';
export type { Called, CallInput } from './publishing-client.ts';
export type { PublishingClient, RowOf, RowProblem } from './publishing-client.ts';
export type { BodyExchange } from './open-body.ts';
export type { LineExchange } from './open-lines.ts';
export { BodyError } from './read-body.ts';
export { readRetryAfter } from './create-transport.ts';
export { adviseOnRecord, upstreamError, type UpstreamErrorOptions } from './upstream-error.ts';
