export type { UpstreamResult, UpstreamResultKind, UpstreamFailure, Validators } from './upstream-result.ts';
export { createTransport, USER_AGENT, type Transport, type TransportOptions } from './create-transport.ts';
export { detectPublishing, findNamespace, unusedNamespaces, type PublishingSite } from './detect-publishing.ts';
export { describeAmbiguous } from './map-namespaces.ts';
export { describeStatus, downloadFile, readBeginning, removePartials } from './download-file.ts';
export { displayUrl } from './upstream-error.ts';
export type { Exchange, TransportRequest } from './exchange.ts';
export { isNestedTooDeep } from './classify-response.ts';
export { parseCount } from './publishing-client.ts';
export type { UnreadablePage } from './publishing-client.ts';
export type { ListPage } from './publishing-client.ts';
export { maskSecrets, PRODUCT_HINTS, PUBLISHING_HINTS } from './upstream-error.ts';
export {
  probeProductInterface,
  readUpstreamProfile,
  upstreamProfile,
  writeUpstreamProfile,
  type ProbeOptions,
  type UpstreamProfile,
} from './probe/index.ts';
export { listProductPages, productClient, type ProductClient } from './product-client.ts';
export { publishingClient } from './publishing-client.ts';
export { basicCredential, fileCredential, type Credential } from './credential.ts';
export type { CallResult, CallOptions } from './publishing-client.ts';
export type { PublishingClient, RouteRow, RowProblem } from './publishing-client.ts';
export type { BodyExchange } from './open-body.ts';
export type { LineExchange } from './open-lines.ts';
export { BodyError } from './read-body.ts';
export { parseRetryAfter } from './create-transport.ts';
export { recordFailureAdvice, upstreamError, type UpstreamErrorOptions } from './upstream-error.ts';
