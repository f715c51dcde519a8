/** Rounded down: only what is whole is 100 %. */
export function percentOf(part: number, whole: number): string {
  return `${Math.floor((part / whole) * 100)} %`;
}
