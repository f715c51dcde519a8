/** Mixes two `#rrggbb` colours; `share` 0 gives the first, 1 the second. */
export function mix(first: string, second: string, share: number): string {
  const [a, b] = [channels(first), channels(second)];
  return `#${a.map((value, i) => hex(value + ((b[i] ?? value) - value) * share)).join('')}`;
}

export function lighten(color: string, share: number): string {
  return mix(color, '#ffffff', share);
}

export function darken(color: string, share: number): string {
  return mix(color, '#0b1216', share);
}

function channels(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}

function hex(value: number): string {
  return Math.round(value).toString(16).padStart(2, '0');
}
