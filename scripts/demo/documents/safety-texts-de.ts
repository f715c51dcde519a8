import type { SafetyWords } from './safety-words.ts';

export const GERMAN_SAFETY: SafetyWords = {
  kind: 'Sicherheitsdatenblatt',
  version: 'Fassung 1.0 vom',
  mark: 'Vorführdokument eines erfundenen Produkts – nicht gültig',
  stamp: 'NICHT GÜLTIG',
  note: 'Gliederung nach Verordnung (EG) Nr. 1907/2006, Anhang II. Die Angaben sind erfunden.',
  page: (page, pages) => `Seite ${page} von ${pages}`,
  label: {
    unclassified: 'Nicht als gefährlich eingestuft nach Verordnung (EG) Nr. 1272/2008.',
    danger: 'Gefahr',
    warning: 'Achtung',
    signal: 'Signalwort: {signal}.',
    pictograms: 'Gefahrenpiktogramme: {pictograms}.',
    diisocyanates:
      'Ab dem 24. August 2023 muss vor der industriellen oder gewerblichen Verwendung eine angemessene Schulung erfolgen.',
  },
  sections: [
    {
      heading: 'Bezeichnung des Stoffs beziehungsweise des Gemischs und des Unternehmens',
      text: [
        'Handelsname: {name}, Artikelnummer {item}.',
        'Verwendung: {use}',
        'Lieferant: Haldenwerk GmbH, info@haldenwerk.example. Notruf: entfällt, da das Produkt erfunden ist.',
      ],
    },
    {
      heading: 'Mögliche Gefahren',
      // What the label says stands before it.
      text: [],
      hybrid: ['Beim Aushärten wird eine kleine Menge Methanol frei.'],
    },
    {
      heading: 'Zusammensetzung und Angaben zu Bestandteilen',
      text: [
        'Wässrige Polymerdispersion mit Füllstoffen und Hilfsstoffen. Keine Bestandteile über den Berücksichtigungsgrenzwerten.',
      ],
      hybrid: ['Silanterminiertes Polymer mit mineralischen Füllstoffen und Haftvermittlern.'],
      foam: ['Polymeres Diphenylmethandiisocyanat, Polyole, Treibgase (Propan, Isobutan, Dimethylether).'],
    },
    {
      heading: 'Erste-Hilfe-Maßnahmen',
      text: [
        'Haut: mit Wasser und Seife waschen. Augen: bei geöffnetem Lid einige Minuten spülen. Verschlucken: Mund ausspülen, kein Erbrechen herbeiführen, bei Beschwerden ärztlichen Rat einholen.',
      ],
      foam: [
        'Nach Einatmen: an die frische Luft bringen, bei Atembeschwerden sofort ärztliche Hilfe holen. Haut: frischen Schaum trocken abwischen, dann waschen. Augen: mehrere Minuten spülen und augenärztlich behandeln lassen.',
      ],
    },
    {
      heading: 'Maßnahmen zur Brandbekämpfung',
      text: ['Das Produkt brennt nicht. Löschmittel auf die Umgebung abstimmen.'],
      hybrid: ['Geeignete Löschmittel: Schaum, Kohlendioxid, Löschpulver, Sprühwasser.'],
      foam: ['Löschpulver, Schaum oder Kohlendioxid. Erhitzte Dosen können bersten: aus sicherer Entfernung kühlen.'],
    },
    {
      heading: 'Maßnahmen bei unbeabsichtigter Freisetzung',
      text: [
        'Rutschgefahr. Mechanisch aufnehmen, Reste mit Wasser abwaschen, solange sie feucht sind. Nicht in die Kanalisation geben.',
      ],
      foam: ['Zündquellen entfernen, gut lüften. Ausgetretenen Schaum aushärten lassen und mechanisch aufnehmen.'],
    },
    {
      heading: 'Handhabung und Lagerung',
      text: [
        'Beim Verarbeiten lüften. Im verschlossenen Originalgebinde trocken lagern; die Lagertemperatur steht im technischen Datenblatt.',
      ],
      foam: [
        'Nicht gegen offene Flamme oder auf glühende Gegenstände sprühen. Nicht über 50 °C lagern, Dosen aufrecht stellen.',
      ],
    },
    {
      heading: 'Begrenzung und Überwachung der Exposition, persönliche Schutzausrüstung',
      text: ['Bei längerem Kontakt Schutzhandschuhe aus Nitril tragen. Beim Spritzen Schutzbrille und Atemschutz.'],
      foam: [
        'Schutzhandschuhe, Schutzbrille und geschlossene Kleidung tragen. Bei unzureichender Lüftung Atemschutz mit Filter A2-P2.',
      ],
    },
    {
      heading: 'Physikalische und chemische Eigenschaften',
      text: [
        'Form: pastös bis flüssig. Geruch: schwach. pH-Wert: etwa 8. Dichte: etwa 1,0 bis 1,6 g/cm³. Mit Wasser mischbar, solange nicht getrocknet.',
      ],
      hybrid: ['Form: pastös. Geruch: schwach. Dichte: etwa 1,5 g/cm³. In Wasser nicht löslich.'],
      foam: [
        'Form: Aerosol. Geruch: schwach etherisch. Dampfdruck: etwa 5 bar bei 20 °C. In Wasser nicht löslich, reagiert mit Feuchte.',
      ],
    },
    {
      heading: 'Stabilität und Reaktivität',
      text: ['Bei bestimmungsgemäßer Lagerung stabil. Frost vermeiden, soweit das Datenblatt es verlangt.'],
      foam: ['Reagiert mit Wasser, Aminen und Alkoholen. Druckaufbau bei Erwärmung.'],
    },
    {
      heading: 'Toxikologische Angaben',
      text: ['Nach vorliegenden Daten sind die Einstufungskriterien nicht erfüllt.'],
      foam: ['Sensibilisierung der Atemwege und der Haut möglich. Personen mit Asthma sollten den Umgang meiden.'],
    },
    {
      heading: 'Umweltbezogene Angaben',
      text: ['Keine Daten zum Gemisch. Nicht unverdünnt in Gewässer gelangen lassen.'],
      foam: ['Ausgehärteter Schaum ist in Wasser unlöslich und biologisch nicht leicht abbaubar.'],
    },
    {
      heading: 'Hinweise zur Entsorgung',
      text: [
        'Ausgehärtete Reste als Baustellenabfall, flüssige Reste als Altfarben und Altlacke auf Wasserbasis entsorgen. Leere Gebinde der Verwertung zuführen.',
      ],
      foam: ['Dosen auch entleert als gefährlichen Abfall sammeln; Rücknahme über das System des Handels.'],
    },
    {
      heading: 'Angaben zum Transport',
      text: ['Kein Gefahrgut nach ADR, IMDG und IATA.'],
      foam: ['UN 1950, Druckgaspackungen, Klasse 2.1.'],
    },
    {
      heading: 'Rechtsvorschriften',
      text: [
        'Die einschlägigen nationalen und europäischen Vorschriften sind zu beachten. Eine Stoffsicherheitsbeurteilung wurde nicht durchgeführt.',
      ],
    },
    {
      heading: 'Sonstige Angaben',
      text: [
        'Dieses Dokument zeigt Aufbau und Umfang eines Sicherheitsdatenblatts. Es gehört zu keinem Produkt, das es gibt, und darf nicht zur Beurteilung von Gefahren verwendet werden.',
      ],
    },
  ],
};
