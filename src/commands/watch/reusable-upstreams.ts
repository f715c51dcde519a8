import type { Settings } from '#config/index.ts';
import {
  openUpstreams,
  type OpenOrigin,
  type OpenUpstreams,
  type OpenUpstreamsOptions,
} from '#integration/upstreams/ensure-snapshot.ts';

export interface ReusableUpstreams {
  /**
   * Returns the upstreams for the next sync. An origin started here is reused; one of another process may have stopped
   * since.
   */
  open(): Promise<OpenUpstreams>;
  close(): Promise<void>;
}

export interface ReusableUpstreamsOptions extends Pick<OpenUpstreamsOptions, 'report'> {
  receiver: { url: string; secret: string };
  log: (line: string) => void;
}

/**
 * Opens upstreams for repeated runs. An embedded origin started here stays open and notifies the receiver of changes.
 * If another process serves the origin, that one is used until it ends.
 */
export function createReusableUpstreams(
  settings: Settings,
  { receiver, log, report }: ReusableUpstreamsOptions,
): ReusableUpstreams {
  let started: OpenUpstreams | undefined;
  return {
    open: async () => {
      if (started) return started;
      const opened = await openUpstreams(settings, log, { receivers: [receiver], report });
      if (isStartedHere(opened.origin)) started = opened;
      return opened;
    },
    close: async () => started?.close(),
  };
}

const isStartedHere = (origin: OpenOrigin | undefined): boolean => origin?.isOwn ?? false;
