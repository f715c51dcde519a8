import type { HeldProduct } from '#snapshot/index.ts';
import type { KnownAsked } from './evaluate-answer.ts';

/** A record to be read, with its stored data. */
export interface LanguageRequest extends KnownAsked {
  /** Last change according to the interface's list. */
  listedModified: string | undefined;
  /** Validators of the record as read by an unfinished run. */
  held: HeldProduct | undefined;
}
