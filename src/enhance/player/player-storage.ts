/** Stored only on the visitor's device, if the browser allows it. */
const POSITION = 'podcast-position:';
const SPEED = 'podcast-speed';

/** Positions this close to the start or the end aren't stored, in seconds. */
const MIN_STORED = 5;
const SPEEDS = { slowest: 0.5, fastest: 3 };

/**
 * Returns the stored position of an episode, in seconds.
 *
 * @param guid GUID of the episode.
 */
export function loadPosition(guid: string): number | undefined {
  const seconds = Number(read(POSITION + guid));
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

export function savePosition(guid: string, seconds: number, duration: number): void {
  const isStored = seconds >= MIN_STORED && duration - seconds >= MIN_STORED;
  write(POSITION + guid, isStored ? seconds.toFixed(1) : undefined);
}

export function loadSpeed(): number {
  const speed = Number(read(SPEED));
  return speed >= SPEEDS.slowest && speed <= SPEEDS.fastest ? speed : 1;
}

export function saveSpeed(speed: number): void {
  write(SPEED, speed === 1 ? undefined : String(speed));
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Denied, or full.
  }
}
