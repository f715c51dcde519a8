export { probeProductInterface, type ProbeOptions } from './probe-product-interface.ts';
export {
  readUpstreamProfile,
  upstreamProfile,
  writeUpstreamProfile,
  type UpstreamProfile,
} from './upstream-profile.ts';
