import path from 'node:path';
import { expect, it } from 'vitest';
import { byId, createEpisode, SITE, writeSnapshot } from '#catalogue/testing/write-snapshot.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { findAudioMismatches } from './inspect-site.ts';

const sound = (name: string, bytes: number) => ({ url: `${SITE}/${name}.mp3`, bytes, mimeType: 'audio/mpeg' });
const asset = (name: string, bytes: number, durationMs: number) => ({
  url: `${SITE}/${name}.mp3`,
  kind: 'audio',
  bytes,
  ...(durationMs > 0 && { details: { durationMs } }),
});

it('finds audio files whose size or duration differs from what their episodes say, where both are known', () => {
  const folder = writeSnapshot({
    records: {
      episode: byId(
        createEpisode({ id: 1, slug: 'fine', durationMs: 60_000, audio: [sound('fine', 100)] }),
        createEpisode({ id: 2, slug: 'cut', durationMs: 600_000, audio: [sound('cut', 100), sound('other', 100)] }),
        createEpisode({ id: 3, slug: 'unknown', durationMs: 0, audio: [sound('unknown', 0), sound('missing', 7)] }),
      ),
    },
    assets: [asset('fine', 100, 61_000), asset('cut', 90, 300_000), asset('other', 100, 0), asset('unknown', 5, 9000)],
  });
  const snapshot = openSnapshot(path.join(folder, '.sortiment', 'snapshot.sqlite'), { readOnly: true });
  try {
    expect([...findAudioMismatches(snapshot)]).toEqual([
      { episode: 2, address: `${SITE}/cut.mp3`, problem: 'has 90 bytes instead of the announced 100' },
      { episode: 2, address: `${SITE}/cut.mp3`, problem: 'lasts 5:00 instead of the announced 10:00' },
    ]);
  } finally {
    snapshot.close();
  }
});
