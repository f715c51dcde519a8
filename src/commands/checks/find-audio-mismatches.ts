import { shortPlayTime } from '#contracts/podcast/index.ts';
import type { SnapshotReader } from '#snapshot/index.ts';

/** An audio file that differs from its episode's metadata. */
export interface AudioMismatch {
  /** ID of the episode. */
  episode: number;
  address: string;
  problem: string;
}

/** Encoders add silence at both ends, and the duration of variable bit rates is an estimate. */
const MAX_DIFFERENCE_MS = 3000;
const MAX_DIFFERENCE_SHARE = 0.02;

/** Finds audio files whose size or duration differs from the publishing site's metadata, where both are known. */
export function* findAudioMismatches(snapshot: Pick<SnapshotReader, 'records' | 'asset'>): Generator<AudioMismatch> {
  for (const { id, audio, durationMs } of snapshot.records('episode')) {
    for (const { url, bytes } of audio) {
      const asset = snapshot.asset(url, 'audio');
      const measuredMs = Number(asset?.details?.['durationMs'] ?? 0);
      if (bytes > 0 && asset?.bytes !== undefined && asset.bytes !== bytes)
        yield { episode: id, address: url, problem: `has ${asset.bytes} bytes instead of the announced ${bytes}` };
      const allowedMs = Math.max(MAX_DIFFERENCE_MS, durationMs * MAX_DIFFERENCE_SHARE);
      if (durationMs > 0 && measuredMs > 0 && Math.abs(measuredMs - durationMs) > allowedMs) {
        const [lasts, said] = [measuredMs, durationMs].map(shortPlayTime);
        yield { episode: id, address: url, problem: `lasts ${lasts} instead of the announced ${said}` };
      }
    }
  }
}
