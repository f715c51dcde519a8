/** Positions of a scrolling box and its current sentence, in CSS px from the top of the content. */
export interface ScrolledBox {
  /** Scroll position and visible height. */
  top: number;
  height: number;
  /** Height of the content. */
  contentHeight: number;
  sentence: { top: number; height: number };
}

/** Rounding errors, including those of zoomed pages. */
const TOLERANCE = 3;

/** Relative position of the current sentence in the box. */
const READING_LINE = 0.33;

/** Returns the scroll position that shows the sentence; undefined while it is in view. */
export function scrollTarget({ top, height, contentHeight, sentence }: ScrolledBox): number | undefined {
  const isEasy = sentence.top >= top + height * 0.1 && sentence.top + sentence.height <= top + height * 0.75;
  if (isEasy) return undefined;
  const target = sentence.top - Math.max(0, Math.min(height * READING_LINE, height - sentence.height));
  const within = Math.round(Math.min(Math.max(target, 0), Math.max(contentHeight - height, 0)));
  return Math.abs(within - top) <= TOLERANCE ? undefined : within;
}

/** Distinguishes the visitor's scrolling from that of the script, which moves in one direction from start to target. */
export class ScriptScroll {
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

  /** True if the script has scrolled the box to this position. */
  explains(top: number): boolean {
    const [low, high] = [Math.min(this.#from, this.#to), Math.max(this.#from, this.#to)];
    const isOnPath = top >= low - TOLERANCE && top <= high + TOLERANCE;
    if (isOnPath) this.#from = Math.min(Math.max(top, low), high);
    return isOnPath;
  }
}
