/** Options of the site, as `sortiment()` got them. Functions are left out. */
declare module 'virtual:sortiment/options' {
  const options: import('#config/index.ts').Options;
  export default options;
  /** Size of the logo in CSS pixels. Undefined without a logo. */
  export const logoSize: { width: number; height: number } | undefined;
  /** Astro's `Font` with the styles of `brand.font`. Its own type accepts no variable after a build without fonts. */
  export const BrandFont: ((props: { cssVariable: '--brand-font'; preload: boolean }) => unknown) | undefined;
  /** URL of the default font. Undefined with `brand.font`. */
  export const fontFile: string | undefined;
}
