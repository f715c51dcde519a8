import type { z } from 'zod';
import type { editBody, mediaBody, uploadBody } from '#contracts/core/media.ts';
import type { Call } from '#origin/platform/http/transport/index.ts';

/** What may be written of a medium. */
export type WrittenMedia = z.output<typeof mediaBody>;
export type UploadFields = z.output<typeof uploadBody>;

export type UploadCall = Omit<Call, 'body'> & { body: UploadFields };
export type MediaItemCall = Omit<Call, 'body' | 'params'> & { params: { id: number } };
export type MediaUpdateCall = MediaItemCall & { body: WrittenMedia };
export type EditCall = MediaItemCall & { body: z.output<typeof editBody> };
