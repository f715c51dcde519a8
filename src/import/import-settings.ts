import { getSettings, getSiteIndex, settings, siteIndex } from '#contracts/core/index.ts';
import type { ImportSettings } from '#contracts/index.ts';
import type { ImportRun } from './import-run.ts';

const copied = { title: true, description: true, timezone: true, default_category: true } as const;

/** Copies what the site is called and by which clock it lives, from its settings or, failing those, its index. */
export async function importSettings(run: ImportRun): Promise<void> {
  const { report, destination } = run;
  report.found('settings', 1);
  const told = await readSettings(run);
  const { outcome, note } = await destination.putSettings(told);
  if (outcome === 'kept') return report.leave('settings', note ?? 'can not be kept', ['title, description, timezone']);
  if (outcome === 'added' || outcome === 'updated' || outcome === 'unchanged') report.became('settings', outcome, '');
}

async function readSettings({ client, site, report }: ImportRun): Promise<ImportSettings> {
  const answer = await client.call({
    ...getSettings,
    response: settings.pick(copied).partial({ default_category: true }),
  });
  const told = answer.kind === 'ok' ? answer.value.body : undefined;
  const timezone = told?.timezone || (await readTimezone(client));
  if (!told) report.note('settings', 'the default category is not shown to this account', []);
  return {
    title: decodeEntities(told?.title ?? site.name),
    description: decodeEntities(told?.description ?? site.description),
    ...(timezone !== undefined && { timezone }),
    ...(told?.default_category !== undefined && { default_category: told.default_category }),
  };
}

/** A zone by name, or a plain distance from UTC such as `+05:30`. */
async function readTimezone(client: ImportRun['client']): Promise<string | undefined> {
  const index = { ...getSiteIndex, response: siteIndex.pick({ gmt_offset: true, timezone_string: true }) };
  const answer = await client.call(index);
  if (answer.kind !== 'ok') return undefined;
  const { timezone_string: name, gmt_offset: hours } = answer.value.body;
  if (name !== '') return name;
  if (hours === 0) return 'UTC';
  const minutes = Math.round(Math.abs(hours) * 60);
  return `${hours < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#039': "'", '#39': "'" };

/** Servers keep these two as HTML. */
function decodeEntities(text: string): string {
  return text.replaceAll(/&(#?\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}
