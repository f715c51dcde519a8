import type { PLACEHOLDERS } from '#config/hook-options.ts';
import type { SentMessage } from './hook-target.ts';

/** Puts what a message says in place of `{digest}`, `{gtins}` and the like. */
export function expandTemplate(template: string, { id, event: { type, data } }: SentMessage): string {
  const values: Record<(typeof PLACEHOLDERS)[number], string> = {
    id,
    type,
    runId: data.runId,
    previousDigest: data.previousDigest ?? '',
    digest: data.digest,
    gtins: data.gtins.join(','),
    classes: data.classes.join(','),
  };
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (name in values ? values[name as 'id'] : whole));
}
