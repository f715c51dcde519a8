import {
  describeOmitted,
  parseTranscript,
  transcriptMimeType,
  type TranscriptFormat,
} from '#contracts/podcast/index.ts';
import { describeFileType, type AssetKind } from '../asset-kind.ts';

const EXTENSIONS = { webvtt: 'vtt', srt: 'srt', json_podcastindex: 'json' } as const;

/** Transcript of an episode: WebVTT, SubRip or Podcasting 2.0 JSON, detected by its content. */
export const TRANSCRIPT: AssetKind = {
  kind: 'transcript',
  what: 'a transcript',
  accept: 'text/vtt,application/x-subrip,application/json,*/*;q=0.1',
  isCheckedWithRecord: true,
  check: async (bytes) => {
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      return { ok: false, problem: 'is not a transcript: it is not UTF-8 text' };
    }
    const other = describeFileType(bytes, undefined);
    if (other === 'HTML' || other === 'empty') return { ok: false, problem: `is not a transcript, but ${other}` };
    const format = formatOf(text);
    const parsed = parseTranscript(format, text);
    if (!parsed.ok) {
      const [first] = parsed.problems;
      return { ok: false, problem: `is not a transcript: ${[first?.field, first?.problem].filter(Boolean).join(' ')}` };
    }
    if (parsed.value.length === 0) return { ok: false, problem: 'is a transcript without cues' };
    const durationMs = parsed.value.reduce((end, { endMs }) => Math.max(end, endMs), 0);
    const omitted = describeOmitted(parsed.omitted);
    return {
      ok: true,
      mimeType: transcriptMimeType(format),
      extension: EXTENSIONS[format],
      details: { durationMs },
      warning: omitted && `is a transcript with unreadable parts, which are omitted: ${omitted}`,
    };
  },
};

function formatOf(text: string): TranscriptFormat {
  const start = text.trimStart();
  if (start.startsWith('WEBVTT')) return 'webvtt';
  return start.startsWith('{') || start.startsWith('[') ? 'json_podcastindex' : 'srt';
}
