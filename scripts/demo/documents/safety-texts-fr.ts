import type { SafetyWords } from './safety-words.ts';

export const FRENCH_SAFETY: SafetyWords = {
  kind: 'Fiche de données de sécurité',
  version: 'Version 1.0 du',
  mark: 'Document de démonstration d’un produit fictif – non valable',
  stamp: 'NON VALABLE',
  note: 'Structure selon le règlement (CE) n° 1907/2006, annexe II. Les indications sont fictives.',
  page: (page, pages) => `Page ${page} sur ${pages}`,
  label: {
    unclassified: 'Non classé comme dangereux selon le règlement (CE) n° 1272/2008.',
    danger: 'Danger',
    warning: 'Attention',
    signal: 'Mention d’avertissement : {signal}.',
    pictograms: 'Pictogrammes de danger : {pictograms}.',
    diisocyanates:
      'À partir du 24 août 2023, une formation adéquate est requise avant toute utilisation industrielle ou professionnelle.',
  },
  sections: [
    {
      heading: 'Identification de la substance ou du mélange et de l’entreprise',
      text: [
        'Nom commercial : {name}, référence {item}.',
        'Utilisation : {use}',
        'Fournisseur : Haldenwerk GmbH, info@haldenwerk.example. Numéro d’urgence : aucun, le produit étant fictif.',
      ],
    },
    {
      heading: 'Identification des dangers',
      // What the label says stands before it.
      text: [],
      hybrid: ['Une faible quantité de méthanol se dégage pendant la prise.'],
    },
    {
      heading: 'Composition et informations sur les composants',
      text: [
        'Dispersion aqueuse de polymère avec charges et additifs. Aucun composant au-dessus des valeurs limites à prendre en compte.',
      ],
      hybrid: ['Polymère à terminaison silane avec charges minérales et promoteurs d’adhérence.'],
      foam: [
        'Diisocyanate de diphénylméthane polymère, polyols, gaz propulseurs (propane, isobutane, éther diméthylique).',
      ],
    },
    {
      heading: 'Premiers secours',
      text: [
        'Peau : laver à l’eau et au savon. Yeux : rincer plusieurs minutes, paupière ouverte. Ingestion : rincer la bouche, ne pas faire vomir, consulter un médecin en cas de malaise.',
      ],
      foam: [
        'Inhalation : transporter à l’air frais et appeler un médecin si la respiration est difficile. Peau : essuyer la mousse fraîche à sec, puis laver. Yeux : rincer plusieurs minutes et consulter un ophtalmologiste.',
      ],
    },
    {
      heading: 'Mesures de lutte contre l’incendie',
      text: ['Le produit ne brûle pas. Adapter les moyens d’extinction à l’environnement.'],
      hybrid: ['Moyens d’extinction appropriés : mousse, dioxyde de carbone, poudre, eau pulvérisée.'],
      foam: ['Poudre, mousse ou dioxyde de carbone. Les aérosols chauffés peuvent éclater : les refroidir à distance.'],
    },
    {
      heading: 'Mesures à prendre en cas de dispersion accidentelle',
      text: [
        'Risque de glissade. Ramasser mécaniquement et laver les restes à l’eau tant qu’ils sont humides. Ne pas rejeter à l’égout.',
      ],
      foam: ['Éloigner les sources d’inflammation et bien aérer. Laisser durcir la mousse répandue, puis la ramasser.'],
    },
    {
      heading: 'Manipulation et stockage',
      text: [
        'Aérer pendant la mise en œuvre. Stocker au sec dans l’emballage d’origine fermé ; la température de stockage figure dans la fiche technique.',
      ],
      foam: [
        'Ne pas vaporiser sur une flamme nue ou un corps incandescent. Ne pas stocker au-dessus de 50 °C. Tenir les aérosols debout.',
      ],
    },
    {
      heading: 'Contrôles de l’exposition et protection individuelle',
      text: [
        'Porter des gants en nitrile en cas de contact prolongé. Lors de la pulvérisation, porter lunettes et masque.',
      ],
      foam: [
        'Porter gants, lunettes et vêtements couvrants. Si l’aération est insuffisante, porter une protection respiratoire avec filtre A2-P2.',
      ],
    },
    {
      heading: 'Propriétés physiques et chimiques',
      text: [
        'Forme : pâteuse à liquide. Odeur : faible. pH : environ 8. Densité : environ 1,0 à 1,6 g/cm³. Miscible à l’eau avant séchage.',
      ],
      hybrid: ['Forme : pâteuse. Odeur : faible. Densité : environ 1,5 g/cm³. Insoluble dans l’eau.'],
      foam: [
        'Forme : aérosol. Odeur : légèrement éthérée. Pression de vapeur : environ 5 bar à 20 °C. Insoluble dans l’eau, réagit avec l’humidité.',
      ],
    },
    {
      heading: 'Stabilité et réactivité',
      text: ['Stable dans les conditions de stockage prévues. Protéger du gel si la fiche technique le demande.'],
      foam: ['Réagit avec l’eau, les amines et les alcools. Montée en pression à la chaleur.'],
    },
    {
      heading: 'Informations toxicologiques',
      text: ['Compte tenu des données disponibles, les critères de classification ne sont pas remplis.'],
      foam: ['Sensibilisation possible des voies respiratoires et de la peau. Déconseillé aux personnes asthmatiques.'],
    },
    {
      heading: 'Informations écologiques',
      text: ['Pas de données sur le mélange. Ne pas laisser atteindre les eaux à l’état non dilué.'],
      foam: ['La mousse durcie est insoluble dans l’eau et difficilement biodégradable.'],
    },
    {
      heading: 'Considérations relatives à l’élimination',
      text: [
        'Éliminer les restes durcis avec les déchets de chantier, les restes liquides avec les peintures à l’eau. Recycler les emballages vides.',
      ],
      foam: ['Collecter les aérosols, même vides, avec les déchets dangereux ; reprise par le négoce.'],
    },
    {
      heading: 'Informations relatives au transport',
      text: ['Marchandise non dangereuse selon ADR, IMDG et IATA.'],
      foam: ['UN 1950, aérosols, classe 2.1.'],
    },
    {
      heading: 'Informations relatives à la réglementation',
      text: [
        'Respecter les dispositions nationales et européennes applicables. Aucune évaluation de la sécurité chimique n’a été réalisée.',
      ],
    },
    {
      heading: 'Autres informations',
      text: [
        'Ce document montre la structure et l’étendue d’une fiche de données de sécurité. Il ne correspond à aucun produit existant et ne doit pas servir à évaluer des dangers.',
      ],
    },
  ],
};
