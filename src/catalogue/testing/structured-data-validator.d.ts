/** Of a library that comes without types, what tests use. */
declare module '@adobe/structured-data-validator' {
  export interface Issue {
    severity: 'ERROR' | 'WARNING';
    issueMessage: string;
    /** Type of the node that it was found in or below. */
    rootType: string;
    /** The way to it. */
    path: object[];
  }

  export default class Validator {
    /** @param found Nodes of a page by their types. */
    validate(found: { jsonld: Record<string, object[]> }): Promise<Issue[]>;
  }
}
