import type { EpisodeChapter } from '#model/podcast.ts';
import type { Cue } from '#contracts/podcast/transcript.ts';

/** What one person says without a break. */
export interface TranscriptParagraph {
  startMs: number;
  speaker?: string | undefined;
  cues: Cue[];
}

/** What is said in a chapter. */
export interface TranscriptPart {
  /** Undefined before the first chapter, and where there are none. */
  chapter?: EpisodeChapter | undefined;
  paragraphs: TranscriptParagraph[];
}

/** Longer paragraphs are hard to read. */
const PARAGRAPH_MS = 45_000;

/** Groups cues for reading: by chapter, and in paragraphs of one speaker. */
export function transcriptParts(cues: readonly Cue[], chapters: readonly EpisodeChapter[]): TranscriptPart[] {
  const parts: TranscriptPart[] = [];
  let next = 0;
  for (const cue of cues) {
    let chapter = parts.at(-1)?.chapter;
    for (; next < chapters.length && (chapters[next]?.startMs ?? 0) <= cue.startMs; next++) chapter = chapters[next];
    if (parts.length === 0 || parts.at(-1)?.chapter !== chapter) parts.push({ chapter, paragraphs: [] });
    const paragraphs = parts.at(-1)?.paragraphs ?? [];
    const last = paragraphs.at(-1);
    if (last && last.speaker === cue.speaker && !isLong(last)) last.cues.push(cue);
    else paragraphs.push({ startMs: cue.startMs, speaker: cue.speaker, cues: [cue] });
  }
  return parts;
}

/** Long enough, and at the end of a sentence. */
function isLong({ startMs, cues }: TranscriptParagraph): boolean {
  const last = cues.at(-1);
  return last !== undefined && last.endMs - startMs > PARAGRAPH_MS && /[.!?…。؟]["'”’»«)]*$/.test(last.text);
}
