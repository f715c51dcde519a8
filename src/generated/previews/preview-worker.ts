import sharp from 'sharp';
import { processBatches } from '#files/worker-thread.ts';
import { drawPreviews } from './draw-preview.ts';

/** Worker thread that renders previews. */
sharp.concurrency(1);
processBatches(drawPreviews);
