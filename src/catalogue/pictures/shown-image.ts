import type { ImageAsset } from '../../loaders/entries.ts';

/** An image with its texts. */
export type ShownImage = Pick<ImageAsset, 'digest' | 'width' | 'height' | 'alt' | 'caption'>;
