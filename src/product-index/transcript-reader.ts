import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseTranscript, type Cue, type TranscriptFormat } from '#contracts/podcast/transcript.ts';

/** File extension -> transcript format. */
const FORMATS: Readonly<Record<string, TranscriptFormat>> = { vtt: 'webvtt', srt: 'srt', json: 'json_podcastindex' };

/**
 * Returns a function that reads a stored transcript by digest. The result is empty if the file is missing or invalid.
 */
export function createTranscriptReader(assetsFolder: string): (digest: string) => readonly Cue[] {
  return (digest) => {
    for (const [extension, format] of Object.entries(FORMATS)) {
      const file = path.join(assetsFolder, digest.slice(0, 2), `${digest.slice(2)}.${extension}`);
      if (!existsSync(file)) continue;
      const parsed = parseTranscript(format, readFileSync(file, 'utf8'));
      return parsed.ok ? parsed.value : [];
    }
    return [];
  };
}
