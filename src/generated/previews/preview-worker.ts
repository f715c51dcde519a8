import sharp from 'sharp';
import { takeOrders } from '#workers/worker-thread.ts';
import { drawOrders } from './draw-orders.ts';

/** A thread that draws. */
sharp.concurrency(1);
takeOrders(drawOrders);
