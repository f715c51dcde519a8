import type { Settings } from '#config/index.ts';
import {
  openUpstreams,
  type OpenOrigin,
  type OpenUpstreams,
  type OpenUpstreamsOptions,
} from '#integration/upstreams/index.ts';

export interface HeldUpstreams {
  /** What to sync from now. An origin that was started here is kept; one of another process may be gone the next time. */
  open(): Promise<OpenUpstreams>;
  close(): Promise<void>;
}

export interface HoldUpstreamsOptions extends Pick<OpenUpstreamsOptions, 'report'> {
  receiver: { url: string; secret: string };
  log: (line: string) => void;
}

/**
 * The upstreams for many runs. The embedded origin, once started here, stays open and tells the receiver of each
 * change; while another process serves it, that one is used, and if it ends, one is started here.
 */
export function holdUpstreams(settings: Settings, { receiver, log, report }: HoldUpstreamsOptions): HeldUpstreams {
  let own: OpenUpstreams | undefined;
  return {
    open: async () => {
      if (own) return own;
      const opened = await openUpstreams(settings, log, { receivers: [receiver], report });
      if (isOwn(opened.origin)) own = opened;
      return opened;
    },
    close: async () => own?.close(),
  };
}

const isOwn = (origin: OpenOrigin | undefined): boolean => origin?.isOwn ?? false;
