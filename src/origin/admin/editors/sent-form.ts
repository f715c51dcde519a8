import { createHash } from 'node:crypto';
import { html } from 'hono/html';
import type { FormFields, Html } from '#origin/platform/accounts/index.ts';

/** Fields of a form as they were sent, by their names. */
export type Form = FormFields;

/** What a form shows in its fields, by their names; a box that is not ticked is empty. */
export type Fields = Readonly<Record<string, string>>;

/** Name of the hidden field that says what the others held when the form was made. */
const SHOWN = 'shown';
/** Maximum length of its value: JSON takes long to parse, and a page of a list needs a third of this. */
const MAX_SHOWN_LENGTH = 8 * 1024;
const [LINE_FEED, RETURN] = [10, 13];

/** What somebody has changed in a form. */
export interface Changes {
  changed: ReadonlyMap<string, string>;
  /** Fields among these that somebody else has changed too since the form was made. */
  conflicts: readonly string[];
}

export function renderShown(fields: Fields): Html {
  const digests = Object.entries(fields).map(([name, value]) => [name, digest(value)]);
  return html`<input type="hidden" name="${SHOWN}" value="${JSON.stringify(Object.fromEntries(digests))}" />`;
}

/**
 * Finds what somebody has changed: what a form showed and sends back as it was is nobody's change, even if others have
 * changed it since.
 *
 * @param stored what the form would show now
 */
export function readChanges(form: Form, stored: Fields): Changes {
  const shown = readShown(form);
  const changed = new Map<string, string>();
  const conflicts: string[] = [];
  for (const [name, value] of Object.entries(stored)) {
    const sent = form[name];
    if (typeof sent !== 'string') continue;
    const [now, wanted] = [digest(value), digest(sent)];
    const before = shown.get(name) ?? now;
    if (wanted === now || wanted === before) continue;
    changed.set(name, sent);
    if (before !== now) conflicts.push(name);
  }
  return { changed, conflicts };
}

function readShown(form: Form): ReadonlyMap<string, unknown> {
  const text = textOf(form[SHOWN]);
  if (text.length > MAX_SHOWN_LENGTH) return new Map();
  try {
    const shown: unknown = JSON.parse(text);
    return new Map(Object.entries(shown ?? {}));
  } catch {
    return new Map();
  }
}

/** Digests a text, whatever its line breaks: browsers send others than those of the store. */
function digest(value: string): string {
  const bytes = Buffer.from(value);
  let end = 0;
  let before = 0;
  for (const byte of bytes) {
    if (byte !== LINE_FEED || before !== RETURN) bytes[end++] = byte === RETURN ? LINE_FEED : byte;
    before = byte;
  }
  return createHash('sha256').update(bytes.subarray(0, end)).digest('base64url').slice(0, 16);
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
