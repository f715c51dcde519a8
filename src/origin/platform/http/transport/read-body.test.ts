import { expect, test } from 'vitest';
import { closeFiles, readForm } from './read-body.ts';

async function* inChunks(body: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}

/** Reads a form whose body arrives in chunks of this size. */
async function read(body: Buffer, type: string, { chunk = 65_536, maxFileBytes = 1_000_000 } = {}) {
  const form = await readForm(inChunks(body, chunk), type, maxFileBytes);
  if (!form) return undefined;
  const files = [];
  for (const [field, file] of form.files) files.push([field, file.name, (await file.read()).toString('latin1')]);
  await closeFiles(form.files);
  return { fields: form.fields, files };
}

const TYPE = 'multipart/form-data; boundary=b';
const MADE = {
  fields: [['title', 'Dämmung\r\n--']],
  files: [['file', 'Grün "1".bin', '\r\n--b\r\n-\u00ff\u0000\r\n--']],
};
const BODY = Buffer.from(
  [
    'preamble',
    '--b',
    'Content-Disposition: form-data; name="title"',
    '',
    'DÃ¤mmung\r\n--',
    '--b  ',
    'content-type: application/octet-stream',
    'content-disposition: form-data; filename="GrÃ¼n %221%22.bin"; name=file',
    '',
    '\r\n--B\r\n-\u00ff\u0000\r\n--',
    '--b--',
    'epilogue',
  ].join('\r\n'),
  'latin1',
);

test('a form is the same in whatever chunks it comes', async () => {
  const expected = { ...MADE, files: [['file', 'Grün "1".bin', '\r\n--B\r\n-\u00ff\u0000\r\n--']] };
  for (const chunk of [1, 2, 3, 5, 7, 64, 65_536]) expect(await read(BODY, TYPE, { chunk })).toEqual(expected);
});

test('it is read as other programs write it', async () => {
  const form = new FormData();
  form.append('title', 'a\r\nb "ä"');
  form.append('empty', '');
  form.append('file', new File([Buffer.alloc(300_000, 'xyz')], 'ä "b"\\.txt'));
  form.append('none', new File([], 'none.txt'));
  const sent = new Response(form);
  const body = Buffer.from(await sent.arrayBuffer());
  expect(await read(body, sent.headers.get('content-type') ?? '', { chunk: 10_000 })).toEqual({
    fields: [
      ['title', 'a\r\nb "ä"'],
      ['empty', ''],
    ],
    files: [
      ['file', 'ä "b"\\.txt', Buffer.alloc(300_000, 'xyz').toString()],
      ['none', 'none.txt', ''],
    ],
  });
});

test('truncated and malformed forms are empty', async () => {
  for (let length = 0; length < BODY.length - 14; length += 9)
    expect(await read(BODY.subarray(0, length), TYPE)).toBeUndefined();
  expect(await read(BODY, 'multipart/form-data')).toBeUndefined();
  expect(await read(Buffer.from('{"a":1}'), TYPE)).toBeUndefined();
});

test('ignores files if none are accepted, and beyond the twentieth', async () => {
  expect(await read(BODY, TYPE, { maxFileBytes: 0 })).toMatchObject({
    fields: [['title', expect.any(String)]],
    files: [],
  });
  const form = new FormData();
  for (let n = 0; n < 30; n += 1) form.append(`f${n}`, new File(['x'], 'x.txt'));
  const sent = new Response(form);
  const many = await read(Buffer.from(await sent.arrayBuffer()), sent.headers.get('content-type') ?? '');
  expect(many?.files).toHaveLength(20);
});

test('rejects files and fields that are too large', async () => {
  await expect(read(BODY, TYPE, { maxFileBytes: 5 })).rejects.toMatchObject({
    status: 413,
    code: 'rest_upload_file_too_big',
    message: 'The file is larger than 5 bytes. Upload a smaller file.',
  });
  const form = new FormData();
  form.append('title', 'x'.repeat(11 * 1024 * 1024));
  const sent = new Response(form);
  const body = Buffer.from(await sent.arrayBuffer());
  await expect(read(body, sent.headers.get('content-type') ?? '')).rejects.toMatchObject({
    status: 413,
    code: 'rest_body_too_large',
  });
});
