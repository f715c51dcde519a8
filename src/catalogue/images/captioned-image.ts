import type { ImageAsset } from '#model/entries.ts';

/** An image with its texts. */
export type CaptionedImage = Pick<ImageAsset, 'digest' | 'width' | 'height' | 'animation' | 'alt' | 'caption'>;
