/** What version 2 of the snapshot changes in the outbox. */
export const OUTBOX_V2 = `
CREATE TABLE outbox_v2 (
  id              TEXT PRIMARY KEY,
  hook            TEXT NOT NULL,
  run_id          TEXT NOT NULL,
  body            TEXT NOT NULL,
  state           TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'live', 'dead', 'superseded')),
  -- Counted before each sending. A message without any is waiting and may still be rewritten; from the first on it is
  -- in flight: its receiver may know it, so its body stays as it is.
  attempts        INTEGER NOT NULL DEFAULT 0,
  -- In a row, since it was put in or revived: its place in the schedule.
  failures        INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TEXT NOT NULL,
  created_at      TEXT NOT NULL,
  settled_at      TEXT,
  last_problem    TEXT,
  -- Of the sender that has it in hand, and until when nobody else may take it.
  lease           TEXT,
  leased_until    TEXT,
  -- Of a dead one: its target is no more, so nothing else goes there.
  target_gone     INTEGER NOT NULL DEFAULT 0
) STRICT;
-- Version 1 counted an attempt only when it was over: what it holds may already be known to its receiver.
INSERT INTO outbox_v2 (id, hook, run_id, body, state, attempts, failures, next_attempt_at, created_at, settled_at,
    last_problem)
  SELECT id, hook, run_id, body, state, iif(state = 'pending', max(attempts, 1), attempts), attempts, next_attempt_at,
    created_at, settled_at, last_problem FROM outbox ORDER BY rowid;
DROP TABLE outbox;
ALTER TABLE outbox_v2 RENAME TO outbox;
CREATE INDEX outbox_by_hook ON outbox (hook, state);
-- Whoever clears up what is settled leaves alone what a receiver has not been told.
CREATE TRIGGER outbox_keeps_untold BEFORE DELETE ON outbox WHEN old.state IN ('pending', 'dead') BEGIN
  SELECT RAISE(IGNORE);
END;
`;
