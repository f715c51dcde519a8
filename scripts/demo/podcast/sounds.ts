import { seededRandom } from '../drawing/random.ts';

export const SAMPLE_RATE = 48_000;

const D2 = 73.42;
/** Semitones above D of the five notes that every tune here is made of. */
const SCALE = [0, 2, 4, 7, 9] as const;

/** Frequency of a step of the pentatonic scale on D2; five steps are an octave. */
function note(step: number): number {
  const octave = Math.floor(step / SCALE.length);
  return D2 * 2 ** (octave + (SCALE[step - octave * SCALE.length] ?? 0) / 12);
}

/** Silence of a length. */
export function silence(seconds: number): Float32Array {
  return new Float32Array(Math.round(seconds * SAMPLE_RATE));
}

/** Adds a sound to a track from `second` on; what would stand beyond the end of the track is cut. */
export function add(track: Float32Array, sound: Float32Array, second: number, gain = 1): void {
  const offset = Math.round(second * SAMPLE_RATE);
  const end = Math.min(sound.length, track.length - offset);
  for (let i = 0; i < end; i += 1) track[offset + i] = (track[offset + i] ?? 0) + (sound[i] ?? 0) * gain;
}

function render(seconds: number, at: (t: number) => number): Float32Array {
  return silence(seconds).map((_, i) => at(i / SAMPLE_RATE));
}

/** A wooden bar: the fundamental, its fourth partial that dies at once, and the knock of the mallet. */
function bar(frequency: number): Float32Array {
  const knock = seededRandom(`bar ${frequency}`);
  const turn = 2 * Math.PI * frequency;
  return render(1.6, (t) => {
    const body = Math.sin(turn * t) * Math.exp(-t * 4.2);
    const partial = 0.35 * Math.sin(turn * 3.93 * t) * Math.exp(-t * 16);
    const hit = 0.25 * (knock() - 0.5) * Math.exp(-t * 240);
    return (body + partial + hit) * Math.min(1, t * 900);
  });
}

/** A soft low string below the bars. */
function bass(frequency: number): Float32Array {
  const turn = 2 * Math.PI * frequency;
  return render(2.4, (t) => {
    const tone = Math.sin(turn * t) + 0.4 * Math.sin(turn * 2 * t) + 0.15 * Math.sin(turn * 3 * t);
    return tone * Math.exp(-t * 1.6) * Math.min(1, t * 120) * Math.min(1, (2.4 - t) * 8);
  });
}

/** A strip of tape that is pulled off the roll: bursts of noise that come faster and brighter. */
function tapePull(seconds: number): Float32Array {
  const random = seededRandom('tape');
  let burst = 0;
  let phase = 0;
  let low = 0;
  return render(seconds, (t) => {
    const progress = t / seconds;
    phase += (70 + 150 * progress) / SAMPLE_RATE;
    if (phase > 1) {
      phase -= 1;
      burst = 0.4 + 0.6 * random();
    }
    burst *= 0.9972;
    const noise = random() * 2 - 1;
    low += (noise - low) * (0.18 + 0.4 * progress);
    const fade = Math.min(1, t * 30) * Math.min(1, (seconds - t) * 40);
    return (noise - low) * burst * fade * (0.5 + 0.5 * progress);
  });
}

/** A chord that swells and ebbs, to lie below a voice. */
function pad(seconds: number, steps: readonly number[]): Float32Array {
  const voices = steps.flatMap((step) => [0.997, 1, 1.0035].map((detune) => 2 * Math.PI * note(step) * detune));
  return render(seconds, (t) => {
    const sum = voices.reduce((total, turn, i) => {
      const swell = 0.7 + 0.3 * Math.sin(2 * Math.PI * (0.11 + 0.017 * i) * t + i);
      return total + Math.sin(turn * t + i) * swell;
    }, 0);
    return (sum / voices.length) * Math.min(1, t / 1.2) * Math.min(1, (seconds - t) / 1.8);
  });
}

/** Tape, five bars upwards, a bass below: the sign that a new episode begins. */
export function jingle(): Float32Array {
  const track = silence(6);
  const beat = 0.21;
  add(track, tapePull(0.62), 0, 0.3);
  for (const [i, step] of [10, 12, 13, 12, 15].entries()) add(track, bar(note(step)), 0.62 + i * beat, 0.36);
  add(track, bass(note(5)), 0.62, 0.3);
  add(track, bass(note(3)), 0.62 + 4 * beat, 0.3);
  add(track, bar(note(17)), 0.62 + 6 * beat, 0.26);
  return track;
}

/** The same downwards, and home: the end. */
export function signOff(): Float32Array {
  const track = silence(4);
  for (const [i, step] of [15, 13, 12, 10].entries()) add(track, bar(note(step)), i * 0.24, 0.34);
  add(track, bass(note(5)), 3 * 0.24, 0.34);
  return track;
}

/** Two bars and a short strip of tape between chapters. */
export function chapterMark(): Float32Array {
  const track = silence(2);
  add(track, tapePull(0.28), 0, 0.18);
  add(track, bar(note(12)), 0.3, 0.26);
  add(track, bar(note(15)), 0.46, 0.26);
  return track;
}

/** What is heard of the place an episode tells of, by the key of the episode. */
const PLACES: Readonly<Record<string, (seconds: number) => Float32Array>> = {
  'reading-declarations': (seconds) => hum(seconds, 100, 0.05),
  'test-day': (seconds) => hum(seconds, 87, 0.5),
  'vapour-control': (seconds) => wind(seconds, 0.35),
  'winter-roof': (seconds) => wind(seconds, 0.8),
};

/** A soft chord, to be laid below the beginning and the end. */
export function bed(seconds: number): Float32Array {
  return pad(seconds, [5, 8, 10, 12]).map((sample) => sample * 0.22);
}

/** The place of an episode: silence between two sentences would sound like a fault. */
export function ambience(key: string, seconds: number): Float32Array {
  return PLACES[key]?.(seconds) ?? silence(seconds);
}

/** Gusts around a corner: noise through a low pass whose corner wanders. */
function wind(seconds: number, strength: number): Float32Array {
  const random = seededRandom('wind');
  let [first, second] = [0, 0];
  return render(seconds, (t) => {
    const gust = 0.5 + 0.3 * Math.sin(2 * Math.PI * 0.13 * t) + 0.2 * Math.sin(2 * Math.PI * 0.31 * t + 1);
    const corner = 0.012 + 0.05 * gust * gust;
    first += (random() * 2 - 1 - first) * corner;
    second += (first - second) * corner * 2;
    return second * gust * strength * ends(t, seconds);
  });
}

/** A motor with its air, such as the fan of a measurement or the lights of a shop. */
function hum(seconds: number, frequency: number, air: number): Float32Array {
  const random = seededRandom('hum');
  let low = 0;
  return render(seconds, (t) => {
    low += (random() * 2 - 1 - low) * 0.04;
    const turn = 2 * Math.PI * frequency * t;
    const motor = 0.03 * Math.sin(turn) + 0.02 * Math.sin(2 * turn + 1) + 0.01 * Math.sin(7 * turn);
    return (motor + low * air) * ends(t, seconds);
  });
}

function ends(t: number, seconds: number): number {
  return Math.min(1, t / 1.5) * Math.min(1, (seconds - t) / 2);
}
