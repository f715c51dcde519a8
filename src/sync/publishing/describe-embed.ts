import { withoutUserInfo } from '#contracts/index.ts';

/** Link that replaces an iframe of another site. */
export interface EmbedLink {
  /** Address of the page for visitors. */
  href: string;
  /** Name of the provider, such as `YouTube`, or its host. */
  provider: string;
}

/** Providers whose iframes and pages have different addresses. */
const PROVIDERS: readonly { host: RegExp; name: string; page?: (frame: URL) => string | undefined }[] = [
  {
    host: /(^|\.)youtube(-nocookie)?\.com$/,
    name: 'YouTube',
    page: ({ pathname }) => linkTo(/^\/embed\/([\w-]{6,})/.exec(pathname), 'https://www.youtube.com/watch?v='),
  },
  { host: /(^|\.)youtu\.be$/, name: 'YouTube' },
  {
    host: /(^|\.)vimeo\.com$/,
    name: 'Vimeo',
    page: ({ pathname }) => linkTo(/^\/video\/(\d+)/.exec(pathname), 'https://vimeo.com/'),
  },
  {
    host: /(^|\.)spotify\.com$/,
    name: 'Spotify',
    page: ({ pathname }) => linkTo(/^\/embed\/(\w+\/\w+)/.exec(pathname), 'https://open.spotify.com/'),
  },
  { host: /(^|\.)soundcloud\.com$/, name: 'SoundCloud' },
];

/** Creates the link for an iframe; undefined if its address is unusable. */
export function describeEmbed(address: string, base?: string): EmbedLink | undefined {
  if (!URL.canParse(address, base)) return undefined;
  const frame = new URL(address, base);
  if (!/^https?:$/.test(frame.protocol)) return undefined;
  const known = PROVIDERS.find(({ host }) => host.test(frame.hostname));
  return {
    href: known?.page?.(frame) ?? withoutUserInfo(frame.href),
    provider: known?.name ?? frame.hostname.replace(/^www\./, ''),
  };
}

function linkTo(match: RegExpExecArray | null, start: string): string | undefined {
  return match?.[1] === undefined ? undefined : `${start}${match[1]}`;
}
