import { z } from 'zod';

const share = (fallback: number) => z.number().min(0).max(1).default(fallback);

/** What a run does when a source can't be read. */
const whenDown = z
  .strictObject({
    /**
     * `fail` stops the run; `use-last-good` keeps what is stored, for at most `maxAgeHours`, and shows its date in the
     * site's footer; `skip` keeps what is stored whatever its age and says nothing on the site.
     * @default 'fail'
     */
    whenDown: z.enum(['fail', 'use-last-good', 'skip']).default('fail'),
    /** @default 168 */
    maxAgeHours: z.number().positive().default(168),
  })
  .prefault({});

/** How the sync reads its sources, and what it refuses to believe. */
export const sync = z.strictObject({
  /** Requests under way at once, at most; fewer while the server is slow. @default 8 */
  concurrency: z.int().min(1).max(64).default(8),
  /** For one request, in ms. @default 20000 */
  timeoutMs: z.int().min(10).max(300_000).default(20_000),
  /** Attempts after the first, for what can heal. @default 3 */
  retries: z.int().min(0).max(10).default(3),
  /** Largest image or document, in bytes. @default 26214400 */
  maxMediaBytes: z
    .int()
    .min(1024)
    .default(25 * 1024 * 1024),
  /**
   * Images and documents are asked for again when a record that names them has changed, and else after so many hours.
   * @default 1
   */
  recheckMediaHours: z.number().min(0).default(1),
  /** A product is gone when the interface has answered 404 in so many runs in a row over so many hours. */
  confirmRemovals: z
    .strictObject({
      /** @default 3 */
      runs: z.int().min(1).max(100).default(3),
      /** @default 24 */
      hours: z.number().min(0).default(24),
    })
    .prefault({}),
  /**
   * What becomes of a product with an invalid value in a field that it can do without: `drop` leaves the field out,
   * warns, and keeps the product; `strict` refuses the record, and its last good version stays. Name, GTIN and language
   * must always be right.
   * @default 'drop'
   */
  invalidFields: z.enum(['drop', 'strict']).default('drop'),
  /**
   * After so many hours everything is read whole again, posts, pages and media as well as products, whatever lists and
   * dates say: a new text under an old date is seen this much later at the latest.
   * @default 168
   */
  fullReadHours: z.number().positive().default(168),
  /** Shares of what is known, overall and in each language, beyond which a run is refused. 1 turns a guard off. */
  guard: z
    .strictObject({
      /** Records that go; three may always. @default 0.1 */
      removed: share(0.1),
      /** Records that lose the same field. @default 0.2 */
      emptied: share(0.2),
      /** Prices that move by more than `priceMove`, or become 0. @default 0.2 */
      repriced: share(0.2),
      /** @default 0.5 */
      priceMove: z.number().positive().default(0.5),
      /** Records that are answered by an error, by HTML or not at all; three may always. @default 0.2 */
      failed: share(0.2),
    })
    .prefault({}),
  sources: z.strictObject({ product: whenDown, publishing: whenDown }).prefault({}),
});
