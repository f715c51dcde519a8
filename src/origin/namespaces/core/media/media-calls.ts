import type { z } from 'zod';
import type { mediaBody, uploadBody } from '#contracts/core/media.ts';
import type { createMedia, editMedia, postProcessMedia, updateMedia } from '#contracts/core/routes.ts';
import type { Call } from '#origin/platform/http/transport/index.ts';

export type MediaInput = z.output<typeof mediaBody>;
export type UploadFields = z.output<typeof uploadBody>;

export type UploadCall = Call<typeof createMedia>;
export type MediaUpdateCall = Call<typeof updateMedia>;
export type ImageEditCall = Call<typeof editMedia>;
export type PostProcessCall = Call<typeof postProcessMedia>;
