import type { AssetKind } from '../asset-kind.ts';
import { AUDIO } from './audio.ts';
import { DOCUMENT } from './document.ts';
import { FILE } from './file.ts';
import { IMAGE } from './image.ts';
import { TRANSCRIPT } from './transcript.ts';

/** All kinds of files that records can refer to. */
export const ASSET_KINDS: readonly AssetKind[] = [IMAGE, DOCUMENT, FILE, AUDIO, TRANSCRIPT];
