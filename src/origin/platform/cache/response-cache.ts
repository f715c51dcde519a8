/** A complete response with status 200. */
export interface CachedResponse {
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** Headers of the 304 response, including `etag`. Without them 304 is never sent. */
  unchanged?: Readonly<Record<string, string>>;
  /** Counts the request. Resolves to false if the cached response must not be used. */
  count?: () => Promise<boolean>;
}

/** Sends a complete response; each character of the body is one byte. Returns a marker for the HTTP adapter. */
export type SendResponse = (status: number, headers: Readonly<Record<string, string>>, body: string | null) => Response;

/** Caches a response until the store changes. */
export type CacheResponse = (answer: CachedResponse) => void;

/** State of the store that a response was created from. */
export interface StoreState {
  version: number;
  /** Quarters of an hour since 1970. */
  quarter: number;
}

/** UTC offsets, days and years change on a quarter of an hour, which invalidates all responses. */
const QUARTER_MS = 15 * 60 * 1000;

/** Returns the current state. Call it before reading anything: later reads are never older than this. */
export function getStoreState(version: number, now = Date.now()): StoreState {
  return { version, quarter: Math.floor(now / QUARTER_MS) };
}

/** A larger response would evict many others, and its transfer dominates the time anyway. */
const MAX_RESPONSE_BYTES = 1024 * 1024;

/** Maximum share of the cache for one response. */
const MAX_RESPONSE_SHARE = 1 / 16;

/** Approximate overhead of an entry. */
const ENTRY_OVERHEAD_BYTES = 1000;

/**
 * Cache of responses by request and credentials, all from the latest known state of the store. Bounded by bytes; the
 * least recently used entry is evicted first.
 */
export class ResponseCache {
  readonly #maxBytes: number;
  /** Least recently used first. */
  readonly #responses = new Map<string, CachedResponse>();
  #state: StoreState = getStoreState(-1, 0);
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  find(key: string, state: StoreState): CachedResponse | undefined {
    const cached = this.#advanceTo(state) ? this.#responses.get(key) : undefined;
    if (!cached) return undefined;
    this.#responses.delete(key);
    this.#responses.set(key, cached);
    return cached;
  }

  /** @param state state before anything was read for the response */
  put(key: string, state: StoreState, response: CachedResponse): void {
    const maxBytes = Math.min(MAX_RESPONSE_BYTES, this.#maxBytes * MAX_RESPONSE_SHARE);
    const bytes = entryBytes(key, response);
    if (bytes > maxBytes || !this.#advanceTo(state)) return;
    this.#evict(key);
    this.#responses.set(key, response);
    this.#bytes += bytes;
    for (const oldest of this.#responses.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#evict(oldest);
    }
  }

  /** Returns true if the cache holds responses of this state, after evicting those of older ones. */
  #advanceTo(state: StoreState): boolean {
    const { version, quarter } = this.#state;
    if (state.version === version && state.quarter === quarter) return true;
    // The request started before the latest change.
    if (state.version < version || state.quarter < quarter) return false;
    this.#state = state;
    this.#responses.clear();
    this.#bytes = 0;
    return true;
  }

  #evict(key: string): void {
    const cached = this.#responses.get(key);
    if (!cached || !this.#responses.delete(key)) return;
    this.#bytes -= entryBytes(key, cached);
  }
}

function entryBytes(key: string, { body }: CachedResponse): number {
  return ENTRY_OVERHEAD_BYTES + 2 * key.length + body.length;
}

/** Compares an ETag with `If-None-Match` by weak comparison (RFC 9110, section 13.1.2). */
export function matchesEtag(etag: string, ifNoneMatch: string | null | undefined): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch === null) return false;
  const plain = etag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => ['*', plain].includes(tag.trim().replace(/^W\//, '')));
}
