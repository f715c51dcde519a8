import { expect, it } from 'vitest';
import { encodeText, readPageContent } from './page-writer.ts';

it.each(['', 'plain', 'Länge – 5 m² · „Höchstzugkraft“', '𝛿 😀', 'half a \ud83d pair'])(
  'encodes a text as UTF-8: %j',
  (text) => {
    expect(Buffer.from(encodeText(text))).toEqual(Buffer.from(text));
  },
);

it('has nothing to write of redirects and of empty answers', async () => {
  expect(await readPageContent(Response.redirect('https://haldenwerk.example/', 301))).toBeUndefined();
  expect(await readPageContent(new Response(undefined, { status: 404 }))).toBeUndefined();
  expect(await readPageContent(new Response('feed'))).toEqual({ bytes: Buffer.from('feed'), text: 'feed' });
});
