export type { CatalogueChanged } from './compose-message.ts';
export { deliverOutbox, type DeliverOutboxOptions } from './send-outbox.ts';
export { listHooks, listOutbox, type HookStatus, type MessageStatus } from './list-outbox.ts';
export { retryMessages } from './list-outbox.ts';
export { sendOutbox, type SendOutboxOptions } from './send-outbox.ts';
export type { Delivery } from './send-to-hook.ts';
export { previewTestRequest, testHook, type HookTestResult } from './testing/test-hook.ts';
