export { defineConfig } from './options.ts';
export { options, type AssortmentRow, type Options, type OptionsInput } from './options.ts';
export { namespaceNames, readEnvironment, type Environment } from './settings.ts';
export {
  resolveSettings,
  withBasePath,
  type Account,
  type ProductUpstream,
  type PublishingUpstream,
  type Settings,
  type Upstreams,
} from './settings.ts';
export { HOSTS, type Host } from './options.ts';
