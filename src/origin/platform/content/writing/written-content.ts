import type { z } from 'zod';
import type { pageBody, postBody } from '#contracts/core/index.ts';
import type { Call } from '#origin/platform/http/transport/index.ts';

/** What may be sent to write content; each kind knows its own part of it, and may have fields of its own. */
export type WrittenContent = Partial<z.output<typeof postBody> & z.output<typeof pageBody>> & Record<string, unknown>;

/** A call that writes. */
export type WritingCall = Omit<Call, 'body' | 'params'> & { body: WrittenContent };
export type WritingItemCall = WritingCall & { params: { id: number } };
