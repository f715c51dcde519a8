import { parentPort } from 'node:worker_threads';
import { collectGarbage } from './collect-garbage.ts';

/** Makes this thread carry out what `feedThread` hands it: it asks for the first orders with an empty answer. */
export function takeOrders<Order, Answer>(carryOut: (orders: readonly Order[]) => Promise<Answer[]>): void {
  const answer = (answers: readonly Answer[]): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage(answers);
  };
  parentPort?.on('message', (orders: readonly Order[]) => void carryOut(orders).then(answer));
  // What was needed to get here is a lot, and what V8 sees first is the measure for how much garbage it lets lie.
  collectGarbage();
  answer([]);
}
