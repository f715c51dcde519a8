import { digitalLink } from './digital-link/digital-link.ts';
import type { Output } from './output.ts';

/** Everything that a build puts beside its pages, in the order in which it is made. */
export const OUTPUTS: readonly Output[] = [digitalLink];
