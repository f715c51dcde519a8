import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readTranscript, type Cue, type TranscriptFormat } from '#contracts/podcast/transcript.ts';

/** Extension of the file that the sync has stored -> what it holds. */
const FORMATS: Readonly<Record<string, TranscriptFormat>> = { vtt: 'webvtt', srt: 'srt', json: 'json_podcastindex' };

/** @returns Reads the transcript whose file has a digest; empty where it is not stored, or no longer. */
export function transcriptReader(assetsFolder: string): (digest: string) => readonly Cue[] {
  return (digest) => {
    for (const [extension, format] of Object.entries(FORMATS)) {
      const file = path.join(assetsFolder, digest.slice(0, 2), `${digest.slice(2)}.${extension}`);
      if (!existsSync(file)) continue;
      const read = readTranscript(format, readFileSync(file, 'utf8'));
      return read.ok ? read.value : [];
    }
    return [];
  };
}
