import fc from 'fast-check';

// What fails once has to fail again.
fc.configureGlobal({ seed: 20_261_122 });
