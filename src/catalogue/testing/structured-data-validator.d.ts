/** Types of a library without types, as far as tests use it. */
declare module '@adobe/structured-data-validator' {
  export interface Issue {
    severity: 'ERROR' | 'WARNING';
    issueMessage: string;
    /** Type of the node with the issue, or of its parent. */
    rootType: string;
    /** Path to the node. */
    path: object[];
  }

  export default class Validator {
    /** @param found Nodes of a page by type. */
    validate(found: { jsonld: Record<string, object[]> }): Promise<Issue[]>;
  }
}
