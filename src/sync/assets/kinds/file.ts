import { MEDIA_FILES, findMediaFile } from '#contracts/index.ts';
import { describeFileType, detectFileType, type AssetKind, type CheckedAsset } from '../asset-kind.ts';

/** Audio, video and other files that texts play or link to. */
export const FILE: AssetKind = {
  kind: 'file',
  what: 'a file',
  accept: '*/*',
  access: ({ documents }, address) =>
    documents === 'link' && findMediaFile(address)?.isPlayed === false ? 'ignore' : 'fetch',
  check: checkFile,
};

/** First bytes of file types that other programs open. Types not listed here are text. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'docx epub odp ods odt pptx xlsx zip'.split(' ').map((extension) => [extension, 'PK\u0003\u0004']),
  ),
  ...Object.fromEntries('doc ppt xls'.split(' ').map((extension) => [extension, '\u00d0\u00cf\u0011\u00e0'])),
  dwg: 'AC10',
  rtf: '{\\rtf',
};

/**
 * Identifies playable audio and video by its bytes. A linked file must also match its extension, which decides how it
 * is served.
 */
async function checkFile(bytes: Uint8Array, address: string): Promise<CheckedAsset> {
  const found = (await detectFileType(bytes))?.mime;
  const claimed = findMediaFile(address);
  if (claimed && !claimed.isPlayed) {
    const { extension, mimeType } = claimed;
    const start = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
    const beginning = BEGINNINGS[extension];
    const fits = beginning === undefined ? isText(bytes) : start.startsWith(beginning);
    if (fits) return { ok: true, mimeType, extension };
    return { ok: false, problem: `is not a .${extension} file, but ${describeFileType(bytes, found)}` };
  }
  const matchesExtension = (extension: string) => PLAYED_AS[extension]?.includes(found ?? '') ?? false;
  const extension =
    claimed && matchesExtension(claimed.extension) ? claimed.extension : Object.keys(PLAYED_AS).find(matchesExtension);
  const played = extension === undefined ? undefined : MEDIA_FILES.get(extension);
  if (played) return { ok: true, mimeType: played.mimeType, extension: played.extension };
  return { ok: false, problem: `is neither audio nor video nor subtitles, but ${describeFileType(bytes, found)}` };
}

/** Extension -> detected media types. */
const PLAYED_AS: Readonly<Record<string, readonly string[]>> = {
  mp3: ['audio/mpeg'],
  mp4: ['video/mp4', 'video/x-m4v'],
  m4a: ['audio/x-m4a', 'audio/mp4', 'video/mp4'],
  m4v: ['video/x-m4v', 'video/mp4'],
  webm: ['video/webm', 'audio/webm', 'video/matroska', 'video/x-matroska'],
  weba: ['video/webm', 'audio/webm'],
  ogg: ['audio/ogg', 'audio/opus', 'audio/ogg; codecs=opus', 'application/ogg', 'video/ogg'],
  oga: ['audio/ogg'],
  opus: ['audio/opus', 'audio/ogg; codecs=opus', 'audio/ogg'],
  ogv: ['video/ogg'],
  mov: ['video/quicktime'],
  wav: ['audio/wav', 'audio/vnd.wave', 'audio/x-wav'],
  flac: ['audio/flac', 'audio/x-flac'],
  aac: ['audio/aac'],
  vtt: ['text/vtt'],
};

/** True for text that no browser renders as a page. */
function isText(bytes: Uint8Array): boolean {
  return !bytes.includes(0) && !looksLikePage(bytes);
}

function looksLikePage(bytes: Uint8Array): boolean {
  return /^(HTML|SVG)/.test(describeFileType(bytes, undefined));
}
