import { expect, it } from 'vitest';
import { htmlBlocks } from './html-blocks.ts';

it('keeps the order of paragraphs and lists, and only the text of what is in them', () => {
  expect(
    htmlBlocks(
      '<p>Der s<sub>d</sub>-Wert &amp; mehr:</p><ul><li><strong>Eins.</strong> Zwei</li><li>Drei</li></ul><p>Ende</p>',
    ),
  ).toEqual([
    { kind: 'paragraph', text: 'Der sd-Wert & mehr:' },
    { kind: 'list', items: ['Eins. Zwei', 'Drei'] },
    { kind: 'paragraph', text: 'Ende' },
  ]);
});

it('makes nothing of an empty text', () => {
  expect(htmlBlocks('')).toEqual([]);
});
