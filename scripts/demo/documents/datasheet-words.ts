/** What a datasheet says in each language besides the texts of its product. */
export interface DatasheetWords {
  kind: string;
  itemNumber: string;
  tradeUnit: string;
  asOf: string;
  application: string;
  advantages: string;
  substrate: string;
  limits: string;
  properties: string;
  property: string;
  norm: string;
  value: string;
  materials: string;
  dimensions: string;
  /** Names of the dimensions, in the order length, width, height, area, joint, weight. */
  sizes: readonly [string, string, string, string, string, string];
  packaging: string;
  per: (count: string, unit: string, packaging: string) => string;
  delivery: string;
  folded: string;
  note: string;
  page: (page: number, pages: number) => string;
}

const GERMAN: DatasheetWords = {
  kind: 'Technisches Datenblatt',
  itemNumber: 'Artikelnummer',
  tradeUnit: 'Handelseinheit',
  asOf: 'Stand',
  application: 'Anwendung',
  advantages: 'Vorteile',
  substrate: 'Untergrund',
  limits: 'Bitte beachten',
  properties: 'Technische Daten',
  property: 'Eigenschaft',
  norm: 'Prüfnorm',
  value: 'Wert',
  materials: 'Material',
  dimensions: 'Abmessungen',
  sizes: ['Länge', 'Breite', 'Höhe', 'Fläche', 'Fuge', 'Gewicht'],
  packaging: 'Verpackung',
  per: (count, unit, packaging) => `${count} × ${unit} je ${packaging}`,
  delivery: 'Lieferform',
  folded: 'gefaltet',
  note: 'Haldenwerk ist ein erfundener Hersteller. Dieses Datenblatt dient nur der Vorführung.',
  page: (page, pages) => `Seite ${page} von ${pages}`,
};

const ENGLISH: DatasheetWords = {
  kind: 'Technical datasheet',
  itemNumber: 'Item number',
  tradeUnit: 'Sales unit',
  asOf: 'As of',
  application: 'Application',
  advantages: 'Advantages',
  substrate: 'Substrate',
  limits: 'Please note',
  properties: 'Technical data',
  property: 'Property',
  norm: 'Test standard',
  value: 'Value',
  materials: 'Material',
  dimensions: 'Dimensions',
  sizes: ['Length', 'Width', 'Height', 'Area', 'Joint', 'Weight'],
  packaging: 'Packaging',
  per: (count, unit, packaging) => `${count} × ${unit} per ${packaging}`,
  delivery: 'Supplied',
  folded: 'folded',
  note: 'Haldenwerk is a fictional manufacturer. This datasheet is for demonstration only.',
  page: (page, pages) => `Page ${page} of ${pages}`,
};

const FRENCH: DatasheetWords = {
  kind: 'Fiche technique',
  itemNumber: 'Référence',
  tradeUnit: 'Unité de vente',
  asOf: 'Version du',
  application: 'Domaine d’emploi',
  advantages: 'Avantages',
  substrate: 'Supports',
  limits: 'À respecter',
  properties: 'Données techniques',
  property: 'Propriété',
  norm: 'Norme d’essai',
  value: 'Valeur',
  materials: 'Matériaux',
  dimensions: 'Dimensions',
  sizes: ['Longueur', 'Largeur', 'Hauteur', 'Surface', 'Joint', 'Poids'],
  packaging: 'Conditionnement',
  per: (count, unit, packaging) => `${count} × ${unit} par ${packaging}`,
  delivery: 'Livraison',
  folded: 'plié',
  note: 'Haldenwerk est un fabricant fictif. Cette fiche sert uniquement à la démonstration.',
  page: (page, pages) => `Page ${page} sur ${pages}`,
};

const WORDS: Readonly<Record<string, DatasheetWords>> = { de: GERMAN, en: ENGLISH, fr: FRENCH };

/** The words for a language code such as `de-de`; English where there are none. */
export function datasheetWords(language: string): DatasheetWords {
  return WORDS[language.slice(0, 2)] ?? ENGLISH;
}
