export type {
  DemoCategory,
  DemoContent,
  DemoMaker,
  DemoMedium,
  DemoPage,
  DemoPost,
  DemoProducts,
  DemoSite,
  DemoTag,
  DemoUser,
} from './demo-content.ts';
export { generateDemoMedia, type GenerateDemoMediaOptions, type MediaProgress } from './generate-media.ts';
export { readDemoContent } from './read-demo.ts';
