/** Version of the publishing interface: clients look at it for what they may expect. */
export const INTERFACE_VERSION = '7.1';
