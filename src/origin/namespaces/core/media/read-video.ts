import { formatLength } from './read-audio.ts';
import { readMovie } from './read-movie.ts';

/** Measures of a film, in the names `media_details` uses; MP4 and QuickTime are understood, others only named. */
export function readVideo(bytes: Uint8Array, mimeType: string): Record<string, unknown> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.toString('latin1', 4, 8) !== 'ftyp') return { mime_type: mimeType };
  try {
    const { seconds, createdAt, bitrate, video, audio } = readMovie(file);
    const length = Math.round(seconds);
    return {
      bitrate: Math.round(bitrate - (audio.bitrate ?? 0)),
      mime_type: mimeType,
      length,
      length_formatted: formatLength(length),
      ...(video ? { width: video.width, height: video.height } : {}),
      fileformat: 'mp4',
      dataformat: 'quicktime',
      ...(video ? { codec: video.codec } : {}),
      ...(Object.keys(audio).length > 0 ? { audio } : {}),
      created_timestamp: createdAt,
    };
  } catch {
    // It ends before it says it does: nothing is known of it.
    return { mime_type: mimeType };
  }
}
