import { shortPlayTime } from '#contracts/podcast/index.ts';
import { EPISODE } from '#contracts/synced/index.ts';
import type { SnapshotReader } from '#snapshot/index.ts';

/** A sound that is otherwise than its episode says. */
export interface OddSound {
  /** Id of the episode. */
  episode: number;
  address: string;
  problem: string;
}

/** Encoders add silence at both ends, and variable bit rates are estimated. */
const MAX_DIFFERENCE_MS = 3000;
const MAX_DIFFERENCE_SHARE = 0.02;

/** Sounds whose length, or duration, is another one than the publishing site says; as far as both are known. */
export function* findOddSounds(snapshot: Pick<SnapshotReader, 'records' | 'asset'>): Generator<OddSound> {
  for (const { id, audio, durationMs } of snapshot.records(EPISODE)) {
    for (const { url, bytes } of audio) {
      const asset = snapshot.asset(url, 'audio');
      const measuredMs = Number(asset?.details?.['durationMs'] ?? 0);
      if (bytes > 0 && asset?.bytes !== undefined && asset.bytes !== bytes)
        yield { episode: id, address: url, problem: `has ${asset.bytes} bytes, and is announced with ${bytes}` };
      const allowedMs = Math.max(MAX_DIFFERENCE_MS, durationMs * MAX_DIFFERENCE_SHARE);
      if (durationMs > 0 && measuredMs > 0 && Math.abs(measuredMs - durationMs) > allowedMs) {
        const [lasts, said] = [measuredMs, durationMs].map(shortPlayTime);
        yield { episode: id, address: url, problem: `lasts ${lasts}, and is announced with ${said}` };
      }
    }
  }
}
