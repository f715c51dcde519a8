import { z } from 'zod';
import colours from './colours.json' with { type: 'json' };

/** A colour that is safe to insert into a style sheet. */
const colour = z
  .string()
  .refine(
    (text) =>
      /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(text) ||
      /^rgba?\([\d\s.,%/]{1,60}\)$/i.test(text) ||
      /^[a-z]{3,30}$/i.test(text),
  )
  .meta({ description: 'As #rrggbb or rgba(), or its name' });

const MAX_TOKENS = 50;

/** Required colours; templates may use further ones. */
const tokens = z
  .object({
    brand: colour,
    brandDark: colour,
    brandDarkest: colour,
    brandLightest: colour,
    shadeDark: colour,
    shadeBase: colour,
    contrast: colour,
    alt: colour,
  })
  .catchall(colour)
  .refine((sent) => Object.keys(sent).length <= MAX_TOKENS, { error: `has at most ${MAX_TOKENS} colours` });

const MAX_FONT_LIST = 20;
const fontWords = z.array(z.string().max(500)).max(MAX_FONT_LIST);

const font = z.object({
  name: z.string().max(100),
  family: fontWords,
  src: fontWords.meta({ description: 'URLs of the font files' }),
  weight: z.union([z.int(), z.string().max(20)]),
});
type Font = z.output<typeof font>;

/** Colours and fonts of a player (`player/5.9.2/theme/<id>`). */
export const playerTheme = z.object({ tokens, fonts: z.object({ ci: font, regular: font, bold: font }) });
export type PlayerTheme = z.output<typeof playerTheme>;

/** Default weights of fonts. */
const WEIGHTS = { ci: 800, regular: 300, bold: 700 } as const;

type FontName = keyof typeof WEIGHTS;
const FONT_NAMES = Object.keys(WEIGHTS);

/** Body for saving a theme: all colours, and three fonts with optional members. */
export const playerThemeBody = z.object({
  // Missing and invalid colours produce the same error.
  tokens: z
    .record(z.string(), z.unknown())
    .refine((sent) => tokens.safeParse(sent).success, {
      error: `needs ${Object.keys(tokens.shape).join(', ')}, each as #rrggbb, rgba() or a name`,
    })
    .pipe(tokens)
    .meta({ description: 'Colours' }),
  fonts: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .refine((sent) => FONT_NAMES.every((name) => name in sent), { error: `needs ${FONT_NAMES.join(', ')}` })
    .meta({ type: 'object', description: 'Fonts by purpose' }),
});

/** Creates a theme from a body. */
export function createPlayerTheme({ tokens, fonts }: z.output<typeof playerThemeBody>): PlayerTheme {
  const fontOf = (name: FontName): Font => ({
    name: font.shape.name.catch(name).parse(fonts[name]?.['name']),
    family: font.shape.family.catch([]).parse(fonts[name]?.['family']),
    src: font.shape.src.catch([]).parse(fonts[name]?.['src']),
    weight: font.shape.weight.catch(WEIGHTS[name]).parse(fonts[name]?.['weight']),
  });
  return { tokens, fonts: { ci: fontOf('ci'), regular: fontOf('regular'), bold: fontOf('bold') } };
}

const SYSTEM_FONT = ['system-ui', '-apple-system', 'Segoe UI', 'Roboto', 'sans-serif'];
const systemFont = (name: FontName): Font => ({ name, family: SYSTEM_FONT, src: [], weight: WEIGHTS[name] });
const fonts = { ci: systemFont('ci'), regular: { ...systemFont('regular'), weight: 400 }, bold: systemFont('bold') };

/** Theme of a site without a stored one. */
export const DEFAULT_THEME: PlayerTheme = { tokens: colours.default, fonts };

/** Presets for editors. */
export const THEME_PRESETS: Readonly<Record<string, PlayerTheme>> = {
  default: DEFAULT_THEME,
  dark: { tokens: colours.dark, fonts },
  paper: { tokens: colours.paper, fonts },
};

/** Maximum length of a template. */
const MAX_TEMPLATE_LENGTH = 100_000;

/** Stored for a template that is not a string. Templates are code: they are compiled in the visitor's browser. */
const EMPTY_TEMPLATE = '<root></root>';

/** Body for saving a template. The route reports null as missing. */
export const playerTemplateBody = z.object({
  template: z
    .unknown()
    .refine(
      (sent) => sent !== undefined && sent !== null && (typeof sent !== 'string' || sent.length <= MAX_TEMPLATE_LENGTH),
    )
    .meta({ type: 'string', description: 'Markup of a player, made of its components' }),
});

/** Creates a template from a body. */
export function createPlayerTemplate(sent: unknown): string {
  return typeof sent === 'string' ? sent : EMPTY_TEMPLATE;
}

const CONTROLS = '<step-backward></step-backward><play-button></play-button><step-forward></step-forward>';
const TIMES = '<timer-current></timer-current><progress-bar></progress-bar><timer-duration></timer-duration>';
const TABS = [
  ['chapters', '<tab-chapters></tab-chapters>'],
  ['transcripts', '<tab-transcripts></tab-transcripts>'],
  ['files', '<tab-files></tab-files>'],
  ['share', '<tab-share></tab-share>'],
]
  .map(([name, content]) => `<tab-trigger tab="${name}"></tab-trigger><tab name="${name}">${content}</tab>`)
  .join('');

/** Template of a site without a stored one. */
export const DEFAULT_TEMPLATE = `<root><poster></poster><show-title></show-title><episode-title></episode-title>${CONTROLS}${TIMES}${TABS}<error></error></root>`;

/** Presets for editors. */
export const TEMPLATE_PRESETS: Readonly<Record<string, string>> = {
  default: DEFAULT_TEMPLATE,
  line: `<root><play-button></play-button>${TIMES}<error></error></root>`,
  chapters: `<root><episode-title></episode-title><chapter-previous></chapter-previous><play-button></play-button><chapter-next></chapter-next><current-chapter></current-chapter>${TIMES}<tab-chapters></tab-chapters><error></error></root>`,
  button: '<root><play-button></play-button><error></error></root>',
};
