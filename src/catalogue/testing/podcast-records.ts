import type { PodcastRecord, ShowRecord } from '#contracts/synced/index.ts';
import { SITE } from './write-snapshot.ts';

/** A podcast as stored by a sync. */
export const PODCAST: PodcastRecord = {
  id: 1,
  guid: '4c0f6d2e-3f0e-4a4b-8a52-7d5a35c5d3a1',
  title: 'Dichtung',
  subtitle: 'Ein Podcast',
  summary: 'Worum es geht',
  author: 'Redaktion',
  email: 'post@haldenwerk.example',
  cover: undefined,
  language: 'de',
  category: 'Arts > Books',
  type: 'serial',
  explicit: false,
  copyright: '© Haldenwerk',
  funding: undefined,
  license: undefined,
  link: SITE,
};

const { link: _, ...series } = PODCAST;

export const createShow = (fields: Partial<ShowRecord> & Pick<ShowRecord, 'id' | 'slug'>): ShowRecord => ({
  ...series,
  guid: '',
  author: '',
  ...fields,
});
