import type { FeedChannel, FeedItem } from '../feed-document.ts';

/** Markup, control characters and an unpaired surrogate. */
export const HOSTILE = `<script>alert(1)</script> & "both" 'quotes' ]]> <!-- \u0000\u0008\uD800 end`;

export const CHANNEL: FeedChannel = {
  title: 'Wall Notes',
  link: 'https://walls.example',
  tagline: 'About walls',
  updated: new Date('2026-03-01T07:00:00Z'),
  address: { self: 'https://walls.example/feed/mp3/' },
};

export const ITEM: FeedItem = {
  title: 'First words',
  link: 'https://walls.example/first-words/',
  guid: '0f0e0d0c-0b0a-4908-8706-050403020100',
  published: new Date('2026-02-01T07:00:00Z'),
  file: { href: 'https://walls.example/files/wn001.mp3', bytes: 16_638, mimeType: 'audio/mpeg' },
  durationMs: 0,
  type: 'full',
};
