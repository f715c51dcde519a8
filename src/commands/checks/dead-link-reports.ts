import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Settings } from '#config/index.ts';
import { replaceFile } from '#files/replace-file.ts';
import type { DeadLink } from './find-dead-links.ts';

export interface DeadLinkReports {
  /** Selects the links that no earlier run has reported. */
  selectNew: (found: DeadLink[]) => DeadLink[];
  /** Stores the links of this run as reported. Call it after the report is written. */
  save(): Promise<void>;
}

const file = z.array(z.string());

/**
 * Reports each dead link of a local page once, until it is corrected and breaks again. A project may have pages whose
 * products are still to come; the doctor command always lists all of them.
 */
export async function openDeadLinkReports({ home }: Pick<Settings, 'home'>): Promise<DeadLinkReports> {
  const filePath = path.join(home, 'dead-links.json');
  const text = await readFile(filePath, 'utf8').catch(() => '[]');
  const known = new Set(parse(text));
  let current: string[] | undefined;
  return {
    selectNew: (found) => {
      current = [...new Set(found.map(keyOf))].toSorted();
      return found.filter((link) => !known.has(keyOf(link)));
    },
    save: async () => {
      if (!current || (current.length === known.size && current.every((key) => known.has(key)))) return;
      // On failure they are merely reported again.
      await replaceFile(filePath, `${JSON.stringify(current)}\n`).catch(() => undefined);
    },
  };
}

function parse(text: string): string[] {
  try {
    return file.parse(JSON.parse(text));
  } catch {
    return [];
  }
}

/** Excludes the line number, which changes with every edit above it. */
function keyOf({ place, link }: DeadLink): string {
  return `${place.replace(/:\d+$/, '')} ${link}`;
}
