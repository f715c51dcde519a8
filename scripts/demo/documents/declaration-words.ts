/** The ten points of a declaration (Regulation (EU) No 305/2011, Annex III) and what surrounds them. */
export interface DeclarationWords {
  kind: string;
  number: string;
  points: readonly [string, string, string, string, string, string, string, string, string, string];
  none: string;
  batch: string;
  notified: string;
  characteristic: string;
  performance: string;
  method: string;
  harmonised: (norm: string) => string;
  system: (number: string) => string;
  conformity: string;
  signed: string;
  mark: string;
  stamp: string;
  note: string;
  page: (page: number, pages: number) => string;
}

const GERMAN: DeclarationWords = {
  kind: 'Leistungserklärung',
  number: 'Nr.',
  points: [
    'Eindeutiger Kenncode des Produkttyps',
    'Typen-, Chargen- oder Seriennummer',
    'Vorgesehener Verwendungszweck',
    'Hersteller',
    'Bevollmächtigter',
    'System zur Bewertung und Überprüfung der Leistungsbeständigkeit',
    'Notifizierte Stelle',
    'Europäische Technische Bewertung',
    'Erklärte Leistung',
    'Erklärung des Herstellers',
  ],
  none: 'nicht zutreffend',
  batch: 'siehe Etikett der Handelseinheit',
  notified:
    'Nr. 0000 (erfunden) hat die Typprüfung nach dem genannten System vorgenommen und den Prüfbericht ausgestellt.',
  characteristic: 'Wesentliches Merkmal',
  performance: 'Leistung',
  method: 'Prüfnorm',
  harmonised: (norm) => `Harmonisierte technische Spezifikation: ${norm}`,
  system: (number) => `System ${number}`,
  conformity:
    'Die Leistung des Produkts nach den Nummern 1 und 2 entspricht der erklärten Leistung nach Nummer 9. Verantwortlich für die Erstellung dieser Leistungserklärung ist allein der Hersteller nach Nummer 4.',
  signed: 'Haldenbrück, den',
  mark: 'Vorführdokument eines erfundenen Produkts – nicht gültig',
  stamp: 'NICHT GÜLTIG',
  note: 'Aufbau nach Verordnung (EU) Nr. 305/2011, Anhang III. Werte und Nummern sind erfunden.',
  page: (page, pages) => `Seite ${page} von ${pages}`,
};

const ENGLISH: DeclarationWords = {
  kind: 'Declaration of performance',
  number: 'No.',
  points: [
    'Unique identification code of the product type',
    'Type, batch or serial number',
    'Intended use',
    'Manufacturer',
    'Authorised representative',
    'System of assessment and verification of constancy of performance',
    'Notified body',
    'European Technical Assessment',
    'Declared performance',
    'Statement of the manufacturer',
  ],
  none: 'not applicable',
  batch: 'see label of the trade unit',
  notified: 'No. 0000 (invented) carried out the type testing under the system stated and issued the test report.',
  characteristic: 'Essential characteristic',
  performance: 'Performance',
  method: 'Test standard',
  harmonised: (norm) => `Harmonised technical specification: ${norm}`,
  system: (number) => `System ${number}`,
  conformity:
    'The performance of the product identified in points 1 and 2 is in conformity with the declared performance in point 9. This declaration of performance is issued under the sole responsibility of the manufacturer identified in point 4.',
  signed: 'Haldenbrück,',
  mark: 'Demonstration document of a fictional product – not valid',
  stamp: 'NOT VALID',
  note: 'Structure as in Regulation (EU) No 305/2011, Annex III. Values and numbers are invented.',
  page: (page, pages) => `Page ${page} of ${pages}`,
};

const FRENCH: DeclarationWords = {
  kind: 'Déclaration des performances',
  number: 'N°',
  points: [
    'Code d’identification unique du produit type',
    'Numéro de type, de lot ou de série',
    'Usage prévu',
    'Fabricant',
    'Mandataire',
    'Système d’évaluation et de vérification de la constance des performances',
    'Organisme notifié',
    'Évaluation technique européenne',
    'Performances déclarées',
    'Déclaration du fabricant',
  ],
  none: 'sans objet',
  batch: 'voir l’étiquette de l’unité de vente',
  notified: 'N° 0000 (fictif) a réalisé les essais de type selon le système indiqué et délivré le rapport d’essai.',
  characteristic: 'Caractéristique essentielle',
  performance: 'Performance',
  method: 'Norme d’essai',
  harmonised: (norm) => `Spécification technique harmonisée : ${norm}`,
  system: (number) => `Système ${number}`,
  conformity:
    'Les performances du produit identifié aux points 1 et 2 sont conformes aux performances déclarées indiquées au point 9. La présente déclaration des performances est établie sous la seule responsabilité du fabricant identifié au point 4.',
  signed: 'Haldenbrück, le',
  mark: 'Document de démonstration d’un produit fictif – non valable',
  stamp: 'NON VALABLE',
  note: 'Structure selon le règlement (UE) n° 305/2011, annexe III. Valeurs et numéros sont fictifs.',
  page: (page, pages) => `Page ${page} sur ${pages}`,
};

const WORDS: Readonly<Record<string, DeclarationWords>> = { de: GERMAN, en: ENGLISH, fr: FRENCH };

/** The words for a language code such as `de-de`; English where there are none. */
export function declarationWords(language: string): DeclarationWords {
  return WORDS[language.slice(0, 2)] ?? ENGLISH;
}
