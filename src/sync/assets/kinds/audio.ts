import { open } from 'node:fs/promises';
import { MEDIA_FILES } from '#contracts/index.ts';
import { measureAudio } from '#files/media/measure-audio.ts';
import { describeFileType, detectFileType, type AssetKind } from '../asset-kind.ts';

/** Detected media type -> extension. */
const TYPES: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/x-m4a': 'm4a',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'audio/ogg': 'ogg',
  'audio/ogg; codecs=opus': 'opus',
  'audio/opus': 'opus',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
  'audio/wav': 'wav',
};

/** Audio of episodes. It can be of any length, so it is streamed to disk. */
export const AUDIO: AssetKind = {
  kind: 'audio',
  what: 'audio',
  accept: 'audio/mpeg,audio/mp4,audio/ogg,audio/*;q=0.9,*/*;q=0.1',
  isStreamed: true,
  isCheckedWithRecord: true,
  maxBytes: ({ podcast }) => podcast.maxAudioBytes,
  access: ({ podcast }) => (podcast.audio === 'link' ? 'check' : 'fetch'),
  check: async (beginning) => {
    const found = (await detectFileType(beginning))?.mime;
    const extension = TYPES[found ?? ''];
    const mimeType = MEDIA_FILES.get(extension ?? '')?.mimeType;
    if (extension !== undefined && mimeType !== undefined) return { ok: true, mimeType, extension };
    return { ok: false, problem: `is not audio, but ${describeFileType(beginning, found)}` };
  },
  measure: async (file) => {
    const handle = await open(file);
    try {
      const { size: bytes } = await handle.stat();
      const read = async (start: number, length: number) => {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
        return buffer.subarray(0, bytesRead);
      };
      const durationMs = (await measureAudio({ bytes, read }))?.durationMs;
      return durationMs === undefined ? undefined : { durationMs };
    } finally {
      await handle.close();
    }
  },
};
