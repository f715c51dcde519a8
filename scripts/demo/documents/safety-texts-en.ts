import type { SafetyWords } from './safety-words.ts';

export const ENGLISH_SAFETY: SafetyWords = {
  kind: 'Safety data sheet',
  version: 'Version 1.0 of',
  mark: 'Demonstration document of a fictional product – not valid',
  stamp: 'NOT VALID',
  note: 'Structure as in Regulation (EC) No 1907/2006, Annex II. All statements are invented.',
  page: (page, pages) => `Page ${page} of ${pages}`,
  label: {
    unclassified: 'Not classified as hazardous under Regulation (EC) No 1272/2008.',
    danger: 'Danger',
    warning: 'Warning',
    signal: 'Signal word: {signal}.',
    pictograms: 'Hazard pictograms: {pictograms}.',
    diisocyanates: 'As from 24 August 2023 adequate training is required before industrial or professional use.',
  },
  sections: [
    {
      heading: 'Identification of the substance or mixture and of the company',
      text: [
        'Trade name: {name}, item number {item}.',
        'Use: {use}',
        'Supplier: Haldenwerk GmbH, info@haldenwerk.example. Emergency telephone: none, as the product is fictional.',
      ],
    },
    {
      heading: 'Hazards identification',
      // What the label says stands before it.
      text: [],
      hybrid: ['A small amount of methanol is released while the product cures.'],
    },
    {
      heading: 'Composition and information on ingredients',
      text: [
        'Aqueous polymer dispersion with fillers and additives. No ingredients above the relevant cut-off values.',
      ],
      hybrid: ['Silane-terminated polymer with mineral fillers and adhesion promoters.'],
      foam: ['Polymeric diphenylmethane diisocyanate, polyols, propellants (propane, isobutane, dimethyl ether).'],
    },
    {
      heading: 'First aid measures',
      text: [
        'Skin: wash with soap and water. Eyes: rinse for several minutes with the lid held open. Ingestion: rinse the mouth, do not induce vomiting, seek medical advice if you feel unwell.',
      ],
      foam: [
        'Inhalation: move to fresh air and get medical help at once if breathing is difficult. Skin: wipe off fresh foam with a dry cloth, then wash. Eyes: rinse for several minutes and see an eye specialist.',
      ],
    },
    {
      heading: 'Firefighting measures',
      text: ['The product does not burn. Choose extinguishing media to suit the surroundings.'],
      hybrid: ['Suitable extinguishing media: foam, carbon dioxide, dry powder, water spray.'],
      foam: ['Dry powder, foam or carbon dioxide. Heated cans may burst: cool them from a safe distance.'],
    },
    {
      heading: 'Accidental release measures',
      text: [
        'Risk of slipping. Take up mechanically and wash residues off with water while still wet. Do not empty into drains.',
      ],
      foam: ['Remove sources of ignition and ventilate well. Let escaped foam cure, then take it up mechanically.'],
    },
    {
      heading: 'Handling and storage',
      text: [
        'Ventilate during application. Store dry in the closed original container; storage temperatures are given in the technical datasheet.',
      ],
      foam: ['Do not spray on an open flame or on glowing objects. Do not store above 50 °C. Keep cans upright.'],
    },
    {
      heading: 'Exposure controls and personal protection',
      text: ['Wear nitrile gloves in case of prolonged contact. Wear eye protection and a mask when spraying.'],
      foam: [
        'Wear gloves, eye protection and closed clothing. Where ventilation is poor, use respiratory protection with filter A2-P2.',
      ],
    },
    {
      heading: 'Physical and chemical properties',
      text: [
        'Form: pasty to liquid. Odour: faint. pH: about 8. Density: about 1.0 to 1.6 g/cm³. Miscible with water until dry.',
      ],
      hybrid: ['Form: pasty. Odour: faint. Density: about 1.5 g/cm³. Insoluble in water.'],
      foam: [
        'Form: aerosol. Odour: faintly ethereal. Vapour pressure: about 5 bar at 20 °C. Insoluble in water, reacts with moisture.',
      ],
    },
    {
      heading: 'Stability and reactivity',
      text: ['Stable if stored as intended. Protect from frost where the datasheet says so.'],
      foam: ['Reacts with water, amines and alcohols. Pressure builds up on heating.'],
    },
    {
      heading: 'Toxicological information',
      text: ['Based on available data, the classification criteria are not met.'],
      foam: [
        'Sensitisation of the airways and the skin is possible. People with asthma should not work with the product.',
      ],
    },
    {
      heading: 'Ecological information',
      text: ['No data on the mixture. Do not let it enter water undiluted.'],
      foam: ['Cured foam is insoluble in water and not readily biodegradable.'],
    },
    {
      heading: 'Disposal considerations',
      text: [
        'Dispose of cured residues as construction waste and of liquid residues as water-based paint waste. Recycle empty containers.',
      ],
      foam: ['Collect cans as hazardous waste even when empty; return them through the merchant’s scheme.'],
    },
    {
      heading: 'Transport information',
      text: ['Not dangerous goods under ADR, IMDG and IATA.'],
      foam: ['UN 1950, aerosols, class 2.1.'],
    },
    {
      heading: 'Regulatory information',
      text: [
        'Observe the applicable national and European provisions. No chemical safety assessment has been carried out.',
      ],
    },
    {
      heading: 'Other information',
      text: [
        'This document shows the structure and extent of a safety data sheet. It belongs to no product that exists and must not be used to assess hazards.',
      ],
    },
  ],
};
