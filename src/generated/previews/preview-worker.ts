import sharp from 'sharp';
import { takeOrders } from '#workers/worker-thread.ts';
import { drawOrders } from './draw-orders.ts';

/** Worker thread that renders previews. */
sharp.concurrency(1);
takeOrders(drawOrders);
