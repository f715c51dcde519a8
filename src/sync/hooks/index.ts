export type { CatalogueChanged } from './compose-message.ts';
export { deliverOutbox, type DeliverOutboxOptions } from './deliver-outbox.ts';
export { listHooks, listOutbox, type ListedHook, type ListedMessage } from './list-outbox.ts';
export { retryMessages } from './list-outbox.ts';
export { sendOutbox, type SendOutboxOptions } from './send-outbox.ts';
export type { Delivery } from './send-to-hook.ts';
export { showTestRequest, testHook, type TestedHook } from './testing/test-hook.ts';
