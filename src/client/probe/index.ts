export { probeProductInterface, type ProbeOptions } from './probe-product-interface.ts';
export { readProfile, upstreamProfile, writeProfile, type UpstreamProfile } from './upstream-profile.ts';
