import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { eq, inArray, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_FILE_TEXT_LENGTH } from '#files/media/file-text.ts';
import { UPLOAD_TYPES } from '#origin/platform/files/file-store.ts';
import { MIGRATIONS_FOLDER } from '#origin/platform/store/apply-migrations.ts';
import { content } from '#origin/platform/store/schema.ts';
import { OPEN_TIMEOUT_MS, openTestSite, testPassword, type TestSite } from '#origin/testing/open-test-site.ts';

/** Maximum size of a stored media row in bytes, independent of the file's metadata. */
const MAX_ROW_BYTES = 100_000;

let site: TestSite;
beforeAll(async () => void (site = await openTestSite()), OPEN_TIMEOUT_MS);
afterAll(() => site.close());

const text = (value: string) => Buffer.from(value, 'latin1');
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const u32le = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const box = (type: string, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), text(type), body]);
};
const chunk = (type: string, body: Buffer) =>
  Buffer.concat([u32(body.length), text(type), body, u32(crc32(Buffer.concat([text(type), body])))]);

const long = (letters: number) => Buffer.from('\u4141'.repeat(letters), 'utf8');

type Build = (letters: number) => Buffer | Promise<Buffer>;

const FRAMES = ['TIT2', 'TPE1', 'TALB', 'TRCK', 'TCON', 'TCOM', 'TDRC', 'TYER', 'TSSE', 'TXXX'];

/** An MP3 whose tags have the given number of UTF-16 characters each. */
function mp3(letters: number): Buffer {
  const frames = FRAMES.map((id) => {
    const body = Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from('\u4141'.repeat(letters), 'utf16le')]);
    return Buffer.concat([text(id), u32(body.length), Buffer.alloc(2), body]);
  });
  const tags = Buffer.concat(frames);
  const size = [21, 14, 7, 0].map((shift) => (tags.length >> shift) & 127);
  const audio = Buffer.alloc(417);
  audio.writeUInt32BE(0xff_fb_90_00);
  return Buffer.concat([text('ID3\x03\0\0'), Buffer.from(size), tags, audio, audio, audio]);
}

const movie =
  (brand: string): Build =>
  (letters) => {
    const header = box('mvhd', Buffer.alloc(12), u32(1000), u32(3000), Buffer.alloc(80));
    const entry = Buffer.alloc(78);
    entry.writeUInt16BE(640, 24);
    entry.writeUInt16BE(360, 26);
    const track = box('trak', box('mdia', box('minf', box('stbl', box('stsd', u32(0), u32(1), box('avc1', entry))))));
    const tags = box(
      'udta',
      box('meta', u32(0), box('ilst', box('\xA9nam', box('data', u32(1), u32(0), long(letters))))),
    );
    return Buffer.concat([
      box('ftyp', text(brand), u32(0)),
      box('moov', header, track, tags),
      box('mdat', Buffer.alloc(99)),
    ]);
  };

const picture =
  (format: 'jpeg' | 'png' | 'webp' | 'avif' | 'tiff'): Build =>
  (letters) => {
    const said = 'A'.repeat(letters);
    const ifd0 = { ImageDescription: said, Artist: said, Copyright: said, Model: said };
    const create = { width: 8, height: 8, channels: 3, background: '#369' } as const;
    return sharp({ create }).toFormat(format).withExif({ IFD0: ifd0 }).toBuffer();
  };

async function png(letters: number): Promise<Buffer> {
  const plain = await picture('png')(letters);
  const said = chunk('tEXt', Buffer.concat([text('Title\0'), Buffer.alloc(letters, 'A')]));
  return Buffer.concat([plain.subarray(0, 33), said, plain.subarray(33)]);
}

async function gif(letters: number): Promise<Buffer> {
  const plain = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#369' } })
    .gif()
    .toBuffer();
  const blocks = Array.from({ length: Math.ceil(letters / 255) }, () =>
    Buffer.concat([Buffer.from([255]), Buffer.alloc(255, 'A')]),
  );
  return Buffer.concat([plain.subarray(0, -1), Buffer.from([0x21, 0xfe]), ...blocks, Buffer.from([0, 0x3b])]);
}

function icon(letters: number): Buffer {
  return Buffer.concat([
    Buffer.from([0, 0, 1, 0, 1, 0, 8, 8, 0, 0, 1, 0, 32, 0]),
    u32le(letters),
    u32le(22),
    Buffer.alloc(letters, 'A'),
  ]);
}

const wav: Build = (letters) => {
  const info = Buffer.concat([text('INFOINAM'), u32le(letters), Buffer.alloc(letters, 'A')]);
  const body = Buffer.concat([
    text('WAVEfmt '),
    u32le(16),
    Buffer.alloc(16, 1),
    text('LIST'),
    u32le(info.length),
    info,
  ]);
  return Buffer.concat([text('RIFF'), u32le(body.length), body]);
};

const comments = (letters: number) =>
  Buffer.concat([u32le(4), text('test'), u32le(1), u32le(letters + 6), text('TITLE='), Buffer.alloc(letters, 'A')]);

const flac: Build = (letters) => {
  const body = comments(letters);
  return Buffer.concat([
    text('fLaC'),
    Buffer.from([0, 0, 0, 34]),
    Buffer.alloc(34),
    u32(0x84_00_00_00 + body.length),
    body,
  ]);
};

const ogg =
  (codec: string): Build =>
  (letters) => {
    const page = (body: Buffer, flags: number) =>
      Buffer.concat([
        text('OggS\0'),
        Buffer.from([flags]),
        Buffer.alloc(20),
        Buffer.from([1, body.length & 255]),
        body,
      ]);
    return Buffer.concat([page(Buffer.concat([text(codec), Buffer.alloc(60)]), 2), page(comments(letters), 0)]);
  };

const element = (id: string, body: Buffer) =>
  Buffer.concat([Buffer.from(id, 'hex'), u32(0x10_00_00_00 + body.length), body]);

const matroska =
  (type: string): Build =>
  (letters) => {
    const head = element('1a45dfa3', element('4282', text(type)));
    return Buffer.concat([head, element('18538067', element('1549a966', element('7ba9', Buffer.alloc(letters, 'A'))))]);
  };

const zip =
  (name: string, first: string): Build =>
  (letters) => {
    const entry = (file: string, body: Buffer) => {
      const head = Buffer.alloc(30);
      head.writeUInt32BE(0x50_4b_03_04);
      head.writeUInt32LE(crc32(body), 14);
      head.writeUInt32LE(body.length, 18);
      head.writeUInt32LE(body.length, 22);
      head.writeUInt16LE(file.length, 26);
      return Buffer.concat([head, text(file), body]);
    };
    return Buffer.concat([entry(name, text(first)), entry('docProps/core.xml', Buffer.alloc(letters, 'A'))]);
  };
const office = (main: string) =>
  zip(
    '[Content_Types].xml',
    `<Types><Override ContentType="application/vnd.openxmlformats-officedocument.${main}.main+xml"/></Types>`,
  );

const compound: Build = (letters) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(512 + letters, 'A')]);
const plain =
  (start: string): Build =>
  (letters) =>
    Buffer.concat([text(start), Buffer.alloc(letters, 'A')]);
const document = (type: string) => zip('mimetype', type);

/** A file of each upload type, with metadata of the given length if the type has any. */
const FILES: Readonly<Record<string, Build>> = {
  'image/jpeg': picture('jpeg'),
  'image/gif': gif,
  'image/png': png,
  'image/tiff': picture('tiff'),
  'image/webp': picture('webp'),
  'image/avif': picture('avif'),
  'image/x-icon': icon,
  'video/mp4': movie('isom'),
  'video/quicktime': movie('qt  '),
  'video/webm': matroska('webm'),
  'video/ogg': ogg('\x80theora'),
  'video/mpeg': plain('\0\0\x01\xba\x44\0'),
  'video/x-matroska': matroska('matroska'),
  'text/plain': plain('a'),
  'text/csv': plain('a;b\n'),
  'text/tab-separated-values': plain('a\tb\n'),
  'text/calendar': plain('BEGIN:VCALENDAR\nSUMMARY:'),
  'text/vtt': plain('WEBVTT\n\nNOTE '),
  'audio/mpeg': mp3,
  'audio/aac': plain('\xff\xf1\x50\x80'),
  'audio/wav': wav,
  'audio/ogg': ogg('OpusHead'),
  'audio/flac': flac,
  'application/pdf': plain('%PDF-1.7\n1 0 obj<</Title('),
  'application/rtf': plain('{\\rtf1{\\info{\\title '),
  'application/zip': zip('a.txt', 'a'),
  'application/gzip': plain('\x1f\x8b\x08\x10\0\0\0\0\0\0'),
  'application/msword': compound,
  'application/vnd.ms-excel': compound,
  'application/vnd.ms-powerpoint': compound,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': office('wordprocessingml.document'),
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': office('spreadsheetml.sheet'),
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': office('presentationml.presentation'),
  'application/vnd.oasis.opendocument.text': document('application/vnd.oasis.opendocument.text'),
  'application/vnd.oasis.opendocument.spreadsheet': document('application/vnd.oasis.opendocument.spreadsheet'),
  'application/vnd.oasis.opendocument.presentation': document('application/vnd.oasis.opendocument.presentation'),
};

/** Upload types that cannot be decoded, so their files are rejected. */
const REFUSED = ['image/bmp', 'image/heic', 'image/heif'];

interface StoredRow {
  measured: Record<string, unknown>;
  [column: string]: unknown;
}

/** Uploads a file and returns its row, without the columns that depend on name and size. */
async function store(type: string, bytes: Buffer): Promise<{ row: StoredRow; bytes: number }> {
  const response = await fetch(`${site.context.publicUrl}/rest/core/v2/media`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`author:${testPassword('author')}`).toString('base64')}`,
      'content-disposition': `attachment; filename="file.${UPLOAD_TYPES[type]?.[0]}"`,
    },
    body: new Uint8Array(bytes),
  });
  const body = (await response.json()) as { id: number };
  expect(response.status, JSON.stringify(body).slice(0, 300)).toBe(201);
  const [row] = await site.context.store.db.select().from(content).where(eq(content.id, body.id));
  const { title, excerpt, content: described, altText, mediaDetails } = row ?? {};
  const { filesize: _, sizes: __, ...measured } = mediaDetails ?? {};
  const said = title?.startsWith('file') ? '' : title;
  return { row: { said, excerpt, described, altText, measured }, bytes: Buffer.byteLength(JSON.stringify(row)) };
}

test('each kind of file that can be uploaded is looked at here', () => {
  expect([...Object.keys(FILES), ...REFUSED].toSorted()).toEqual(Object.keys(UPLOAD_TYPES).toSorted());
});

test.each(Object.entries(FILES))('what is stored of %s does not grow with the metadata in it', async (type, build) => {
  const once = await store(type, await build(5000));
  const twice = await store(type, await build(10_000));
  expect(twice.row).toEqual(once.row);
  expect(twice.bytes).toBeLessThan(MAX_ROW_BYTES);
});

/** Adds a row as stored before the limit was introduced. */
async function addOldRow(letters: number): Promise<number> {
  const id = await site.addContent({ type: 'attachment', status: 'inherit', mimeType: 'audio/mpeg', file: 'old.mp3' });
  const details = sql`jsonb_build_object('title', repeat('中', ${letters}::int), 'length', 3)`;
  await site.context.store.db.execute(sql`update content set media_details = ${details} where id = ${id}`);
  return id;
}

test('what an earlier version has stored whole is cut when it is read', async () => {
  const id = await addOldRow(200_000);
  for (const path of [`/core/v2/media/${id}`, `/core/v2/media?include=${id}`]) {
    const answer = await site.fetch(path);
    const [body] = [answer.body].flat() as { media_details: { title: string; length: number } }[];
    expect([body?.media_details.title.length, body?.media_details.length]).toEqual([MAX_FILE_TEXT_LENGTH, 3]);
    expect(answer.text.length).toBeLessThan(MAX_ROW_BYTES);
  }
});

test('an update of the store cuts it for good', async () => {
  const id = await addOldRow(200_000);
  const usual = await addOldRow(10);
  const { db } = site.context.store;
  await db.execute(sql.raw(await readFile(join(MIGRATIONS_FOLDER, '0006_cut-media-details.sql'), 'utf8')));
  const rows = await db
    .select({ details: content.mediaDetails })
    .from(content)
    .where(inArray(content.id, [id, usual]))
    .orderBy(content.id);
  const measured = rows.map(({ details }) => [String(details['title']).length, details['length']]);
  expect(measured).toEqual([
    [MAX_FILE_TEXT_LENGTH, 3],
    [10, 3],
  ]);
});

test('a tag of millions of letters takes no room', async () => {
  const { row, bytes } = await store('audio/mpeg', mp3(4_000_000 / FRAMES.length));
  expect(bytes).toBeLessThan(MAX_ROW_BYTES);
  expect(row.measured['title']).toHaveLength(MAX_FILE_TEXT_LENGTH);
});
