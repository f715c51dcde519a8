import { z } from 'zod';
import type german from '../../content/strings/de.json';

/** A file of `content/strings/`: flat keys, texts with `{placeholders}`, plural forms as `<key>.one`, `<key>.other`, … */
export const dictionary = z.record(z.string(), z.string().min(1, { error: 'is empty' }));

/** Texts by id of the collection `strings`, which is the file name: `de`, `en`, `de-at`. */
export type Dictionaries = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Keys of the German reference; a test compares the other files with it. */
export type StringKey = keyof typeof german;

/** A key with plural forms, without the plural suffix. */
export type PluralKey = StringKey extends infer Key ? (Key extends `${infer Base}.other` ? Base : never) : never;
