import { chooseDocuments } from './downloads/choose-documents.ts';

const form = document.querySelector<HTMLFormElement>('#document-tools');
if (form) chooseDocuments(form);
