import type { ProductValidators } from '#snapshot/index.ts';
import type { ProductRequestContext } from './evaluate-response.ts';

/** A record to be read, with its stored data. */
export interface LanguageRequest extends ProductRequestContext {
  /** Last change according to the interface's list. */
  listedModified: string | undefined;
  /** Validators of the record as read by an unfinished run. */
  held: ProductValidators | undefined;
}
