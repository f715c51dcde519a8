import { createHash } from 'node:crypto';
import { html } from 'hono/html';
import type { Html } from '#origin/platform/accounts/index.ts';

/** Fields of a form as they were sent, by their names. */
export type Form = Readonly<Record<string, unknown>>;

/** What a form shows in its fields, by their names; a box that is not ticked is empty. */
export type Fields = Readonly<Record<string, string>>;

/** Name of the hidden field that says what the others held when the form was made. */
const SHOWN = 'shown';

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
  try {
    const shown: unknown = JSON.parse(textOf(form[SHOWN]));
    return new Map(Object.entries(shown ?? {}));
  } catch {
    return new Map();
  }
}

/** Browsers send line breaks in a form of their own. */
function digest(value: string): string {
  return createHash('sha256').update(value.replaceAll(/\r\n?/g, '\n')).digest('base64url').slice(0, 16);
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
