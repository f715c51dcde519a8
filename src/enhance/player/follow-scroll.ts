/** Positions of a scrolling box and of the current sentence, in CSS px from the top of the content. */
export interface ScrolledBox {
  /** Where the box is scrolled to, and how much of its content it shows. */
  top: number;
  height: number;
  /** Of its content. */
  contentHeight: number;
  sentence: { top: number; height: number };
}

/** Rounding, and what a zoomed page adds to it. */
const TOLERANCE = 3;

/** Where the current sentence belongs: a third of the box below its upper edge. */
const READING_LINE = 0.33;

/** Where to scroll to, to bring the sentence into easy view; undefined while it is in view. */
export function scrollTarget({ top, height, contentHeight, sentence }: ScrolledBox): number | undefined {
  const isEasy = sentence.top >= top + height * 0.1 && sentence.top + sentence.height <= top + height * 0.75;
  if (isEasy) return undefined;
  const target = sentence.top - Math.max(0, Math.min(height * READING_LINE, height - sentence.height));
  const within = Math.round(Math.min(Math.max(target, 0), Math.max(contentHeight - height, 0)));
  return Math.abs(within - top) <= TOLERANCE ? undefined : within;
}

/** Tells the reader's scrolling from that of the script, which goes from one place to another and never back. */
export class OwnScroll {
  #from: number;
  #to: number;

  constructor(top: number) {
    this.#from = top;
    this.#to = top;
  }

  begin(from: number, to: number): void {
    this.#from = from;
    this.#to = to;
  }

  /** Whether the script has scrolled the box to where it is now. */
  explains(top: number): boolean {
    const [low, high] = [Math.min(this.#from, this.#to), Math.max(this.#from, this.#to)];
    const isOnItsWay = top >= low - TOLERANCE && top <= high + TOLERANCE;
    if (isOnItsWay) this.#from = Math.min(Math.max(top, low), high);
    return isOnItsWay;
  }
}
