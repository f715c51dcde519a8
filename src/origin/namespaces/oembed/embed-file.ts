import type { Embed } from '#contracts/oembed.ts';
import { escapeHtml } from '#origin/platform/render/filter-html.ts';

const PLAYERS: Readonly<Record<'audio' | 'video', RegExp>> = {
  audio: /\.(?:mp3|ogg|oga|flac|m4a|wav|opus)$/i,
  video: /\.(?:mp4|m4v|webm|ogv)$/i,
};

/** A sound or a film by the name of its file: a player of the browser's own. Nothing is read. */
export function embedFile(url: string): (Omit<Embed, 'version' | 'type'> & Record<string, unknown>) | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const { href, pathname } = new URL(url);
  const kind = PLAYERS.audio.test(pathname) ? 'audio' : PLAYERS.video.test(pathname) ? 'video' : undefined;
  if (!kind) return undefined;
  const source = escapeHtml(href);
  const html = `<${kind} controls preload="none" src="${source}"><a href="${source}">${source}</a></${kind}>`;
  return { provider_name: 'Embed Handler', html, scripts: [] };
}

/** Whether an address is one of this site, whatever is there. */
export function isOfSite(url: string, site: string): boolean {
  return URL.canParse(url) && new URL(url).host === new URL(site).host;
}
