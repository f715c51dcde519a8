import { parentPort } from 'node:worker_threads';

/** Makes this thread carry out what `feedThread` hands it: it asks for the first orders with an empty answer. */
export function takeOrders<Order, Answer>(carryOut: (orders: readonly Order[]) => Promise<Answer[]>): void {
  const answer = (answers: readonly Answer[]): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage(answers);
  };
  parentPort?.on('message', (orders: readonly Order[]) => void carryOut(orders).then(answer));
  answer([]);
}
