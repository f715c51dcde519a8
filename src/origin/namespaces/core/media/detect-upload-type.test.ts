import sharp from 'sharp';
import { expect, test } from 'vitest';
import { animatedPng } from '#files/testing/animated-png.ts';
import { detectUploadType } from './plan-media.ts';

const SQUARE = { width: 8, height: 8, channels: 3, background: '#145a3c' } as const;
const TEXT = { base: 'list', extension: 'txt' };

test.each([
  ['a text in whatever encoding', Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65, 9, 13, 10, 27]), 'text/plain'],
  ['bytes that are no text', Buffer.from('list\0'), undefined],
])('%s is told by its bytes', async (_, bytes, mimeType) => {
  expect((await detectUploadType(bytes, TEXT))?.mimeType).toBe(mimeType);
});

test('an animated PNG is a PNG', async () => {
  const bytes = animatedPng(await sharp({ create: SQUARE }).png().toBuffer(), 3);
  expect(await detectUploadType(bytes, { base: 'film', extension: 'png' })).toMatchObject({
    mimeType: 'image/png',
    extension: 'png',
  });
  expect(await detectUploadType(bytes, { base: 'film', extension: 'jpg' })).toMatchObject({ extension: 'png' });
});

const PDF = '%PDF-1.7\n%%EOF\n';
test.each([
  ['as most are', PDF, true],
  ['behind a line end', `\r\n${PDF}`, true],
  ['behind a mail header', `From: <shop@acme.example>\r\n\r\n${PDF}`, true],
  ['far behind', `${' '.repeat(1020)}${PDF}`, false],
  ['in a page', `\ufeff <p>${PDF}`, false],
  ['in a page with a name', `<!doctype html>${PDF}`, false],
  ['in a ZIP', `PK\u0003\u0004${'\0'.repeat(26)}${PDF}`, false],
  ['in a program', `MZ${PDF}`, false],
])('a PDF whose header stands %s', async (_, text, isTaken) => {
  const recognised = await detectUploadType(Buffer.from(text), { base: 'sheet', extension: 'pdf' });
  expect(recognised?.mimeType).toBe(isTaken ? 'application/pdf' : undefined);
  // A text extension does not change that.
  if (isTaken && !text.startsWith('%'))
    expect((await detectUploadType(Buffer.from(text), TEXT))?.mimeType).toBe('text/plain');
});

test('others are served while a large text is looked at, to its last byte', async () => {
  const bytes = Buffer.alloc(32 * 1024 * 1024, 'declared values ');
  bytes[bytes.length - 1] = 1;
  let served = 0;
  let isDone = false;
  const serve = (): void => {
    served++;
    if (!isDone) setImmediate(serve);
  };
  setImmediate(serve);
  expect(await detectUploadType(bytes, TEXT)).toBeUndefined();
  isDone = true;
  expect(served).toBeGreaterThan(8);
});
