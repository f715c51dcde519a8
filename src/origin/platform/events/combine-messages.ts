import { MAX_LISTED_EVENTS, type OriginEvent, type OriginMessage } from './origin-event.ts';

/** Several messages that nobody has been sent yet, oldest first, as one under the id of the first. */
export function combineMessages(first: OriginMessage, later: readonly OriginMessage[]): OriginMessage {
  const all = [first, ...later];
  const changes = new Map<string, OriginEvent>();
  for (const event of all.flatMap((message) => message.changes)) {
    const key = `${event.what}/${event.id}`;
    changes.set(key, combineEvents(changes.get(key), event));
  }
  const unlisted = all.reduce((sum, { count, changes: listed }) => sum + count - listed.length, 0);
  return {
    ...first,
    at: all.at(-1)?.at ?? first.at,
    changes: [...changes.values()].slice(0, MAX_LISTED_EVENTS),
    count: changes.size + unlisted,
  };
}

/** What was made and then changed was, to who hears of it once, made. */
function combineEvents(before: OriginEvent | undefined, event: OriginEvent): OriginEvent {
  return before?.action === 'created' && event.action === 'updated' ? { ...event, action: 'created' } : event;
}
