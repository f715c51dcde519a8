/** The harmonised norm of a product family: what its declaration of performance rests on. */
export interface Specification {
  norm: string;
  /** System of assessment and verification of constancy of performance. */
  system: string;
  use: { de: string; en: string; fr: string };
}

const VAPOUR: Specification = {
  norm: 'EN 13984:2013',
  system: '3',
  use: {
    de: 'Kunststoffbahn zur Regelung der Wasserdampfdiffusion in Gebäuden',
    en: 'Plastic vapour control layer for buildings',
    fr: 'Pare-vapeur et frein-vapeur en matière plastique pour bâtiments',
  },
};

const INSULATION: Specification = {
  norm: 'EN 13171:2012+A1:2015',
  system: '3',
  use: {
    de: 'Wärmedämmung für Gebäude aus Holzfasern (WF)',
    en: 'Thermal insulation for buildings made of wood fibre (WF)',
    fr: 'Isolation thermique du bâtiment en fibres de bois (WF)',
  },
};

/** By item number of the first product that a declaration covers. */
const SPECIFICATIONS: Readonly<Record<string, Specification>> = {
  'HW-10510': {
    norm: 'EN 13859-1:2014',
    system: '3',
    use: {
      de: 'Unterdeck- und Unterspannbahn für Dachdeckungen',
      en: 'Underlay for discontinuous roofing',
      fr: 'Écran souple de sous-toiture pour couvertures en petits éléments discontinus',
    },
  },
  'HW-10620': {
    norm: 'EN 13859-2:2014',
    system: '3',
    use: { de: 'Unterdeckbahn für Wände', en: 'Underlay for walls', fr: 'Écran pare-pluie pour murs' },
  },
  'HW-10780': {
    norm: 'EN 13969:2004+A1:2006',
    system: '2+',
    use: {
      de: 'Bitumenbahn für die Bauwerksabdichtung gegen Bodenfeuchte',
      en: 'Bitumen damp-proof sheet including basement tanking sheet',
      fr: 'Feuille bitumineuse pour empêcher les remontées d’humidité du sol',
    },
  },
  'HW-40229': {
    norm: 'EN 15651-1:2012',
    system: '3',
    use: {
      de: 'Dichtstoff für Fassadenelemente, innen und außen, auch für kalte Klimazonen',
      en: 'Sealant for façade elements, interior and exterior use, cold climates included',
      fr: 'Mastic pour éléments de façade, intérieur et extérieur, y compris climats froids',
    },
  },
  'HW-60116': INSULATION,
  'HW-60260': INSULATION,
};

export function specificationOf(itemNumber: string): Specification {
  return SPECIFICATIONS[itemNumber] ?? VAPOUR;
}
