export { announce, eventMessage, insertMessage } from './announce.ts';
export type { OriginEvent } from './origin-event.ts';
export { readReceivers, type Receiver, type ReceiverOptions } from './start-sender.ts';
export { startSender, type EventSender, type SenderOptions } from './start-sender.ts';
