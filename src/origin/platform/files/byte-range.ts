/** A part of a file. */
export interface ByteRange {
  start: number;
  /** Inclusive. */
  end: number;
}
