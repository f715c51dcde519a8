/** Options of the site, as `sortiment()` got them. Functions are left out. */
declare module 'virtual:sortiment/options' {
  const options: import('#config/index.ts').Options;
  export default options;
  /** Size of the logo in CSS pixels. Undefined without a logo. */
  export const logoSize: { width: number; height: number } | undefined;
  /** Component with the styles of `brand.font`. */
  export const BrandFont: typeof import('astro:assets').Font | undefined;
  /** URL of the default font. Undefined with `brand.font`. */
  export const fontFile: string | undefined;
}
