import type { z } from 'zod';
import type { pageBody, postBody } from '#contracts/core/index.ts';
import type { Call } from '#origin/platform/http/transport/index.ts';

/** What may be sent to write a post or a page; each knows its own part of it. */
export type WrittenContent = z.output<typeof postBody> & Partial<z.output<typeof pageBody>>;

/** A call that writes. */
export type WritingCall = Omit<Call, 'body' | 'params'> & { body: WrittenContent };
export type WritingItemCall = WritingCall & { params: { id: number } };
