/** An answer of status 200 as it is sent, whole. */
export interface KeptAnswer {
  /** Names in small letters. */
  headers: Readonly<Record<string, string>>;
  /** Empty for HEAD. */
  body: Buffer;
  /** Headers of the 304 for who has this answer already, its `etag` among them; without them nobody gets one. */
  unchanged?: Readonly<Record<string, string>>;
  /** Counts a request that is answered with it. `false`: this one has to be answered anew. */
  count?: () => Promise<boolean>;
}

/** Sends a whole answer, of which each letter is a byte. What it gives says that this is done, where it is. */
export type Send = (status: number, headers: Readonly<Record<string, string>>, body: string | null) => Response;

/** Hands over an answer that may be sent again until the store changes. */
export type Offer = (answer: KeptAnswer) => void;

/** The state of the store that an answer was made from. */
export interface StoreState {
  version: number;
  /** Since 1970, in quarters of an hour. */
  quarter: number;
}

/** Offsets from UTC, days and years change with a full quarter of an hour, and answers with them. */
const QUARTER_MS = 15 * 60 * 1000;

/** To be taken before anything is read: what is read later may be newer than this, and never is older. */
export function stateAt(version: number, now = Date.now()): StoreState {
  return { version, quarter: Math.floor(now / QUARTER_MS) };
}

/** A long one takes the place of many, and the time to send it is what counts. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** One answer takes at most such a part of everything. */
const MAX_SHARE = 1 / 16;

/** What an entry takes beside its texts, roughly. */
const ENTRY_BYTES = 1000;

/**
 * Answers by what was asked and by whom, all of the newest state of the store that anybody has asked for. Bounded by
 * bytes: what wasn't asked for longest goes first.
 */
export class ResponseCache {
  readonly #maxBytes: number;
  /** The one that wasn't asked for longest first. */
  readonly #answers = new Map<string, KeptAnswer>();
  #state: StoreState = stateAt(-1, 0);
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  find(key: string, state: StoreState): KeptAnswer | undefined {
    const kept = this.#isOf(state) ? this.#answers.get(key) : undefined;
    if (!kept) return undefined;
    this.#answers.delete(key);
    this.#answers.set(key, kept);
    return kept;
  }

  /** @param state as it was before anything was read for the answer */
  put(key: string, state: StoreState, answer: KeptAnswer): void {
    const most = Math.min(MAX_ANSWER_BYTES, this.#maxBytes * MAX_SHARE);
    const bytes = bytesOf(key, answer);
    if (bytes > most || !this.#isOf(state)) return;
    this.#drop(key);
    this.#answers.set(key, answer);
    this.#bytes += bytes;
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#drop(oldest);
    }
  }

  /** Whether answers are of this state, after those of older ones were forgotten. */
  #isOf(state: StoreState): boolean {
    const { version, quarter } = this.#state;
    if (state.version === version && state.quarter === quarter) return true;
    // Somebody asked before the last change and comes after it.
    if (state.version < version || state.quarter < quarter) return false;
    this.#state = state;
    this.#answers.clear();
    this.#bytes = 0;
    return true;
  }

  #drop(key: string): void {
    const kept = this.#answers.get(key);
    if (!kept || !this.#answers.delete(key)) return;
    this.#bytes -= bytesOf(key, kept);
  }
}

function bytesOf(key: string, { body }: KeptAnswer): number {
  return ENTRY_BYTES + 2 * key.length + body.length;
}

/** Whether a client has what an ETag stands for, by its `If-None-Match`: weak comparison, RFC 9110 section 13.1.2. */
export function isKnown(etag: string, ifNoneMatch: string | null | undefined): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch === null) return false;
  const plain = etag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => ['*', plain].includes(tag.trim().replace(/^W\//, '')));
}
