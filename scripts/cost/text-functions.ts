import path from 'node:path';
import ts from 'typescript';
import { readSources } from './find-sources.ts';

/** What a parameter is given while the cost of its function is measured: a hostile text, or something that fits. */
export type ParameterRole = 'text' | 'bytes' | 'value' | 'texts' | 'made here' | 'number' | 'left out' | 'other';

export interface TextFunction {
  /** As `contracts/scan-text.ts stripTags`. */
  id: string;
  file: string;
  name: string;
  parameters: readonly ParameterRole[];
}

/** Parameters that hold what the program makes or its owner sets, by the name that all modules call it. */
const MADE_HERE: Readonly<Record<string, readonly string[]>> = {
  'a code of one of the languages of the site': ['language', 'languages', 'mainLanguage'],
  'a file, a folder or a path that the program chooses or its owner names': [
    'root',
    'home',
    'file',
    'files',
    'folder',
    'folders',
    'distFolder',
    'bundleFolder',
    'snapshotPath',
    'dataFolder',
    'assetsFolder',
    'imagesFolder',
    'filesFolder',
    'uploads',
    'entries',
    'names',
  ],
  'a setting': [
    'host',
    'siteUrl',
    'siteName',
    'publicUrl',
    'restRoot',
    'timeZone',
    'secret',
    'secrets',
    'tagPrefix',
    'ownBase',
  ],
  'a word, a key or an id of the program': [
    'family',
    'section',
    'shelf',
    'list',
    'hook',
    'check',
    'lease',
    'table',
    'component',
    'namespace',
    'theme',
    'noun',
    'what',
    'why',
    'hint',
    'use',
    'place',
    'route',
    'model',
    'seed',
    'sessionId',
    'form',
    'binding',
    'pattern',
    'children',
    'collection',
    'listPath',
    'waiting',
    'problem',
  ],
  'a row of the database or what its checks let pass: ids and check digits': ['id', 'gtin', 'gtin13'],
  'an error that the program threw': ['error', 'cause'],
};

const madeHere = new Set(Object.values(MADE_HERE).flat());

/** Draws and sets what the program brings along; test data. */
const OWN_CONTENT = /^origin\/admin\/seed\/|\/testing\//;

/**
 * Every exported function that reads a text, bytes or a value of unknown shape, unless all that it reads is made here.
 * Functions that wait are not among them: what takes steps in them is in functions that don't.
 */
export function findTextFunctions(sources: readonly ts.SourceFile[] = readSources()): TextFunction[] {
  return sources.flatMap((source) => {
    const file = source.fileName.split(`${path.sep}src${path.sep}`).at(-1) ?? source.fileName;
    if (OWN_CONTENT.test(file)) return [];
    return exportedFunctions(source).flatMap(({ name, parameters }) => {
      const roles = parameters.map(roleOf);
      const isRead = roles.some((role) => role === 'text' || role === 'bytes' || role === 'value' || role === 'texts');
      return isRead ? [{ id: `${file} ${name}`, file, name, parameters: roles }] : [];
    });
  });
}

function exportedFunctions(source: ts.SourceFile): { name: string; parameters: readonly ts.ParameterDeclaration[] }[] {
  return source.statements.flatMap((statement) => {
    if (ts.isFunctionDeclaration(statement) && isExported(statement) && !isWaiting(statement)) {
      return statement.name && statement.body ? [{ name: statement.name.text, parameters: statement.parameters }] : [];
    }
    if (!ts.isVariableStatement(statement) || !isExported(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      initializer &&
      (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)) &&
      !isWaiting(initializer)
        ? [{ name: name.getText(), parameters: initializer.parameters }]
        : [],
    );
  });
}

const isExported = (node: ts.FunctionDeclaration | ts.VariableStatement): boolean =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;

const isWaiting = (node: ts.FunctionLikeDeclaration): boolean =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true ||
  /^(?:Promise|Async)/.test(node.type?.getText() ?? '');

const ROLES: readonly (readonly [RegExp, ParameterRole])[] = [
  [/^string$/, 'text'],
  [/^(?:readonly )?string\[\]$|^Iterable<string>$/, 'texts'],
  [/^(?:Uint8Array|Buffer)(?:<ArrayBuffer>)?$/, 'bytes'],
  [/^(?:unknown|(?:readonly )?unknown\[\])$/, 'value'],
  [/^number$/, 'number'],
];

function roleOf(parameter: ts.ParameterDeclaration): ParameterRole {
  const isText = parameter.initializer && ts.isStringLiteral(parameter.initializer);
  const types = (parameter.type?.getText() ?? (isText ? 'string' : '')).split(/ \| (?:undefined|null)\b/)[0] ?? '';
  const role = ROLES.find(([type]) => type.test(types))?.[1];
  if (role === undefined) return parameter.questionToken || parameter.initializer ? 'left out' : 'other';
  const isMadeHere = role !== 'bytes' && madeHere.has(parameter.name.getText());
  return isMadeHere ? 'made here' : role;
}
