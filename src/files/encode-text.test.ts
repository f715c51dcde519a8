import { expect, it } from 'vitest';
import { readBytes } from './encode-text.ts';

it.each(['', 'plain', 'Länge – 5 m² · „Höchstzugkraft“', '𝛿 😀', 'half a \ud83d pair'])(
  'gives the UTF-8 of a page: %j',
  async (text) => {
    expect(Buffer.from((await readBytes(text)) ?? [])).toEqual(Buffer.from(text));
  },
);

it('has nothing to write of redirects and of empty answers', async () => {
  expect(await readBytes(Response.redirect('https://haldenwerk.example/', 301))).toBeUndefined();
  expect(await readBytes(new Response(undefined, { status: 404 }))).toBeUndefined();
  expect(await readBytes(new Response('feed'))).toEqual(new Uint8Array(Buffer.from('feed')));
});
