import { chooseDocuments } from './downloads/choose-documents.ts';

const tools = document.querySelector<HTMLElement>('#document-tools');
if (tools) chooseDocuments(tools);
