import type { z } from 'zod';
import type { createPost, pageBody, postBody, updatePost } from '#contracts/core/index.ts';
import type { RouteErrors } from '#contracts/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';

/** What may be sent to write content; each kind knows its own part of it, and may have fields of its own. */
export type WrittenContent = Partial<z.output<typeof postBody> & z.output<typeof pageBody>> & Record<string, unknown>;

/** A call that writes something new, and one that changes what is there. */
export type WritingCall = AnyCall<RouteErrors<typeof createPost>> & { body: WrittenContent };
export type WritingItemCall = AnyCall<RouteErrors<typeof updatePost>> & {
  body: WrittenContent;
  params: { id: number };
};
