import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SAMPLE_RATE } from './sounds.ts';

const run = promisify(execFile);

interface Sentence {
  text: string;
  /** The sound file to write. */
  wav: string;
}

interface Voice {
  synthesize: (sentences: readonly Sentence[], folder: string) => Promise<unknown>;
  /** How words are respelled that the voice would get wrong, in this order. */
  respell: readonly (readonly [RegExp, string | ((word: string) => string)])[];
  /** Filters of ffmpeg for the whole track: takes the edge off the voice and evens its loudness out. */
  filters: string;
}

/** The root mean square of a sentence. */
const LEVEL = 0.1;
const EVEN = 'acompressor=threshold=-21dB:ratio=2.5:attack=8:release=160:makeup=2.24';
/** Glottal pulses stand far above the rest of a voice; without them it can be as loud as players expect. */
const PEAKS = 'alimiter=level=false:limit=0.3:attack=1:release=25';
/** Reflections of a small room, so that the voice does not stand in a void. */
const ROOM = 'aecho=0.9:0.9:11|19|31:0.09|0.07|0.045';
/** A formant synthesizer is shrill between 3 and 5 kHz and thin below 250 Hz. */
const FORMANT = [
  'highpass=f=70',
  'equalizer=f=190:t=q:w=0.9:g=3.5',
  'equalizer=f=3600:t=q:w=1.1:g=-4.5',
  'highshelf=f=6000:g=-5',
  ROOM,
  EVEN,
].join(',');

function espeak(voice: string, wordsPerMinute: number, pitch: number): Voice['synthesize'] {
  const tone = ['-v', voice, '-s', String(wordsPerMinute), '-p', String(pitch)];
  return async (sentences) => {
    for (const { text, wav } of sentences) await run('espeak-ng', [...tone, '-w', wav, text]);
  };
}

/** CMU's "slt" voice on Festival, an HMM synthesizer. Loading it takes longer than speaking, so all is said at once. */
async function festival(sentences: readonly Sentence[], folder: string): Promise<void> {
  const commands = sentences.map(({ text, wav }) => {
    const plain = text.replaceAll('’', "'").replaceAll(/[“”"\\]/g, '');
    return `(utt.save.wave (utt.synth (Utterance Text "${plain}")) "${wav}" 'riff)`;
  });
  const script = join(folder, 'speak.scm');
  const words = ENGLISH_WORDS.map((entry) => `(lex.add.entry '${entry})`);
  await writeFile(script, ['(voice_cmu_us_slt_arctic_hts)', ...words, ...commands].join('\n'));
  await run('festival', ['-b', script]);
}

/** Words that CMU's dictionary lacks, in its own phonemes; 1 marks the stressed syllable. */
const ENGLISH_WORDS = [
  '("haldenwerk" nil (((hh aa l) 1) ((d ax n) 0) ((v er k) 1)))',
  '("diffrana" nil (((d ih) 0) ((f r aa) 1) ((n ax) 0)))',
  '("klevento" nil (((k l eh) 0) ((v eh n) 1) ((t ow) 0)))',
  '("haftaro" nil (((hh ae f) 0) ((t aa) 1) ((r ow) 0)))',
  '("grundelo" nil (((g r uh n) 0) ((d eh) 1) ((l ow) 0)))',
  '("sprizano" nil (((s p r iy) 0) ((t s aa) 1) ((n ow) 0)))',
  '("passano" nil (((p ah) 0) ((s aa) 1) ((n ow) 0)))',
  '("vario" nil (((v aa) 1) ((r iy) 0) ((ow) 0)))',
  '("uni" nil (((uw) 1) ((n iy) 0)))',
  '("anschluss" nil (((aa n) 1) ((sh l uh s) 0)))',
  '("fassade" nil (((f ax) 0) ((s aa) 1) ((d ax) 0)))',
  '("facade" nil (((f ax) 0) ((s aa d) 1)))',
  '("sperr" nil (((sh p eh r) 1)))',
  '("nagel" nil (((n aa) 1) ((g ax l) 0)))',
  '("dach" nil (((d aa k) 1)))',
  '("ext" nil (((eh k s t) 1)))',
];

const VOICES: Readonly<Record<string, Voice>> = {
  'de-de': {
    synthesize: espeak('de', 150, 38),
    respell: [
      [/DIFFRANA/g, 'Diffrahna'],
      [/GRUNDELO/g, 'Grundehlo'],
      [/Fassade(n?)(?=fugen|bahn|\b)/g, "[[fas'A:d@$1]] "],
      [/Luftdichtheitsebene/g, 'Luftdicht-heits-Ebene'],
      [/Bauproduktenverordnung/g, 'Bauprodukten-Verordnung'],
      [/Isocyanate/g, 'Isozyanate'],
      [/Manschette/g, 'Man-schette'],
      [/vergessenes/g, 'vergessnes'],
      [/Nachgebessert/g, 'Nach-gebessert'],
      [/feuchtevariable/g, 'feuchte-variable'],
      [/hygrothermische/g, 'hygro-thermische'],
      [/diffusionsoffen/g, 'diffusions-offen'],
      [/Hebeschiebetür/g, 'Hebe-Schiebetür'],
      [/Acrylatklebstoff/g, 'Akrülat-Klebstoff'],
      [/Einblasdämmung/g, 'Einblas-Dämmung'],
      [/robuster/g, "[[rob'Ust3]]"],
      [/Unterdruck/g, "[['Unt3dr,Uk]]"],
      [/Überdruck/g, "[['y:b3dr,Uk]]"],
      [/Untergrund/g, "[['Unt3gr,Unt]]"],
      [/Unterdeckbahn/g, "[['Unt3d,EkbA:n]]"],
      [/n50-Wert/g, 'n-fünfzig-Wert'],
      [/sd-Wert/g, 's-d-Wert'],
      [/B-s1, d0/g, 'B, s eins, d null'],
      [/\b([sd])([01])\b/g, '$1 $2'],
      [/EXT-INT CC 25HM/g, 'Ext, Int, C C, 25, H M'],
      [/\b(NPD|GTIN|UV)\b/g, (letters) => letters.split('').join(' ')],
      [/DIN EN ISO 9972/g, 'DIN E N Iso 99 72'],
      [/DIN 4108-(\d+)/g, 'DIN 41 0 8 Teil $1'],
      [/EN 1931/g, 'E N 19 31'],
      [/Kabel 8-12/g, 'Kabel 8 12'],
    ],
    filters: FORMANT,
  },
  'en-gb': {
    synthesize: festival,
    respell: [
      [/façade/g, 'facade'],
      [/Foam 750/g, 'Foam seven fifty'],
      [/Sperr 1500/g, 'Sperr fifteen hundred'],
      [/sd value/g, 'S D value'],
      [/B-s1, d0/g, 'B, S one, D zero'],
      [/\b([sd])([01])\b/g, '$1 $2'],
      [/EXT-INT CC 25HM/g, 'ext, int, C C, twenty five, H M'],
      [/\b(NPD|UV)\b/g, (letters) => letters.split('').join(' ')],
      [/\bGTIN\b/g, 'G tin'],
      [/\bn50\b/g, 'N fifty'],
      [/\bPart L\b/g, 'Part ell'],
      [/EN ISO 9972/g, 'E N I S O ninety nine seventy two'],
      [/DIN 4108-11/g, 'din forty one oh eight, part eleven'],
      [/EN 1931/g, 'E N nineteen thirty one'],
      [/\b0\.25\b/g, 'zero point two five'],
      [/Cable 8-12/g, 'Cable eight twelve'],
    ],
    filters: ['highpass=f=80', 'equalizer=f=3200:t=q:w=1:g=-2', 'highshelf=f=7500:g=2', ROOM, EVEN].join(','),
  },
  'fr-fr': {
    synthesize: espeak('fr', 152, 42),
    respell: [
      [/Haldenwerk/g, 'Haldène-vèrque'],
      [/KLEVENTO/g, 'Clévento'],
      [/GRUNDELO Primer/g, 'Grundélo Primère'],
      [/Anschluss/g, 'Ann-schlousse'],
      [/Hybrid/g, 'Hibride'],
      [/Brems/g, 'Brèmse'],
      [/Sperr/g, 'Chperr'],
      [/Innen/g, 'Innène'],
      [/Nagel/g, 'Naguel'],
      [/Dach/g, 'Dak'],
      [/hygrothermique/g, 'hygro-thermique'],
      [/newtons/g, 'nioutons'],
      [/Q4Pa-surf/g, 'Q quatre P A surf'],
      [/n50/g, 'N cinquante'],
      [/valeur Sd/g, 'valeur S D'],
      [/B-s1, d0/g, 'B, s un, d zéro'],
      [/\b([sd])([01])\b/g, '$1 $2'],
      [/EXT-INT CC 25HM/g, 'ext, inte, C C, 25, H M'],
      [/\b(NPD|GTIN|UV)\b/g, (letters) => letters.split('').join(' ')],
      [/RE2020/g, 'R-E 2020'],
      [/ISO 9972/g, 'Izo 99 72'],
      [/DIN 4108-11/g, 'dine 41 08 partie 11'],
      [/EN 1931/g, 'E-N 19 31'],
      [/Câble 8-12/g, 'Câble 8 12'],
    ],
    filters: FORMANT,
  },
};

/** Filters of ffmpeg for everything that a voice says. */
export function voiceFilters(language: string): string {
  return `${voice(language).filters},${PEAKS}`;
}

/** The samples of each sentence, without the silence that synthesizers leave around it. */
export async function speak(sentences: readonly string[], language: string): Promise<Float32Array[]> {
  const { respell, synthesize } = voice(language);
  const folder = await mkdtemp(join(tmpdir(), 'demo-podcast-'));
  try {
    const jobs = sentences.map((sentence, i) => ({
      text: respell.reduce(pronounce, sentence),
      wav: join(folder, `${i}.wav`),
    }));
    await synthesize(jobs, folder);
    const sounds = await decode(jobs.map(({ wav }) => wav));
    return sounds.map((sound, i) => {
      if (!sound.some(loud)) throw new Error(`The voice is silent for “${jobs[i]?.text}”.`);
      return level(trim(sound));
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function pronounce(said: string, [written, sound]: Voice['respell'][number]): string {
  return typeof sound === 'string' ? said.replace(written, sound) : said.replace(written, sound);
}

function voice(language: string): Voice {
  const found = VOICES[language];
  if (!found) throw new Error(`There is no voice for ${language}.`);
  return found;
}

/** Mono samples of sound files at the rate that everything is mixed at. */
async function decode(files: readonly string[]): Promise<Float32Array[]> {
  const form = ['-ac', '1', '-ar', String(SAMPLE_RATE), '-f', 'f32le'];
  const outputs = files.flatMap((file, i) => ['-map', String(i), ...form, `${file}.f32`]);
  await run('ffmpeg', ['-v', 'error', ...files.flatMap((file) => ['-i', file]), ...outputs]);
  const raw = await Promise.all(files.map((file) => readFile(`${file}.f32`)));
  return raw.map(
    (bytes) => new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)),
  );
}

/** Every sentence as loud as the others. */
function level(samples: Float32Array): Float32Array {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  const gain = LEVEL / Math.sqrt(power);
  return samples.map((sample) => sample * gain);
}

function loud(sample: number): boolean {
  return Math.abs(sample) > 0.004;
}

function trim(samples: Float32Array): Float32Array {
  const first = samples.findIndex(loud);
  const last = samples.findLastIndex(loud);
  const margin = Math.round(SAMPLE_RATE * 0.02);
  return samples.slice(Math.max(0, first - margin), last + margin);
}
