import { z } from 'zod';
import type german from '../../content/strings/de.json';

/** A file of `content/strings/`: flat keys, texts with `{placeholders}`, plural forms as `<key>.one`, `<key>.other`, … */
export const dictionary = z.record(z.string(), z.string().min(1, { error: 'is empty' }));

/** By id of the collection `strings`, the file's name: `de`, `en`, `de-at`. */
export type Dictionaries = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** German is the reference: a test keeps the other files to its keys. */
export type StringKey = keyof typeof german;

/** A key with plural forms, without their suffix. */
export type PluralKey = StringKey extends infer Key ? (Key extends `${infer Base}.other` ? Base : never) : never;
