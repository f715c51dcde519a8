import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createMedia } from '#contracts/core/routes.ts';
import { errorFactory } from '#origin/platform/http/transport/rest-error.ts';
import { openImage, withImage } from './image-work.ts';

const create = { width: 4000, height: 4000, channels: 3, background: '#369' } as const;
const picture = await sharp({ create }).png().toBuffer();
const call = { refuse: errorFactory(createMedia.errors, {}) };

test('a picture that takes too long is not called damaged', { timeout: 60_000 }, async () => {
  // Takes far longer than the second that it may.
  const slow = () => openImage(picture).timeout({ seconds: 1 }).blur(300).rotate(17).toBuffer();
  await expect(withImage(call, picture, slow)).rejects.toMatchObject({
    code: 'rest_upload_image_too_large',
    message: expect.stringMatching(/takes more than \d+ seconds/),
  });
});

test('a picture that is cut off is called damaged', async () => {
  const cut = picture.subarray(0, picture.length / 2);
  await expect(withImage(call, cut, () => openImage(cut).toBuffer())).rejects.toMatchObject({
    code: 'rest_upload_image_type_not_supported',
    message: expect.stringContaining('damaged'),
  });
});
