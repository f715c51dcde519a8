import { createHash } from 'node:crypto';
import { html } from 'hono/html';
import type { FormFields } from '#origin/platform/accounts/read-form.ts';
import type { Html } from '#origin/platform/accounts/account-page.ts';

/** Submitted form fields by name. */
export type Form = FormFields;

/** Displayed field values by name; an unchecked box is empty. */
export type FieldValues = Readonly<Record<string, string>>;

/** Hidden field with digests of the values that the form was rendered with. */
const SHOWN = 'shown';
/** Maximum length of its value. Parsing JSON is slow, and a list page needs only a third of this. */
const MAX_SHOWN_LENGTH = 8 * 1024;
const [LINE_FEED, RETURN] = [10, 13];

/** Changed fields of a form. */
export interface FormChanges {
  changed: ReadonlyMap<string, string>;
  /** Changed fields that another user has changed too since the form was rendered. */
  conflicts: readonly string[];
}

export function renderDisplayedDigests(fields: FieldValues): Html {
  const digests = Object.entries(fields).map(([name, value]) => [name, digest(value)]);
  return html`<input type="hidden" name="${SHOWN}" value="${JSON.stringify(Object.fromEntries(digests))}" />`;
}

/**
 * Finds the fields that the user has changed. Values that are submitted as they were displayed are unchanged, even if
 * another user has changed them since.
 *
 * @param stored values that the form would display now
 */
export function findFormChanges(form: Form, stored: FieldValues): FormChanges {
  const displayed = readDisplayed(form);
  const changed = new Map<string, string>();
  const conflicts: string[] = [];
  for (const [name, value] of Object.entries(stored)) {
    const submitted = form[name];
    if (typeof submitted !== 'string') continue;
    const [now, after] = [digest(value), digest(submitted)];
    const before = displayed.get(name) ?? now;
    if (after === now || after === before) continue;
    changed.set(name, submitted);
    if (before !== now) conflicts.push(name);
  }
  return { changed, conflicts };
}

function readDisplayed(form: Form): ReadonlyMap<string, unknown> {
  const text = stringOrEmpty(form[SHOWN]);
  if (text.length > MAX_SHOWN_LENGTH) return new Map();
  try {
    const displayed: unknown = JSON.parse(text);
    return new Map(Object.entries(displayed ?? {}));
  } catch {
    return new Map();
  }
}

/** Digests a text independently of line breaks, which browsers change. */
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

export function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
