import { expect, it } from 'vitest';
import { STOCK_NAMESPACES, toNeutralPath, toWirePath } from './namespaces.ts';

it.each([
  ['core/v2/posts', 'wp/v2/posts'],
  ['core/v2', 'wp/v2'],
  ['block-editor/v1/settings', 'wp-block-editor/v1/settings'],
  ['podcast/v2/episodes', 'podcast/v2/episodes'],
  ['core/v20/posts', 'core/v20/posts'],
  ['batch/v1', 'batch/v1'],
])('%s travels as %s and back', (neutral, wire) => {
  expect(toWirePath(neutral, STOCK_NAMESPACES)).toBe(wire);
  expect(toNeutralPath(wire, STOCK_NAMESPACES)).toBe(neutral);
});
