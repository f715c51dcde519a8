import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createProduct, fillSnapshot } from '#snapshot/testing/fill-snapshot.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { findDeadLinks } from './inspect-site.ts';

it('finds links in local pages to families and products that are gone, and pages that have no others', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'sortiment-links-'));
  mkdirSync(path.join(root, 'content/pages/de-de'), { recursive: true });
  writeFileSync(
    path.join(root, 'content/pages/de-de/home.mdx'),
    `---
title: Start
---

[Bahnen](/de-de/products/membranes/) und [alle](/de-de/products/), [weitere](/de-de/products/page/2/).
[Bänder](/de-de/products/tapes/filter/) <a href="/de-de/products/tapes/?a=1#b">Bänder</a>
[da](/de-de/p/vario-9524010000016/), [weg](/de-de/p/alt-9524010000023/), [Seite](/de-de/impressum/)
`,
  );
  const snapshot = openSnapshot(path.join(root, 'snapshot.sqlite'));
  const family = { id: 'membranes', names: {}, descriptions: {} };
  fillSnapshot(snapshot, { products: [createProduct()], records: { family: { membranes: family } } });
  writeFileSync(
    path.join(root, 'content/pages/de-de/demo.mdx'),
    '[Bänder](/de-de/products/tapes/) [Platten](/de-de/products/boards/) [Kontakt](/de-de/kontakt/)',
  );
  expect(findDeadLinks(root, snapshot, ['de-de', 'en-gb'])).toEqual({
    links: [
      { place: 'content/pages/de-de/home.mdx:6', link: '/de-de/products/tapes/filter/', target: 'family' },
      { place: 'content/pages/de-de/home.mdx:6', link: '/de-de/products/tapes/?a=1#b', target: 'family' },
      { place: 'content/pages/de-de/home.mdx:7', link: '/de-de/p/alt-9524010000023/', target: 'product' },
    ],
    pages: ['content/pages/de-de/demo.mdx'],
  });
  expect(findDeadLinks(path.join(root, 'nowhere'), snapshot, ['de-de'])).toEqual({ links: [], pages: [] });
  snapshot.close();
  rmSync(root, { recursive: true });
});
