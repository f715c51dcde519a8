import { expect, it } from 'vitest';
import { documentFileName } from './document-csv.ts';

it.each([
  ['https://files.example/a/HW-10110_TDS.pdf?v=2#page=1', 'HW-10110_TDS.pdf'],
  ['https://files.example/Datenblatt%20W%C3%A4nde.pdf', 'Datenblatt Wände.pdf'],
  // No escape at all.
  ['https://files.example/100%.pdf', '100%.pdf'],
  ['https://files.example/..%2F..%2Fautostart%5Cx%00.pdf', '..-..-autostart-x-.pdf'],
  ['https://files.example/', 'document.pdf'],
])('%s is called %s', (address, name) => {
  expect(documentFileName(address)).toBe(name);
});
