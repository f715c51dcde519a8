/** Bytes of a stream, taken up to one mark after the other; never more of them in memory than come at once. */
export class MarkedReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Buffer;

  /** @param first what is read before the stream */
  constructor(chunks: AsyncIterable<Uint8Array>, first: string) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#rest = Buffer.from(first, 'latin1');
  }

  /** Hands on what comes before a mark, piece by piece, and skips the mark. @returns whether it came */
  async readTo(mark: string, take: (piece: Buffer) => void | Promise<void>): Promise<boolean> {
    for (;;) {
      const at = this.#rest.indexOf(mark, 0, 'latin1');
      if (at >= 0) {
        await this.#hand(at, take);
        this.#rest = this.#rest.subarray(mark.length);
        return true;
      }
      // The mark may begin at the end of what is there.
      await this.#hand(this.#rest.length - mark.length + 1, take);
      const { done, value } = await this.#chunks.next();
      if (done) {
        await this.#hand(this.#rest.length, take);
        return false;
      }
      this.#rest = Buffer.concat([this.#rest, value]);
    }
  }

  async #hand(bytes: number, take: (piece: Buffer) => void | Promise<void>): Promise<void> {
    if (bytes <= 0) return;
    await take(this.#rest.subarray(0, bytes));
    this.#rest = this.#rest.subarray(bytes);
  }
}
