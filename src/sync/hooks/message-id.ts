import { randomBytes } from 'node:crypto';

/** An id that no other message has. */
export function messageId(): string {
  return `msg_${randomBytes(16).toString('hex')}`;
}
