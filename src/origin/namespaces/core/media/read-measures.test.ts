import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExif } from './prepare-media.ts';
import { readAudio } from '#files/media/audio.ts';
import { readVideo } from '#files/media/read-movie.ts';

const text = (value: string) => Buffer.from(value, 'latin1');
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const box = (type: string, ...content: Buffer[]) => {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), text(type), body]);
};

/** 100 frames of 128 kbit/s, 44.1 kHz, stereo, behind a title. */
function createMp3(): Buffer {
  const title = Buffer.concat([Buffer.from([3]), Buffer.from('Dämmung', 'utf8')]);
  const frame = Buffer.concat([text('TIT2'), u32(title.length), Buffer.alloc(2), title]);
  const tags = Buffer.concat([text('ID3'), Buffer.from([4, 0, 0, 0, 0, 0, frame.length]), frame]);
  const audioFrame = Buffer.alloc(417);
  audioFrame.writeUInt32BE(0xff_fb_90_00);
  return Buffer.concat([tags, ...Array.from({ length: 100 }, () => audioFrame)]);
}

test('an MP3 tells its length, rate and title', () => {
  expect(readAudio(createMp3(), 'audio/mpeg')).toMatchObject({
    title: 'Dämmung',
    channels: 2,
    sample_rate: 44_100,
    bitrate: 128_000,
    bitrate_mode: 'cbr',
    length: 3,
    length_formatted: '0:03',
  });
});

test('a film tells its length and measures', () => {
  const header = box('mvhd', Buffer.alloc(12), u32(1000), u32(3_725_000), Buffer.alloc(80));
  const entry = Buffer.alloc(78);
  entry.writeUInt16BE(1920, 24);
  entry.writeUInt16BE(1080, 26);
  const picture = box('stsd', u32(0), u32(1), box('avc1', entry));
  const track = box('trak', box('mdia', box('minf', box('stbl', picture))));
  const film = Buffer.concat([box('ftyp', text('isom')), box('moov', header, track), box('mdat', Buffer.alloc(100))]);
  expect(readVideo(film, 'video/mp4')).toMatchObject({
    width: 1920,
    height: 1080,
    codec: 'H.264/MPEG-4 AVC',
    length_formatted: '1:02:05',
  });
});

test('what is damaged, cut or made up tells less, and never fails', () => {
  const starts = [
    '',
    'ID3\x04\0\0\0\0\x7f\x7f',
    'ID3\x03\0\0\0\0\x01\0TIT2',
    '\0\0\0\x08ftyp',
    '\0\0\0\x01ftyp',
    'Exif\0\0II',
    'MM',
  ];
  const start = fc.constantFrom(...starts).map(text);
  const bytes = fc.oneof(
    fc.tuple(start, fc.uint8Array({ maxLength: 400 })).map((parts) => Buffer.concat(parts)),
    fc.nat({ max: createMp3().length }).map((end) => createMp3().subarray(0, end)),
  );
  fc.assert(
    fc.property(bytes, (file) => {
      const read = [readAudio(file, 'audio/mpeg'), readVideo(file, 'video/mp4'), parseExif(file)];
      // The store takes no NUL inside JSON.
      expect(JSON.stringify(read)).not.toContain(String.raw`\u0000`);
    }),
  );
});
