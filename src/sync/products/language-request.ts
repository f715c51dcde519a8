import type { HeldProduct } from '#snapshot/index.ts';
import type { KnownAsked } from './evaluate-answer.ts';

/** One record to be read, with what is stored of it. */
export interface LanguageRequest extends KnownAsked {
  /** Its last change by the interface's own list. */
  listedModified: string | undefined;
  /** What a run that ended early has read of it. */
  held: HeldProduct | undefined;
}
