import { expect, it } from 'vitest';
import { textWidth, wrapText } from './typesetting.ts';

const style = { size: 10, weight: 400 } as const;

it('fills lines up to the width and loses no word', () => {
  const text = 'Luftdichtungs- und Dampfbremsebene auf der Raumseite gedämmter Holzkonstruktionen';
  const lines = wrapText(text, 150, style);
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.join(' ')).toBe(text);
  for (const line of lines) expect(textWidth(line, style)).toBeLessThanOrEqual(150);
});

it('cuts a word that no line can hold', () => {
  const lines = wrapText('Wasserdampfdiffusionswiderstandszahl', 60, style);
  expect(lines.join('')).toBe('Wasserdampfdiffusionswiderstandszahl');
  expect(lines.length).toBeGreaterThan(1);
});

it('keeps a unit with its figure', () => {
  expect(wrapText('über 70 % und 50 cm', 1000, style)).toEqual(['über 70\u00a0% und 50\u00a0cm']);
});

it('keeps French punctuation with the word before it', () => {
  expect(wrapText('« oui » : non', 1000, style)).toEqual(['«\u00a0oui\u00a0»\u00a0: non']);
});
